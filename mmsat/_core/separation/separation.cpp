// Search for separating sets of guesses (separation.hpp). Classes consist of codes with equal
// answers to all guesses of a set. A separator of two codes is a guess with different answers.
#include "separation/separation.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>
#include <string_view>

#include "hash.hpp"

namespace mmsat::separation {

namespace {

// Maximum numbers of pairs that hard_pairs() compares and returns.
constexpr std::size_t kMaxTriedPairs = 256;
constexpr std::size_t kMaxKeptPairs = 64;
// Number of sets or steps between two checks for interruption.
constexpr std::uint64_t kCheckInterval = 1024;

bool is_in(const Bits& bits, std::size_t guess) {
    return bits[guess / 64] >> (guess % 64) & 1;
}

void remove(Bits& bits, std::size_t guess) {
    bits[guess / 64] &= ~(std::uint64_t{1} << (guess % 64));
}

// Return the guesses in a bit set, in increasing order.
Guesses list_guesses(const Bits& bits) {
    Guesses guesses;
    for (std::size_t word = 0; word < bits.size(); ++word)
        for (std::uint64_t remaining = bits[word]; remaining; remaining &= remaining - 1)
            guesses.push_back(static_cast<std::uint32_t>(word * 64 + __builtin_ctzll(remaining)));
    return guesses;
}

// Counts pairs of equal keys with a hash table.
class PairCounter {
public:
    explicit PairCounter(std::size_t max_keys) {
        while (size_ < 2 * max_keys) size_ *= 2;
        keys_.resize(size_);
    }

