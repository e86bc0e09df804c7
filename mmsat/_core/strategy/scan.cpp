// Scans of guesses (scan.hpp). A vector holds W guesses, one per lane. Codes are processed in tiles
// of at most 255, so that their answers can be counted in bytes. The codes with the same answer
// form a class, so the counts of answers are the sizes of the classes.
#include "strategy/scan.hpp"

#include <algorithm>
#include <array>

#include "strategy/lanes.hpp"

namespace mmsat::strategy {

namespace {

constexpr std::size_t kTileCodes = 255;  // maximum number of codes in a tile

// Arguments of one scan. The objects are not owned.
struct Job {
    const Form& form;
    const Guesses& guesses;
    const Codes& codes;
    Heuristic heuristic;
    const Logs* logs;
    Best* best;
    std::uint32_t* out;  // destination of histograms, or nullptr
};

// Return the answers to W guesses, from guess `start`, for the code of a record.
template <int W>
MMSAT_INLINE Bytes<W> score_lanes(const Form& form, const Columns& columns, std::size_t start,
                                  const std::uint32_t* record) {
    const std::uint8_t* const cells = columns.cells.data() + start;
    const std::size_t num_position_columns = form.weights.size();
    Bytes<W> sum = Bytes<W>::all(0);
    for (std::size_t column = 0; column < num_position_columns; ++column)
        sum.add_equal(Bytes<W>::load(cells + column * columns.stride),
                      Bytes<W>::spread(record[column]), Bytes<W>::all(form.weights[column]));
    const std::uint32_t* column_and_count = record + num_position_columns + 1;
    for (std::uint32_t num_distinct = record[num_position_columns]; num_distinct > 0;
         --num_distinct, column_and_count += 2)
        sum.add_minimum(Bytes<W>::load(cells + column_and_count[0] * columns.stride),
                        Bytes<W>::spread(column_and_count[1]));
    return sum;
}

// Write the same answers if an answer has two bytes. Blacks and shared colors are added separately.
template <int W>
MMSAT_INLINE void score_lanes_wide(const Form& form, const Columns& columns, std::size_t start,
                                   const std::uint32_t* record, std::uint16_t* out) {
    const std::uint8_t* const cells = columns.cells.data() + start;
    const std::size_t num_position_columns = form.weights.size();
    Bytes<W> black = Bytes<W>::all(0);
    Bytes<W> shared = Bytes<W>::all(0);
    for (std::size_t column = 0; column < num_position_columns; ++column)
        black.add_equal(Bytes<W>::load(cells + column * columns.stride),
                        Bytes<W>::spread(record[column]));
    const std::uint32_t* column_and_count = record + num_position_columns + 1;
    for (std::uint32_t num_distinct = record[num_position_columns]; num_distinct > 0;
         --num_distinct, column_and_count += 2)
        shared.add_minimum(Bytes<W>::load(cells + column_and_count[0] * columns.stride),
                           Bytes<W>::spread(column_and_count[1]));
    std::uint8_t blacks[W];
    std::uint8_t shared_counts[W];
    black.store(blacks);
    shared.store(shared_counts);
    const std::uint16_t base = static_cast<std::uint16_t>(form.pegs + 1);
    for (int lane = 0; lane < W; ++lane)
        out[lane] = static_cast<std::uint16_t>(blacks[lane] * base + shared_counts[lane]);
}

// For each of W guesses, count in registers the codes of a tile with each of `num_answers` answers.
template <int W, int num_answers>
MMSAT_INLINE void count_answers(const std::uint8_t* tile, std::size_t num_codes,
                                const std::uint16_t* answers, std::uint8_t* counts) {
    Bytes<W> sums[num_answers];
    Bytes<W> targets[num_answers];
    for (int i = 0; i < num_answers; ++i) {
        sums[i] = Bytes<W>::all(0);
        targets[i] = Bytes<W>::all(static_cast<std::uint8_t>(answers[i]));
    }
    for (std::size_t code = 0; code < num_codes; ++code) {
        const Bytes<W> answer = Bytes<W>::load(tile + code * W);
        for (int i = 0; i < num_answers; ++i) sums[i].add_equal(answer, targets[i]);
    }
    for (int i = 0; i < num_answers; ++i) sums[i].store(counts + i * W);
}

// The same for all answers, as many at a time as there are registers.
template <int W>
MMSAT_INLINE void count_all_answers(const std::uint8_t* tile, std::size_t num_codes,
                                    const Form& form, std::uint8_t* counts) {
    const std::uint16_t* answers = form.answers.data();
    std::size_t num_remaining = form.answers.size();
    const auto skip = [&](std::size_t num_counted) {
        answers += num_counted;
        counts += num_counted * W;
        num_remaining -= num_counted;
    };
    if constexpr (W == 64)
        for (; num_remaining >= 12; skip(12))
            count_answers<W, 12>(tile, num_codes, answers, counts);
    for (; num_remaining >= 7; skip(7)) count_answers<W, 7>(tile, num_codes, answers, counts);
    if (num_remaining >= 4) count_answers<W, 4>(tile, num_codes, answers, counts), skip(4);
    if (num_remaining >= 2) count_answers<W, 2>(tile, num_codes, answers, counts), skip(2);
    if (num_remaining >= 1) count_answers<W, 1>(tile, num_codes, answers, counts);
}

// The scan, one vector of W guesses after the other. `start` is the first guess of a vector.
template <int W>
struct Scanner {
    static MMSAT_INLINE void run(const Job& job) {
        const Form& form = job.form;
        const std::size_t num_answers = form.answers.size();
        const bool is_small = job.codes.size() <= kTileCodes;  // one tile, so no sums are needed
        if (form.is_wide) return run_wide(job);
        std::vector<std::uint8_t> counts(num_answers * W);
        std::vector<std::uint32_t> sums(is_small && !job.out ? 0 : num_answers * W);
        std::vector<std::uint8_t> tile(std::min(job.codes.size(), kTileCodes) * W);
        for (std::size_t start = job.guesses.first; start < job.guesses.last; start += W) {
            const std::size_t num_lanes = std::min<std::size_t>(W, job.guesses.last - start);
            if (is_small && !job.out) {
                fill(job, start, 0, job.codes.size(), tile.data());
                count_all_answers<W>(tile.data(), job.codes.size(), form, counts.data());
                if (compare_bytes(job, start, num_lanes, counts.data())) return;
                continue;
            }
            sum_tiles(job, start, tile.data(), counts.data(), sums.data());
            if (job.out) {
                for (std::size_t lane = 0; lane < num_lanes; ++lane)
                    for (std::size_t i = 0; i < num_answers; ++i)
                        job.out[(start + lane) * num_answers + i] = sums[i * W + lane];
            } else if (compare_words(job, start, num_lanes, sums.data())) {
                return;
            }
        }
    }

