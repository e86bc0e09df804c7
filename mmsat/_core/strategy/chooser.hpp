// Choice of the best guess by a heuristic: the guess with the smallest key (keys.hpp). Ties are
// broken in favor of possible codes, and then by lexicographic order. An orbit consists of guesses
// that symmetries map to each other (symmetry.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "interrupt.hpp"
#include "strategy/form.hpp"
#include "strategy/keys.hpp"
#include "strategy/scan.hpp"
#include "strategy/symmetry.hpp"

namespace mmsat::strategy {

// Set of all codes: all sequences of colors, all sequences without repeated colors, or a list.
enum class Space { repeats, distinct, list };

// The answer to guess g for code c is at index c * stride + g, in one byte, or in two bytes if the
// form is wide. Rows are padded to whole vectors. The cells are not owned.
struct Table {
    const std::uint8_t* cells = nullptr;
    std::size_t stride = 0;
};

// Chooses guesses, and caches lists of guesses up to symmetry.
//
// Not thread-safe: the bindings release the GIL in choose() and in TreeBuilder::advance(), which
// uses a chooser. `poll` acquires the GIL itself.
class Chooser {
public:
    // `rows` are all codes in lexicographic order. The cells of `table` must outlive the chooser.
    // `poll` is called at intervals and may throw to end a call.
    Chooser(Form form, Space space, std::vector<std::uint8_t> rows, std::size_t pegs, Table table,
            Interrupt::Poll poll);

    const Form& scoring_form() const { return form_; }
    std::size_t size() const { return size_; }
    std::size_t pegs() const { return pegs_; }
    // Return the colors of a code. The pointer is valid as long as the chooser.
    const std::uint8_t* row(std::size_t code) const { return rows_.data() + code * pegs_; }
    // Return the index of a code, or size() if it is not one of the codes.
    std::size_t index_of(const std::uint8_t* code) const;

    // Return the best guess after the guesses `history` if `codes`, at least one, are possible.
    Code choose(const std::vector<std::uint32_t>& codes, const std::vector<Code>& history,
                Heuristic heuristic, bool consistent_only);

    // Return the answers of codes to a guess.
    std::vector<std::uint16_t> answers(const std::vector<std::uint32_t>& codes, const Code& guess);

private:
    // A list of guesses.
    struct List {
        std::vector<std::uint8_t> rows;
        Columns columns;
    };
    struct Cached {
        FreeColors free_colors;
        std::shared_ptr<const List> list;
    };

    // Return whether only one guess of each orbit is tried.
    bool has_symmetry() const;
    // Return all codes.
    std::shared_ptr<const List> all();
    // Return the guesses that normalize_colors() does not change.
    std::shared_ptr<const List> normal_guesses(const FreeColors& free_colors);
    std::shared_ptr<const List> make_list(std::vector<std::uint8_t> rows) const;
    // Return the possible codes to try as guesses. If there are many, only one of each orbit is
    // returned.
    std::shared_ptr<const List> possible_guesses(const std::vector<std::uint32_t>& codes,
                                                 const std::vector<Code>& history,
                                                 const FreeColors& free_colors,
                                                 const std::vector<Renaming>& renamings) const;
    FreeColors find_free_colors(const std::vector<std::uint32_t>& codes,
                                const std::vector<Code>& history) const;
    // Scan guesses in slices, between which interruption is checked, and return whether `best` has
    // changed. The guesses are those in `columns`. If `columns` is null, `codes` point to rows of a
    // table, and the guesses are its first `num_guesses` columns.
    bool scan(const Columns* columns, std::size_t num_guesses, const Codes& codes,
              Heuristic heuristic, Best& best) const;
    // Implementation of choose() for forms with a table.
    Code best_of_table(const std::vector<std::uint32_t>& codes, Heuristic heuristic,
                       bool consistent_only);

    Form form_;
    Space space_;
    std::vector<std::uint8_t> rows_;
    std::size_t pegs_;
    std::size_t size_;
    Table table_;
    Interrupt interrupt_;
    Logs logs_;                        // for classes of up to size_ codes
    std::shared_ptr<const List> all_;  // result of all(), once it is needed
    std::vector<Cached> cache_;        // results of normal_guesses()
    std::size_t cached_bytes_ = 0;
};

}  // namespace mmsat::strategy