    std::uint64_t count(const std::vector<std::uint64_t>& keys) {
        counts_.assign(size_, 0);
        std::uint64_t num_pairs = 0;
        for (const std::uint64_t key : keys) {
            std::size_t slot = key & (size_ - 1);
            while (counts_[slot] && keys_[slot] != key) slot = (slot + 1) & (size_ - 1);
            keys_[slot] = key;
            num_pairs += counts_[slot]++;
        }
        return num_pairs;
    }

private:
    std::size_t size_ = 64;
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> counts_;
};

// Intersect a bit set with another one. Returns whether the result is not empty.
bool intersect(Bits& bits, const Bits& other) {
    std::uint64_t any_bits = 0;
    for (std::size_t word = 0; word < bits.size(); ++word) any_bits |= bits[word] &= other[word];
    return any_bits;
}

std::size_t num_guesses_in(const Bits& bits) {
    std::size_t count = 0;
    for (const std::uint64_t word : bits) count += __builtin_popcountll(word);
    return count;
}

// Return, for each row of a table, the first row equal to it.
std::vector<std::uint32_t> first_equal_rows(const std::vector<Answer>& table,
                                            std::size_t num_rows) {
    const std::size_t row_bytes = table.size() / num_rows * sizeof(Answer);
    const char* const start = reinterpret_cast<const char*>(table.data());
    std::map<std::string_view, std::uint32_t> rows_by_content;
    std::vector<std::uint32_t> first_rows;
    for (std::uint32_t row = 0; row < num_rows; ++row) {
        const std::string_view content(start + row * row_bytes, row_bytes);
        first_rows.push_back(rows_by_content.emplace(content, row).first->second);
    }
    return first_rows;
}

// Return whether base ** exponent is at least `bound`.
bool power_reaches(std::size_t base, std::size_t exponent, std::size_t bound) {
    std::size_t power = 1;
    while (power < bound && exponent-- > 0) power *= base;
    return power >= bound;
}

}  // namespace

// The answers to each guess are renumbered in the order of their first occurrence.
Separation::Separation(std::vector<Answer> answers, std::size_t num_guesses, std::size_t num_codes)
    : num_guesses_(num_guesses),
      num_codes_(num_codes),
      num_words_((num_guesses + 63) / 64),
      by_guess_(std::move(answers)),
      by_code_(by_guess_.size()) {
    constexpr std::uint32_t kNone = 1 << 16;    // above all answers, which have 16 bits
    std::vector<std::uint32_t> numbers(kNone);  // per answer: its new number
    for (std::size_t guess = 0; guess < num_guesses_; ++guess) {
        std::fill(numbers.begin(), numbers.end(), kNone);
        std::uint32_t num_answers = 0;
        for (std::size_t code = 0; code < num_codes_; ++code) {
            Answer& answer = by_guess_[guess * num_codes_ + code];
            std::uint32_t& number = numbers[answer];
            if (number == kNone) number = num_answers++;
            answer = by_code_[code * num_guesses_ + guess] = static_cast<Answer>(number);
        }
        num_answers_.push_back(num_answers);
        max_answers_ = std::max<std::size_t>(max_answers_, num_answers);
    }
}

std::vector<std::uint32_t> Separation::first_guesses() const {
    return first_equal_rows(by_guess_, num_guesses_);
}

std::vector<std::uint32_t> Separation::first_codes() const {
    return first_equal_rows(by_code_, num_codes_);
}

// Return the classes before any guess: one class with all codes.
Separation::Classes Separation::no_guess() const {
    Classes classes;
    if (num_codes_ < 2) return classes;
    classes.codes.resize(num_codes_);
    std::iota(classes.codes.begin(), classes.codes.end(), 0);
    classes.starts = {0, static_cast<std::uint32_t>(num_codes_)};
    classes.largest_size = num_codes_;
    return classes;
}

// Split the classes by the answers to a guess, in linear time. Only classes of two or more codes
// are kept.
Separation::Classes Separation::refine(const Classes& classes, std::size_t guess) const {
    const Answer* const answer = answers(guess);
    Classes finer;
    finer.codes.resize(classes.codes.size());
    std::uint32_t end = 0;
    std::vector<std::uint32_t> counts(num_answers_[guess], 0), positions(num_answers_[guess]);
    for (std::size_t index = 0; index + 1 < classes.starts.size(); ++index) {
        const auto first = classes.codes.begin() + classes.starts[index];
        const auto last = classes.codes.begin() + classes.starts[index + 1];
        for (auto code = first; code != last; ++code) ++counts[answer[*code]];
        for (auto code = first; code != last; ++code) {
            std::uint32_t& count = counts[answer[*code]];
            if (count == 1) continue;  // the code is alone in its class
            if (count > 1) {           // first code of a new class: reserve space for the class
                positions[answer[*code]] = end;
                finer.starts.push_back(end);
                finer.largest_size = std::max<std::size_t>(finer.largest_size, count);
                end += count;
                count = 0;  // from now on, the class has its space
            }
            finer.codes[positions[answer[*code]]++] = *code;
        }
        for (auto code = first; code != last; ++code) counts[answer[*code]] = 0;
    }
    finer.codes.resize(end);
    finer.starts.push_back(end);
    return finer;
}

std::vector<Codes> Separation::unseparated(const Guesses& set) const {
    Classes classes = no_guess();
    for (const std::uint32_t guess : set) classes = refine(classes, guess);
    std::vector<Codes> result;
    for (std::size_t index = 0; index + 1 < classes.starts.size(); ++index)
        result.emplace_back(classes.codes.begin() + classes.starts[index],
                            classes.codes.begin() + classes.starts[index + 1]);
    std::stable_sort(result.begin(), result.end(), [](const Codes& one, const Codes& other) {
        return one.size() > other.size();
    });
    return result;
}

bool Separation::is_symmetry(const Guesses& guess_images, const Codes& code_images) const {
    // The answers of a guess and of its image must correspond one to one.
    constexpr std::uint32_t kNone = 1 << 16;  // above all answers, which have 16 bits
    std::vector<std::uint32_t> image(kNone), source(kNone);
    for (std::size_t guess = 0; guess < num_guesses_; ++guess) {
        std::fill(image.begin(), image.end(), kNone);
        std::fill(source.begin(), source.end(), kNone);
        const Answer* const guess_answers = answers(guess);
        const Answer* const image_answers = answers(guess_images[guess]);
        for (std::size_t code = 0; code < num_codes_; ++code) {
            const Answer from = guess_answers[code];
            const Answer to = image_answers[code_images[code]];
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

// There is a random word for each position in the set and each answer. The key of a code is the sum
// of the words of its answers, so codes with equal answers have equal keys. A step that replaces
// one guess updates all keys in one pass.
Guesses Separation::anneal(std::size_t size, std::uint64_t steps, std::uint64_t seed,
                           const Interrupt& interrupt) const {
    PairCounter counter(num_codes_);
    SplitMix64 random(seed);
    // [position in the set * max_answers_ + answer]: random word
    std::vector<std::uint64_t> words(size * max_answers_);
    for (std::uint64_t& word : words) word = random.next();
    constexpr std::uint64_t kMinusOne = ~std::uint64_t{0};
    std::vector<std::uint64_t> new_keys(num_codes_, 0);
    const auto add_to_keys = [&](std::size_t position, std::size_t guess, std::uint64_t sign) {
        const Answer* const answer = answers(guess);
        const std::uint64_t* const answer_words = words.data() + position * max_answers_;
        for (std::size_t code = 0; code < num_codes_; ++code)
            new_keys[code] += sign * answer_words[answer[code]];
    };
    Guesses set;
    for (std::size_t position = 0; position < size; ++position) {
        set.push_back(static_cast<std::uint32_t>(random.below(num_guesses_)));
        add_to_keys(position, set[position], 1);
    }
    std::vector<std::uint64_t> keys = new_keys;
    std::uint64_t min_pairs = counter.count(keys);
    Guesses best = set;
    for (std::uint64_t step = 0; step < steps && min_pairs > 0; ++step) {
        if (step % kCheckInterval == 0) interrupt.check();
        const std::size_t position = random.below(size);
        const auto guess = static_cast<std::uint32_t>(random.below(num_guesses_));
        new_keys = keys;
        add_to_keys(position, set[position], kMinusOne);
        add_to_keys(position, guess, 1);
        const std::uint64_t num_pairs = counter.count(new_keys);
        // The tolerance falls from a quarter of the minimum, plus one pair, to one pair.
        if (num_pairs > min_pairs + min_pairs * (steps - step) / steps / 4 + 1) continue;
        set[position] = guess;
        keys.swap(new_keys);
        if (num_pairs < min_pairs) {
            min_pairs = num_pairs;
            best = set;
        }
    }
    return best;
}

// Return the guesses that separate two codes.
Bits Separation::separators(std::uint32_t one, std::uint32_t other) const {
    const Answer* const first = by_code_.data() + one * num_guesses_;
    const Answer* const second = by_code_.data() + other * num_guesses_;
    Bits bits(num_words_, 0);
    for (std::size_t guess = 0; guess < num_guesses_; ++guess)
        bits[guess / 64] |= std::uint64_t{first[guess] != second[guess]} << (guess % 64);
    return bits;
}

// Return the allowed separators of some pairs of codes in one class, the smallest sets of
// separators first. There is at least one pair, because `classes` is not empty.
std::vector<Bits> Separation::hard_pairs(const Classes& classes, const Bits& allowed) const {
    struct Pair {
        std::size_t num_separators;
        Bits separators;
    };
    std::vector<Pair> tried_pairs;
    assert(!classes.are_separated());
    // Neighbors in a class, at intervals of `step` codes.
    const std::size_t step = classes.codes.size() / kMaxTriedPairs + 1;
    const std::size_t num_classes = classes.starts.size() - 1;
    for (std::size_t index = 0, next = 0; index < num_classes; ++index)
        for (std::size_t i = classes.starts[index]; i + 1 < classes.starts[index + 1]; ++i) {
            if (i < next) continue;
            next = i + step;
            Bits bits = separators(classes.codes[i], classes.codes[i + 1]);
            intersect(bits, allowed);
            tried_pairs.push_back({num_guesses_in(bits), std::move(bits)});
        }
    std::stable_sort(tried_pairs.begin(), tried_pairs.end(),
                     [](const Pair& one, const Pair& other) {
                         return one.num_separators < other.num_separators;
                     });
    std::vector<Bits> pairs;
    for (Pair& pair : tried_pairs) {
        if (pairs.size() == kMaxKeptPairs) break;
        pairs.push_back(std::move(pair.separators));
    }
    return pairs;
}

// Count a set. Every kCheckInterval sets, check for interruption.
void Separation::count_node() {
    if (num_nodes_++ % kCheckInterval == 0) interrupt_->check();
}

Guesses Separation::complete(const Guesses& chosen, std::size_t max_added, const Guesses& allowed,
                             const Interrupt& interrupt) {
    interrupt_ = &interrupt;
    Bits bits(num_words_, 0);
    for (const std::uint32_t guess : allowed) bits[guess / 64] |= std::uint64_t{1} << (guess % 64);
    Classes classes = no_guess();
    for (const std::uint32_t guess : chosen) {
        classes = refine(classes, guess);
        remove(bits, guess);
    }
    set_ = chosen;
    fraction_done_ = 0;
    if (!extend(classes, max_added, std::move(bits), 1.0)) set_.clear();
    return set_;
}

// Search for at most `max_added` allowed guesses that separate all codes, and add them to the set.
// Returns whether there are such guesses. `weight` is the fraction of complete() that this call
// covers.
bool Separation::extend(const Classes& classes, std::size_t max_added, Bits allowed,
                        double weight) {
    count_node();
    if (classes.are_separated()) return true;
    // k guesses split a class into at most max_answers_ ** k classes.
    if (!power_reaches(max_answers_, max_added, classes.largest_size)) return false;
    std::vector<Bits> pairs = hard_pairs(classes, allowed);
    if (max_added == 1) {
        for (const Bits& pair : pairs)
            if (!intersect(allowed, pair)) return false;
        for (const std::uint32_t guess : list_guesses(allowed)) {
            count_node();
            if (!refine(classes, guess).are_separated()) continue;
            set_.push_back(guess);
            return true;
        }
        return false;
    }
    if (max_added == 2) return add_two(classes, std::move(pairs), std::move(allowed));
    // One of the separators of the hardest pair must be in the set. Once a separator has been
    // tried, it is no longer allowed, so that no set is visited twice.
    const Guesses candidates = list_guesses(pairs.front());
    const double share = weight / static_cast<double>(candidates.size());
    double done = fraction_done_;
    for (const std::uint32_t guess : candidates) {
        remove(allowed, guess);
        set_.push_back(guess);
        if (extend(refine(classes, guess), max_added - 1, allowed, share)) return true;
        set_.pop_back();
        fraction_done_ = done += share;  // replaces the fractions that the call above has added
    }
    return false;
}

// Search for two guesses. The separators of a few pairs exclude most candidates. When two guesses
// fail to separate a pair, this pair is added to `pairs`.
bool Separation::add_two(const Classes& classes, std::vector<Bits> pairs, Bits allowed) {
    Bits second_guesses;
    for (const std::uint32_t guess : list_guesses(pairs.front())) {
        count_node();
        remove(allowed, guess);
        second_guesses = allowed;
        bool is_possible = true;
        for (std::size_t index = 1; is_possible && index < pairs.size(); ++index)
            if (!is_in(pairs[index], guess)) is_possible = intersect(second_guesses, pairs[index]);
        if (!is_possible) continue;
        const Classes finer = refine(classes, guess);
        for (const std::uint32_t second_guess : list_guesses(second_guesses)) {
            if (!is_in(second_guesses, second_guess)) continue;  // excluded since the list was made
            count_node();
            const Classes finest = refine(finer, second_guess);
            if (finest.are_separated()) {
                set_.push_back(guess);
                set_.push_back(second_guess);
                return true;
            }
            pairs.push_back(separators(finest.codes[0], finest.codes[1]));
            intersect(second_guesses, pairs.back());
        }
    }
    return false;
}

}  // namespace mmsat::separation