    // Write the answers of W guesses for the codes of a tile.
    static MMSAT_INLINE void fill(const Job& job, std::size_t start, std::size_t first,
                                  std::size_t last, std::uint8_t* tile) {
        if (const Columns* const columns = job.guesses.columns) {
            for (std::size_t code = first; code < last; ++code, tile += W)
                score_lanes<W>(job.form, *columns, start, job.codes[code].record).store(tile);
        } else {
            for (std::size_t code = first; code < last; ++code, tile += W)
                Bytes<W>::load(job.codes[code].row + start).store(tile);
        }
    }

    // Write the sums of the counts of all tiles to `sums`.
    static MMSAT_INLINE void sum_tiles(const Job& job, std::size_t start, std::uint8_t* tile,
                                       std::uint8_t* counts, std::uint32_t* sums) {
        const std::size_t cells = job.form.answers.size() * W;
        std::fill(sums, sums + cells, 0);
        for (std::size_t first = 0; first < job.codes.size(); first += kTileCodes) {
            const std::size_t last = std::min(first + kTileCodes, job.codes.size());
            fill(job, start, first, last, tile);
            count_all_answers<W>(tile, last - first, job.form, counts);
            for (std::size_t cell = 0; cell < cells; ++cell) sums[cell] += counts[cell];
        }
    }

