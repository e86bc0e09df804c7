// The guess that a heuristic chooses: the least key, then one that can be the code, then the first.
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

enum class Space { repeats, distinct, list };

// The answer of guess g to code c is number c * stride + g, of one byte or, where the form is wide,
// two. Rows are padded to whole vectors.
struct Table {
    const std::uint8_t* cells = nullptr;
    std::size_t stride = 0;
};

class Chooser {
public:
    // `rows` are all codes in lexicographic order. A table must outlive this. `poll` is called now
    // and then in long work, and may throw to end it.
    Chooser(Form form, Space space, std::vector<std::uint8_t> rows, std::size_t pegs, Table table,
            Interrupt::Poll poll);

    const Form& form() const { return form_; }
    std::size_t size() const { return size_; }
    std::size_t pegs() const { return pegs_; }
    const std::uint8_t* row(std::size_t code) const { return rows_.data() + code * pegs_; }
    // The number of a code, size() if there is none.
    std::size_t number(const std::uint8_t* code) const;

    // The guess after some guesses, where these codes are possible; there is one at least.
    Code choose(const std::vector<std::uint32_t>& codes, const std::vector<Code>& history,
                Heuristic heuristic, bool consistent_only);

    // The answers of some codes to a guess.
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

    bool has_symmetry() const;
    std::shared_ptr<const List> all();
    std::shared_ptr<const List> lowest(const Knowledge& known);
    std::shared_ptr<const List> make_list(std::vector<std::uint8_t> rows) const;
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
