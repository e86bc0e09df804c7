// Decision diagram of a layout (layout.hpp): all states that lead to a code, with the number of
// completions of each state. They yield the number of codes, the codes in order, and samples.
//
// A state of layer p is a node of the histograms (histograms.hpp) with the open sums (sums.hpp)
// after p pegs. The forward pass computes the states that the pegs can reach. The backward pass
// keeps the states that lead to a code, and counts their completions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "counting/counter.hpp"
#include "counting/layout.hpp"
#include "counting/packed.hpp"

namespace mmsat::counting {

// A state of a layer, identified by its node and by its index among the states of the node.
struct DiagramState {
    std::size_t node = 0;
    std::size_t index = 0;
};

// A label that can follow a state.
struct Option {
    std::size_t label;
    DiagramState next_state;
    std::vector<Word> num_codes;  // number of completions of the next state
};

// Resumable construction of the diagram. An object owns copies of all its data. Not thread-safe:
// the bindings release the GIL in advance() and profile(), so advance() must not run in one thread
// while another uses the same object. Once the diagram is complete, its const methods may run
// concurrently.
class Diagram {
public:
    // See Counter::make().
    static std::unique_ptr<Diagram> make(Layout layout, std::size_t max_bits,
                                         std::size_t max_bytes);

    virtual ~Diagram() = default;
    // Process about `work` entries. Returns whether the diagram is complete.
    virtual bool advance(std::uint64_t work) = 0;
    virtual CountProgress progress() const = 0;

    // The following methods require a complete diagram.
    virtual std::vector<Word> count() const = 0;
    // Return the labels that this peg can have after a state of its layer. Throws out_of_range if
    // the state does not exist.
    virtual std::vector<Option> options(std::size_t peg, DiagramState state) const = 0;
    // Return, for each peg and label, the number of codes that have this label at this peg and the
    // labels `fixed` at theirs (per peg, -1 if not fixed). At a fixed peg, one color of the label
    // is counted instead of all. Throws out_of_range if `fixed` is invalid.
    virtual std::vector<std::vector<Word>> profile(
        const std::vector<std::int32_t>& fixed) const = 0;
};

}  // namespace mmsat::counting