    // The same as run() if an answer has two bytes. There are many answers, but each guess has few
    // of them.
    static MMSAT_INLINE void run_wide(const Job& job) {
        const std::size_t num_answers = job.form.answers.size();
        std::vector<std::uint16_t> answer_indices(job.form.answers.back() + 1u, 0);
        for (std::size_t i = 0; i < num_answers; ++i)
            answer_indices[job.form.answers[i]] = static_cast<std::uint16_t>(i);
        std::vector<std::uint32_t> sums(num_answers * W);
        std::vector<std::uint16_t> tile(kTileCodes * W);
        Sizes sizes;
        for (std::size_t start = job.guesses.first; start < job.guesses.last; start += W) {
            std::fill(sums.begin(), sums.end(), 0);
            for (std::size_t first = 0; first < job.codes.size(); first += kTileCodes)
                sum_wide(job, start, first, answer_indices.data(), tile.data(), sums.data());
            const std::size_t num_lanes = std::min<std::size_t>(W, job.guesses.last - start);
            if (job.out) {
                std::copy_n(sums.data(), num_lanes * num_answers, job.out + start * num_answers);
                continue;
            }
            for (std::size_t lane = 0; lane < num_lanes; ++lane) {
                const std::uint32_t* const counts = sums.data() + lane * num_answers;
                sizes.clear();
                std::copy_if(counts, counts + num_answers, std::back_inserter(sizes),
                             [](std::uint32_t size) { return size > 0; });
                if (compare_wide(job, start + lane, sizes)) return;
            }
        }
    }

    // Add the counts of a tile. The answers are first rearranged into groups of a few guesses, so
    // that the counters of a group fit in the cache.
    static MMSAT_INLINE void sum_wide(const Job& job, std::size_t start, std::size_t first,
                                      const std::uint16_t* answer_indices, std::uint16_t* tile,
                                      std::uint32_t* sums) {
        constexpr std::size_t group_size = 8;
        const std::size_t num_answers = job.form.answers.size();
        const std::size_t num_codes = std::min(kTileCodes, job.codes.size() - first);
        std::uint16_t answers[W];
        for (std::size_t code = 0; code < num_codes; ++code) {
            const ScannedCode& scanned = job.codes[first + code];
            if (job.guesses.columns)
                score_lanes_wide<W>(job.form, *job.guesses.columns, start, scanned.record, answers);
            else
                std::memcpy(answers, scanned.row + 2 * start, sizeof answers);
            for (std::size_t lane = 0; lane < W; lane += group_size)
                std::memcpy(tile + lane * num_codes + code * group_size, answers + lane,
                            group_size * sizeof *answers);
        }
        for (std::size_t lane = 0; lane < W; lane += group_size, sums += group_size * num_answers)
            for (std::size_t code = 0; code < num_codes; ++code, tile += group_size)
                for (std::size_t i = 0; i < group_size; ++i)
                    ++sums[i * num_answers + answer_indices[tile[i]]];
    }

    // Compare one guess with the best, given its class sizes. Returns whether the guess is better
    // and distinguishes all codes.
    static MMSAT_INLINE bool compare_wide(const Job& job, std::size_t guess, const Sizes& sizes) {
        const bool is_better =
            job.heuristic == Heuristic::minimax
                ? update_best(*job.best, *std::max_element(sizes.begin(), sizes.end()), guess)
                : compare_sizes(job, guess, sizes.size(), sizes.data(), sizes.size(), 1);
        return is_better && sizes.size() == job.codes.size();
    }

