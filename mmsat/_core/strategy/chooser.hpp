// Choice of the best guess by a heuristic: smallest key, then possible codes, then lexicographic
// order.
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

// Set of all codes: all sequences of colors, those without repeated colors, or a given list.
enum class Space { repeats, distinct, list };

// The answer of guess g for code c is at index c * stride + g, in one byte, or in two bytes if the
// form is wide. Rows are padded to whole vectors. The cells are not owned.
struct Table {
    const std::uint8_t* cells = nullptr;
    std::size_t stride = 0;
};

// Chooses guesses, and caches lists of guesses up to symmetry.
//
// Not thread-safe: the bindings release the GIL in choose() and in Grower::advance(), which uses a
// chooser. `poll` acquires the GIL itself.
class Chooser {
public:
    // `rows` are all codes in lexicographic order. The cells of `table` must outlive the chooser.
    // `poll` is called at intervals and may throw to end a call.
    Chooser(Form form, Space space, std::vector<std::uint8_t> rows, std::size_t pegs, Table table,
            Interrupt::Poll poll);

    const Form& form() const { return form_; }
    std::size_t size() const { return size_; }
    std::size_t pegs() const { return pegs_; }
    // The colors of a code; valid as long as the chooser.
    const std::uint8_t* row(std::size_t code) const { return rows_.data() + code * pegs_; }
    // Return the index of a code, or size() if it is not in the list.
    std::size_t number(const std::uint8_t* code) const;

    // Return the best guess after the guesses `history` if `codes`, at least one, are possible.
    Code choose(const std::vector<std::uint32_t>& codes, const std::vector<Code>& history,
                Heuristic heuristic, bool consistent_only);

    // Return the answers of codes to a guess.
    std::vector<std::uint16_t> answers(const std::vector<std::uint32_t>& codes, const Code& guess);

private:
    struct List {
        std::vector<std::uint8_t> rows;
        Columns columns;
    };
    struct Cached {
        Knowledge known;
        std::shared_ptr<const List> list;
    };

    // Whether guesses are tried up to renaming.
    bool has_symmetry() const;
    std::shared_ptr<const List> all();
    // Return the guesses that lower() does not change.
    std::shared_ptr<const List> lowest(const Knowledge& known);
    std::shared_ptr<const List> make_list(std::vector<std::uint8_t> rows) const;
    // Return the possible codes to try as guesses, up to symmetry if there are enough.
    std::shared_ptr<const List> members(const std::vector<std::uint32_t>& codes,
                                        const std::vector<Code>& history, const Knowledge& known,
                                        const std::vector<Renaming>& same) const;
    Knowledge knowledge(const std::vector<std::uint32_t>& codes,
                        const std::vector<Code>& history) const;
    bool scan(const Columns* columns, std::size_t guesses, const Codes& codes, Heuristic heuristic,
              Best& best) const;
    Code best_of_table(const std::vector<std::uint32_t>& codes, Heuristic heuristic,
                       bool consistent_only);

    Form form_;
    Space space_;
    std::vector<std::uint8_t> rows_;
    std::size_t pegs_;
    std::size_t size_;
    Table table_;
    Interrupt interrupt_;
    Logs logs_;
    std::shared_ptr<const List> all_;
    std::vector<Cached> cache_;
    std::size_t cached_bytes_ = 0;
};

}  // namespace mmsat::strategy
