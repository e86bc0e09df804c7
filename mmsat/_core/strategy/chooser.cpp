// Choice of the best guess (chooser.hpp): one guess of each orbit (guesses that symmetries map to
// each other) is scanned for the smallest key. Renamings and free colors are defined in
// symmetry.hpp, records and forms in form.hpp.
#include "strategy/chooser.hpp"

#include <algorithm>
#include <cstring>

#include "strategy/lanes.hpp"

namespace mmsat::strategy {

namespace {

// Maximum number of renamings tried for a guess. With fewer than all, equivalent guesses remain,
// which only costs time.
constexpr std::size_t kMaxRenamings = 720;
// Maximum number of earlier guesses for which renamings are tried. After more, few remain.
constexpr std::size_t kMaxRenamedGuesses = 2;
// For up to this many codes, filtering guesses costs more than it saves.
constexpr std::size_t kMaxUnfilteredCodes = 8;
// Number of vectors of answers between two checks for interruption.
constexpr std::size_t kSliceVectors = std::size_t{1} << 23;
constexpr std::size_t kMaxCacheBytes = std::size_t{1} << 28;  // of normal_guesses()

// Return whether a code is the first of its orbit if there is no earlier guess. Then it consists of
// runs of equal colors, with nonincreasing lengths and increasing colors.
bool is_first_guess(const std::uint8_t* code, std::size_t pegs) {
    std::size_t last_length = pegs;
    for (std::size_t peg = 0; peg < pegs;) {
        std::size_t length = 1;
        while (peg + length < pegs && code[peg + length] == code[peg]) ++length;
        if (length > last_length || (peg && code[peg] < code[peg - 1])) return false;
        last_length = length;
        peg += length;
    }
    return true;
}

// Return the key of a guess that distinguishes all codes, which is the smallest possible key.
std::uint64_t perfect_key(Heuristic heuristic, std::size_t num_codes) {
    if (heuristic == Heuristic::minimax) return 1;
    return heuristic == Heuristic::expected_size ? num_codes : 0;
}

}  // namespace

Chooser::Chooser(Form form, Space space, std::vector<std::uint8_t> rows, std::size_t pegs,
                 Table table, Interrupt::Poll poll)
    : form_(std::move(form)),
      space_(space),
      rows_(std::move(rows)),
      pegs_(pegs),
      size_(rows_.size() / pegs),
      table_(table),
      interrupt_(std::move(poll)),
      logs_(size_) {}

std::size_t Chooser::index_of(const std::uint8_t* code) const {
    std::size_t low = 0;
    std::size_t high = size_;
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (std::memcmp(row(middle), code, pegs_) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < size_ && std::memcmp(row(low), code, pegs_) == 0 ? low : size_;
}

bool Chooser::has_symmetry() const {
    return space_ != Space::list && form_.colors <= kMaxColors && form_.kind != Kind::pairs &&
           form_.kind != Kind::table;
}

std::shared_ptr<const Chooser::List> Chooser::make_list(std::vector<std::uint8_t> rows) const {
    auto list = std::make_shared<List>();
    list->rows = std::move(rows);
    list->columns = Columns(form_, list->rows.data(), list->rows.size() / pegs_);
    return list;
}

std::shared_ptr<const Chooser::List> Chooser::all() {
    if (!all_) all_ = make_list(rows_);
    return all_;
}

std::shared_ptr<const Chooser::List> Chooser::normal_guesses(const FreeColors& free_colors) {
    for (const Cached& cached : cache_)
        if (cached.free_colors == free_colors) return cached.list;
    auto list = make_list(normal_codes(free_colors, space_ == Space::repeats, pegs_, form_.colors));
    const std::size_t bytes = list->rows.size() + list->columns.cells.size();
    if (cached_bytes_ + bytes > kMaxCacheBytes) {
        cache_.clear();
        cached_bytes_ = 0;
    }
    cache_.push_back({free_colors, list});
    cached_bytes_ += bytes;
    return list;
}

FreeColors Chooser::find_free_colors(const std::vector<std::uint32_t>& codes,
                                     const std::vector<Code>& history) const {
    ColorSet alive = 0;  // colors that occur in a possible code
    for (std::uint32_t code : codes)
        for (std::size_t peg = 0; peg < pegs_; ++peg) alive |= ColorSet{1} << row(code)[peg];
    ColorSet seen = 0;  // colors that occur in an earlier guess
    for (const Code& guess : history)
        for (std::uint8_t color : guess) seen |= ColorSet{1} << color;
    const ColorSet colors =
        form_.colors == kMaxColors ? ~ColorSet{0} : (ColorSet{1} << form_.colors) - 1;
    return {colors & ~alive, alive & ~seen};
}

std::shared_ptr<const Chooser::List> Chooser::possible_guesses(
    const std::vector<std::uint32_t>& codes, const std::vector<Code>& history,
    const FreeColors& free_colors, const std::vector<Renaming>& renamings) const {
    std::vector<std::uint8_t> rows;
    Code normalized(pegs_);
    for (std::uint32_t code : codes) {
        const std::uint8_t* const colors = row(code);
        if (has_symmetry() && codes.size() > kMaxUnfilteredCodes) {
            std::copy(colors, colors + pegs_, normalized.begin());
            normalize_colors(free_colors, space_ == Space::repeats, pegs_, normalized.data());
            if (std::memcmp(normalized.data(), colors, pegs_) != 0) continue;
            if (history.empty() && !is_first_guess(colors, pegs_)) continue;
            if (!is_first(colors, renamings, free_colors, space_ == Space::repeats, pegs_))
                continue;
        }
        rows.insert(rows.end(), colors, colors + pegs_);
    }
    return make_list(std::move(rows));
}

Code Chooser::choose(const std::vector<std::uint32_t>& codes, const std::vector<Code>& history,
                     Heuristic heuristic, bool consistent_only) {
    const auto as_code = [&](const std::uint8_t* from) { return Code(from, from + pegs_); };
    // With one or two codes, no guess is better than the first of them.
    if (codes.size() <= 2) return as_code(row(codes.front()));
    if (form_.kind == Kind::table) return best_of_table(codes, heuristic, consistent_only);

    FreeColors free_colors;
    std::vector<Renaming> symmetries;
    if (has_symmetry()) {
        free_colors = find_free_colors(codes, history);
        if (!history.empty() && history.size() <= kMaxRenamedGuesses &&
            codes.size() > kMaxUnfilteredCodes)
            symmetries = renamings(history, pegs_, form_.colors, kMaxRenamings);
    }
    const std::size_t record_words = form_.record_words();
    std::vector<std::uint32_t> records(codes.size() * record_words);
    Codes scanned_codes;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        form_.write_record(row(codes[i]), records.data() + i * record_words);
        scanned_codes.push_back({records.data() + i * record_words});
    }

    // Possible codes are scanned first, so that on ties they are preferred.
    Best best;
    const auto possible = possible_guesses(codes, history, free_colors, symmetries);
    scan(&possible->columns, possible->columns.size, scanned_codes, heuristic, best);
    Code guess = as_code(possible->rows.data() + best.guess * pegs_);
    if (consistent_only || best.key == perfect_key(heuristic, codes.size())) return guess;

    // Then all guesses are scanned, one of each orbit. They have to be strictly better.
    auto guesses = has_symmetry() ? normal_guesses(free_colors) : all();
    if (has_symmetry() && (history.empty() || symmetries.size() > 1)) {
        std::vector<std::uint8_t> rows;
        for (std::size_t i = 0; i < guesses->columns.size; ++i) {
            const std::uint8_t* const colors = guesses->rows.data() + i * pegs_;
            if (history.empty()
                    ? is_first_guess(colors, pegs_)
                    : is_first(colors, symmetries, free_colors, space_ == Space::repeats, pegs_))
                rows.insert(rows.end(), colors, colors + pegs_);
        }
        guesses = make_list(std::move(rows));
    }
    if (scan(&guesses->columns, guesses->columns.size, scanned_codes, heuristic, best))
        guess = as_code(guesses->rows.data() + best.guess * pegs_);
    return guess;
}

bool Chooser::scan(const Columns* columns, std::size_t num_guesses, const Codes& codes,
                   Heuristic heuristic, Best& best) const {
    const std::size_t slice_size = std::max(kSliceVectors / codes.size(), std::size_t{1}) * kLanes;
    bool is_new = false;
    for (std::size_t first = 0; first < num_guesses; first += slice_size) {
        if (first) interrupt_.check();
        const std::size_t last = std::min(first + slice_size, num_guesses);
        is_new |= strategy::scan(form_, {columns, first, last}, codes, heuristic, logs_, best);
    }
    return is_new;
}

Code Chooser::best_of_table(const std::vector<std::uint32_t>& codes, Heuristic heuristic,
                            bool consistent_only) {
    const std::size_t width = form_.is_wide ? 2 : 1;
    Codes scanned_codes;
    for (std::uint32_t code : codes)
        scanned_codes.push_back({nullptr, table_.cells + code * table_.stride * width});
    // The possible codes are scanned first, so that other guesses have to be strictly better. Their
    // answers to each other are copied to a smaller table, whose guesses are the possible codes.
    const std::size_t stride = (codes.size() + kLanes - 1) / kLanes * kLanes * width;
    std::vector<std::uint8_t> cells(codes.size() * stride);
    Codes possible_codes;
    for (std::size_t code = 0; code < codes.size(); ++code) {
        std::uint8_t* const out = cells.data() + code * stride;
        for (std::size_t guess = 0; guess < codes.size(); ++guess)
            std::memcpy(out + guess * width, scanned_codes[code].row + codes[guess] * width, width);
        possible_codes.push_back({nullptr, out});
    }
    Best best;
    scan(nullptr, codes.size(), possible_codes, heuristic, best);
    std::size_t chosen_code = codes[best.guess];
    if (!consistent_only && scan(nullptr, size_, scanned_codes, heuristic, best))
        chosen_code = best.guess;
    return Code(row(chosen_code), row(chosen_code) + pegs_);
}

std::vector<std::uint16_t> Chooser::answers(const std::vector<std::uint32_t>& codes,
                                            const Code& guess) {
    std::vector<std::uint16_t> answers(codes.size());
    if (form_.kind == Kind::table) {
        const std::size_t column = index_of(guess.data());
        for (std::size_t i = 0; i < codes.size(); ++i) {
            const std::size_t cell = codes[i] * table_.stride + column;
            if (form_.is_wide)
                std::memcpy(&answers[i], table_.cells + 2 * cell, 2);
            else
                answers[i] = table_.cells[cell];
        }
    } else if (codes.size() == size_) {
        std::vector<std::uint32_t> record(form_.record_words());
        form_.write_record(guess.data(), record.data());
        strategy::answers(form_, all()->columns, record.data(), answers.data());
    } else {
        for (std::size_t i = 0; i < codes.size(); ++i)
            answers[i] = form_.answer(row(codes[i]), guess.data());
    }
    return answers;
}

}  // namespace mmsat::strategy