    // Compare guesses with the best, given counts in bytes. Returns whether a better guess
    // distinguishes all codes, so that the scan can stop.
    static MMSAT_INLINE bool compare_bytes(const Job& job, std::size_t start, std::size_t num_lanes,
                                           const std::uint8_t* counts) {
        const std::size_t num_answers = job.form.answers.size();
        const std::size_t size = job.codes.size();
        Best& best = *job.best;
        std::uint8_t keys[W];
        if (job.heuristic == Heuristic::minimax) {
            Bytes<W> max_sizes = Bytes<W>::all(0);
            for (std::size_t i = 0; i < num_answers; ++i)
                max_sizes.raise(Bytes<W>::load(counts + i * W));
            if (best.key <= kTileCodes &&
                !max_sizes.any_less(Bytes<W>::all(static_cast<std::uint8_t>(best.key))))
                return false;
            max_sizes.store(keys);
            for (std::size_t lane = 0; lane < num_lanes; ++lane)
                if (update_best(best, keys[lane], start + lane) && keys[lane] == 1) return true;
            return false;
        }
        // With the other heuristics, a good guess has many classes, so few guesses are compared
        // further.
        Bytes<W> class_counts = Bytes<W>::all(0);
        for (std::size_t i = 0; i < num_answers; ++i)
            class_counts.add_occupied(Bytes<W>::load(counts + i * W));
        const std::size_t min_classes = min_num_classes(job);
        if (min_classes > kTileCodes ||
            !class_counts.any_not_less(Bytes<W>::all(static_cast<std::uint8_t>(min_classes))))
            return false;
        class_counts.store(keys);
        for (std::size_t lane = 0; lane < num_lanes; ++lane) {
            if (keys[lane] < min_classes) continue;
            if (compare_sizes(job, start + lane, keys[lane], counts + lane, num_answers, W) &&
                keys[lane] == size)
                return true;
        }
        return false;
    }

    // The same with counts in 32-bit words.
    static MMSAT_INLINE bool compare_words(const Job& job, std::size_t start, std::size_t num_lanes,
                                           const std::uint32_t* sums) {
        const std::size_t num_answers = job.form.answers.size();
        const std::size_t min_classes = min_num_classes(job);
        for (std::size_t lane = 0; lane < num_lanes; ++lane) {
            std::size_t num_classes = 0;
            std::uint32_t max_size = 0;
            for (std::size_t i = 0; i < num_answers; ++i) {
                num_classes += sums[i * W + lane] != 0;
                max_size = std::max(max_size, sums[i * W + lane]);
            }
            bool is_better = false;
            if (job.heuristic == Heuristic::minimax)
                is_better = update_best(*job.best, max_size, start + lane);
            else if (num_classes >= min_classes)
                is_better =
                    compare_sizes(job, start + lane, num_classes, sums + lane, num_answers, W);
            if (is_better && num_classes == job.codes.size()) return true;
        }
        return false;
    }

    // Return the minimum number of classes of a guess that can be better than the best one so far.
    static MMSAT_INLINE std::size_t min_num_classes(const Job& job) {
        const std::uint64_t key = job.best->key;
        const std::size_t size = job.codes.size();
        if (key == Best::kNone || job.heuristic == Heuristic::minimax) return 0;
        if (job.heuristic == Heuristic::most_parts) return size - static_cast<std::size_t>(key) + 1;
        if (job.heuristic == Heuristic::entropy)
            return job.logs->min_num_classes(static_cast<std::int64_t>(key), size);
        // The sum of the squared sizes of k classes is at least n * n / k.
        return static_cast<std::size_t>((std::uint64_t{size} * size + key - 1) / key);
    }

    // Make the guess the best one if its key is smaller. Returns whether it is.
    static MMSAT_INLINE bool update_best(Best& best, std::uint64_t key, std::size_t guess) {
        if (key >= best.key) return false;
        best.key = key;
        best.guess = guess;
        best.is_new = true;
        return true;
    }

