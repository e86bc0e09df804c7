#include "separation/separation.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>

#include "hash.hpp"

namespace mmsat::separation {

namespace {

constexpr std::size_t kMaxTriedPairs = 256;  // maximum number of pairs considered as hard ...
constexpr std::size_t kMaxKeptPairs = 64;    // ... and maximum number kept
// Number of sets or steps between two checks for interruption.
constexpr std::uint64_t kCheckInterval = 1024;

bool is_in(const Bits& bits, std::size_t guess) {
    return bits[guess / 64] >> (guess % 64) & 1;
}

void remove(Bits& bits, std::size_t guess) {
    bits[guess / 64] &= ~(std::uint64_t{1} << (guess % 64));
}

// Return the guesses in a bit set.
Guesses list(const Bits& bits) {
    Guesses found;
    for (std::size_t word = 0; word < bits.size(); ++word)
        for (std::uint64_t left = bits[word]; left; left &= left - 1)
            found.push_back(static_cast<std::uint32_t>(word * 64 + __builtin_ctzll(left)));
    return found;
}

// Counts pairs of equal keys with a hash table.
class PairCounter {
public:
    explicit PairCounter(std::size_t keys) {
        while (size_ < 2 * keys) size_ *= 2;
        keys_.resize(size_);
    }

    std::uint64_t count(const std::vector<std::uint64_t>& keys) {
        counts_.assign(size_, 0);
        std::uint64_t pairs = 0;
        for (const std::uint64_t key : keys) {
            std::size_t place = key & (size_ - 1);
            while (counts_[place] && keys_[place] != key) place = (place + 1) & (size_ - 1);
            keys_[place] = key;
            pairs += counts_[place]++;
        }
        return pairs;
    }

private:
    std::size_t size_ = 64;
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> counts_;
};

// Intersect a bit set with another one; return whether the result is not empty.
bool intersect(Bits& bits, const Bits& other) {
    std::uint64_t any = 0;
    for (std::size_t word = 0; word < bits.size(); ++word) any |= bits[word] &= other[word];
    return any;
}

std::size_t count_common(const Bits& one, const Bits& other) {
    std::size_t common = 0;
    for (std::size_t word = 0; word < one.size(); ++word)
        common += __builtin_popcountll(one[word] & other[word]);
    return common;
}

// Return, for each row of a table, the first row equal to it.
std::vector<std::uint32_t> find_first(const std::vector<Answer>& table, std::size_t rows) {
    const std::size_t bytes = table.size() / rows * sizeof(Answer);
    const char* const start = reinterpret_cast<const char*>(table.data());
    std::map<std::string_view, std::uint32_t> found;
    std::vector<std::uint32_t> first;
    for (std::uint32_t row = 0; row < rows; ++row)
        first.push_back(
            found.emplace(std::string_view(start + row * bytes, bytes), row).first->second);
    return first;
}

// Return whether base ** exponent is at least `wanted`.
bool reaches(std::size_t base, std::size_t exponent, std::size_t wanted) {
    std::size_t power = 1;
    while (power < wanted && exponent-- > 0) power *= base;
    return power >= wanted;
}

}  // namespace

Separation::Separation(std::vector<Answer> answers, std::size_t guesses, std::size_t codes)
    : guesses_(guesses),
      codes_(codes),
      words_((guesses + 63) / 64),
      by_guess_(std::move(answers)),
      by_code_(by_guess_.size()) {
    constexpr std::uint32_t kNone = 1 << 16;
    std::vector<std::uint32_t> numbers(kNone);
    for (std::size_t guess = 0; guess < guesses_; ++guess) {
        std::fill(numbers.begin(), numbers.end(), kNone);
        std::uint32_t parts = 0;
        for (std::size_t code = 0; code < codes_; ++code) {
            Answer& answer = by_guess_[guess * codes_ + code];
            std::uint32_t& number = numbers[answer];
            if (number == kNone) number = parts++;
            answer = by_code_[code * guesses_ + guess] = static_cast<Answer>(number);
        }
        parts_.push_back(parts);
        max_parts_ = std::max<std::size_t>(max_parts_, parts);
    }
}

std::vector<std::uint32_t> Separation::first_guesses() const {
    return find_first(by_guess_, guesses_);
}

std::vector<std::uint32_t> Separation::first_codes() const {
    return find_first(by_code_, codes_);
}

Separation::Classes Separation::all() const {
    Classes classes;
    if (codes_ < 2) return classes;
    classes.codes.resize(codes_);
    std::iota(classes.codes.begin(), classes.codes.end(), 0);
    classes.starts = {0, static_cast<std::uint32_t>(codes_)};
    classes.largest = codes_;
    return classes;
}

// Split the classes by the answers to a guess, in linear time. Only classes of two or more codes
// are kept.
Separation::Classes Separation::refine(const Classes& classes, std::size_t guess) const {
    const Answer* const answer = answers(guess);
    Classes finer;
    finer.codes.resize(classes.codes.size());
    std::uint32_t end = 0;
    std::vector<std::uint32_t> counts(parts_[guess], 0), places(parts_[guess]);
    for (std::size_t index = 0; index + 1 < classes.starts.size(); ++index) {
        const auto first = classes.codes.begin() + classes.starts[index];
        const auto last = classes.codes.begin() + classes.starts[index + 1];
        for (auto code = first; code != last; ++code) ++counts[answer[*code]];
        for (auto code = first; code != last; ++code) {
            std::uint32_t& count = counts[answer[*code]];
            if (count > 1) {  // first code of a new class: reserve its place
                places[answer[*code]] = end;
                finer.starts.push_back(end);
                finer.largest = std::max<std::size_t>(finer.largest, count);
                end += count;
            }
            if (count != 1) finer.codes[places[answer[*code]]++] = *code;
            count = count == 1 ? 1 : 0;
        }
        for (auto code = first; code != last; ++code) counts[answer[*code]] = 0;
    }
    finer.codes.resize(end);
    finer.starts.push_back(end);
    return finer;
}

std::vector<Codes> Separation::together(const Guesses& set) const {
    Classes classes = all();
    for (const std::uint32_t guess : set) classes = refine(classes, guess);
    std::vector<Codes> found;
    for (std::size_t index = 0; index + 1 < classes.starts.size(); ++index)
        found.emplace_back(classes.codes.begin() + classes.starts[index],
                           classes.codes.begin() + classes.starts[index + 1]);
    std::stable_sort(found.begin(), found.end(), [](const Codes& one, const Codes& other) {
        return one.size() > other.size();
    });
    return found;
}

bool Separation::is_kept(const Guesses& guess_images, const Codes& code_images) const {
    constexpr std::uint32_t kNone = 1 << 16;
    std::vector<std::uint32_t> image(kNone), source(kNone);
    for (std::size_t guess = 0; guess < guesses_; ++guess) {
        std::fill(image.begin(), image.end(), kNone);
        std::fill(source.begin(), source.end(), kNone);
        const Answer* const before = answers(guess);
        const Answer* const after = answers(guess_images[guess]);
        for (std::size_t code = 0; code < codes_; ++code) {
            const Answer from = before[code];
            const Answer to = after[code_images[code]];
            if (image[from] == kNone && source[to] == kNone) {
                image[from] = to;
                source[to] = from;
            } else if (image[from] != to) {
                return false;
            }
        }
    }
    return true;
}

// The key of a code is a sum of random marks for its answers, so codes with equal answers have
// equal keys. A step that changes one guess then updates the keys in one pass.
Guesses Separation::anneal(std::size_t size, std::uint64_t steps, std::uint64_t seed,
                           const Interrupt& interrupt) const {
    PairCounter counter(codes_);
    SplitMix64 random(seed);
    // Term of the key for an answer to the guess at a place.
    std::vector<std::uint64_t> marks(size * max_parts_);
    for (std::uint64_t& mark : marks) mark = random.next();
    std::vector<std::uint64_t> keys(codes_, 0), changed(codes_);
    const auto change = [&](std::size_t place, std::size_t guess, std::uint64_t sign) {
        const Answer* const answer = answers(guess);
        const std::uint64_t* const mark = marks.data() + place * max_parts_;
        for (std::size_t code = 0; code < codes_; ++code)
            changed[code] += sign * mark[answer[code]];
    };
    changed = keys;
    Guesses set;
    for (std::size_t place = 0; place < size; ++place) {
        set.push_back(static_cast<std::uint32_t>(random.below(guesses_)));
        change(place, set[place], 1);
    }
    keys = changed;
    std::uint64_t fewest = counter.count(keys);
    Guesses best = set;
    for (std::uint64_t step = 0; step < steps && fewest > 0; ++step) {
        if (step % kCheckInterval == 0) interrupt.check();
        const std::size_t place = random.below(size);
        const auto guess = static_cast<std::uint32_t>(random.below(guesses_));
        changed = keys;
        change(place, set[place], ~std::uint64_t{0});
        change(place, guess, 1);
        const std::uint64_t now = counter.count(changed);
        if (now > fewest + fewest * (steps - step) / steps / 4 + 1) continue;
        set[place] = guess;
        keys.swap(changed);
        if (now < fewest) {
            fewest = now;
            best = set;
        }
    }
    return best;
}

Bits Separation::separators(std::uint32_t one, std::uint32_t other) const {
    const Answer* const first = by_code_.data() + one * guesses_;
    const Answer* const second = by_code_.data() + other * guesses_;
    Bits bits(words_, 0);
    for (std::size_t guess = 0; guess < guesses_; ++guess)
        bits[guess / 64] |= std::uint64_t{first[guess] != second[guess]} << (guess % 64);
    return bits;
}

// Return, for some pairs of codes that are not separated, the allowed guesses that separate them,
// smallest sets first.
std::vector<Bits> Separation::hard_pairs(const Classes& classes, const Bits& allowed) const {
    struct Tried {
        std::size_t count;
        Bits bits;
    };
    std::vector<Tried> tried;
    const std::size_t step = classes.codes.size() / kMaxTriedPairs + 1;
    const std::size_t num_classes = classes.starts.size() - 1;
    for (std::size_t index = 0, due = 0; index < num_classes; ++index)
        for (std::size_t place = classes.starts[index]; place + 1 < classes.starts[index + 1];
             ++place) {
            if (place < due) continue;
            due = place + step;
            Bits bits = separators(classes.codes[place], classes.codes[place + 1]);
            intersect(bits, allowed);
            tried.push_back({count_common(bits, bits), std::move(bits)});
        }
    std::stable_sort(tried.begin(), tried.end(),
                     [](const Tried& one, const Tried& other) { return one.count < other.count; });
    std::vector<Bits> pairs;
    for (Tried& pair : tried) {
        if (pairs.size() == kMaxKeptPairs) break;
        pairs.push_back(std::move(pair.bits));
    }
    return pairs;
}

// Count a set and check for interruption from time to time.
void Separation::count_node() {
    if (nodes_++ % kCheckInterval == 0) interrupt_->check();
}

Guesses Separation::complete(const Guesses& chosen, std::size_t more, const Guesses& allowed,
                             const Interrupt& interrupt) {
    interrupt_ = &interrupt;
    Bits bits(words_, 0);
    for (const std::uint32_t guess : allowed) bits[guess / 64] |= std::uint64_t{1} << (guess % 64);
    Classes classes = all();
    for (const std::uint32_t guess : chosen) {
        classes = refine(classes, guess);
        remove(bits, guess);
    }
    set_ = chosen;
    done_ = 0;
    if (!extend(classes, more, std::move(bits), 1.0)) set_.clear();
    return set_;
}

// Search for at most `more` allowed guesses that separate all codes, and add them to the set.
// Returns whether there are any.
bool Separation::extend(const Classes& classes, std::size_t more, Bits allowed, double weight) {
    count_node();
    if (classes.are_single()) return true;
    if (!reaches(max_parts_, more, classes.largest)) return false;
    std::vector<Bits> pairs = hard_pairs(classes, allowed);
    if (more == 1) {
        for (const Bits& pair : pairs)
            if (!intersect(allowed, pair)) return false;
        for (const std::uint32_t guess : list(allowed)) {
            count_node();
            if (!refine(classes, guess).are_single()) continue;
            set_.push_back(guess);
            return true;
        }
        return false;
    }
    if (more == 2) return add_two(classes, std::move(pairs), std::move(allowed));
    const Guesses tried = list(pairs.front());  // one of them must be in the set
    const double share = weight / static_cast<double>(tried.size());
    for (const std::uint32_t guess : tried) {
        remove(allowed, guess);
        set_.push_back(guess);
        if (extend(refine(classes, guess), more - 1, allowed, share)) return true;
        set_.pop_back();
        if (more > 3 || weight == 1.0) done_ += share;
    }
    return false;
}

// Search for two guesses. The separators of a few pairs exclude most candidates; a pair that two
// guesses fail to separate is added to them.
bool Separation::add_two(const Classes& classes, std::vector<Bits> pairs, Bits allowed) {
    Bits left;
    for (const std::uint32_t guess : list(pairs.front())) {
        count_node();
        remove(allowed, guess);
        left = allowed;
        bool is_possible = true;
        for (std::size_t index = 1; is_possible && index < pairs.size(); ++index)
            if (!is_in(pairs[index], guess)) is_possible = intersect(left, pairs[index]);
        if (!is_possible) continue;
        const Classes finer = refine(classes, guess);
        for (const std::uint32_t last : list(left)) {
            if (!is_in(left, last)) continue;
            count_node();
            const Classes finest = refine(finer, last);
            if (finest.are_single()) {
                set_.push_back(guess);
                set_.push_back(last);
                return true;
            }
            pairs.push_back(separators(finest.codes[0], finest.codes[1]));
            intersect(left, pairs.back());
        }
    }
    return false;
}

}  // namespace mmsat::separation