    // Compare one guess with the best by another heuristic than minimax. Its counts are `stride`
    // elements apart. Returns whether the guess is better.
    template <typename Number>
    static MMSAT_INLINE bool compare_sizes(const Job& job, std::size_t guess,
                                           std::size_t num_classes, const Number* counts,
                                           std::size_t num_answers, std::size_t stride) {
        Best& best = *job.best;
        if (job.heuristic == Heuristic::most_parts)
            return update_best(best, job.codes.size() - num_classes, guess);
        if (job.heuristic == Heuristic::expected_size) {
            std::uint64_t squares = 0;
            for (std::size_t i = 0; i < num_answers; ++i)
                squares += std::uint64_t{counts[i * stride]} * counts[i * stride];
            return update_best(best, squares, guess);
        }
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < num_answers; ++i) sum += (*job.logs)[counts[i * stride]];
        if (best.key != Best::kNone) {
            // Rounded logarithms decide unless the sums are too close; then exact products do.
            const std::int64_t difference = sum - static_cast<std::int64_t>(best.key);
            const std::int64_t uncertainty =
                job.logs->uncertainty(static_cast<std::int64_t>(best.key), num_answers);
            if (difference > uncertainty) return false;
            if (difference >= -uncertainty &&
                compare_powers(sizes<Number>(counts, num_answers, stride), best.sizes) >= 0)
                return false;
        }
        best.key = static_cast<std::uint64_t>(sum);
        best.guess = guess;
        best.is_new = true;
        best.sizes = sizes<Number>(counts, num_answers, stride);
        return true;
    }

    // Return the sizes of the nonempty classes in increasing order.
    template <typename Number>
    static Sizes sizes(const Number* counts, std::size_t num_answers, std::size_t stride) {
        Sizes class_sizes;
        for (std::size_t i = 0; i < num_answers; ++i)
            if (counts[i * stride]) class_sizes.push_back(counts[i * stride]);
        std::sort(class_sizes.begin(), class_sizes.end());
        return class_sizes;
    }
};

// The answers to one guess, in bytes.
template <int W>
struct Answers8 {
    static MMSAT_INLINE void run(const Form& form, const Columns& columns,
                                 const std::uint32_t* record, std::uint8_t* out) {
        for (std::size_t start = 0; start < columns.size; start += W)
            score_lanes<W>(form, columns, start, record).store(out + start);
    }
};

// The answers to one guess, in 16 bits.
template <int W>
struct Answers16 {
    static MMSAT_INLINE void run(const Form& form, const Columns& columns,
                                 const std::uint32_t* record, std::uint16_t* out) {
        std::uint8_t answers[W];
        std::uint16_t wide_answers[W];
        for (std::size_t start = 0; start < columns.size; start += W) {
            const std::size_t num_lanes = std::min<std::size_t>(W, columns.size - start);
            if (form.is_wide) {
                score_lanes_wide<W>(form, columns, start, record, wide_answers);
                std::copy(wide_answers, wide_answers + num_lanes, out + start);
            } else {
                score_lanes<W>(form, columns, start, record).store(answers);
                std::copy(answers, answers + num_lanes, out + start);
            }
        }
    }
};

}  // namespace

bool scan(const Form& form, const Guesses& guesses, const Codes& codes, Heuristic heuristic,
          const Logs& logs, Best& best) {
    static const auto run = Dispatch<Scanner, const Job&>::best();
    best.is_new = false;
    run(Job{form, guesses, codes, heuristic, &logs, &best, nullptr});
    return best.is_new;
}

void histograms(const Form& form, const Guesses& guesses, const Codes& codes, std::uint32_t* out) {
    static const auto run = Dispatch<Scanner, const Job&>::best();
    run(Job{form, guesses, codes, Heuristic::minimax, nullptr, nullptr, out});
}

void answers(const Form& form, const Columns& columns, const std::uint32_t* record,
             std::uint16_t* out) {
    static const auto run = Dispatch<Answers16, const Form&, const Columns&, const std::uint32_t*,
                                     std::uint16_t*>::best();
    run(form, columns, record, out);
}

void answers(const Form& form, const Columns& columns, const std::uint32_t* record,
             std::uint8_t* out) {
    static const auto run = Dispatch<Answers8, const Form&, const Columns&, const std::uint32_t*,
                                     std::uint8_t*>::best();
    run(form, columns, record, out);
}

}  // namespace mmsat::strategy
