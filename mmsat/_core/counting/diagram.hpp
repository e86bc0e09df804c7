// Decision diagram of a layout: all states that lead to a code, each with the number of its
// completions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "counting/counter.hpp"
#include "counting/layout.hpp"
#include "counting/packed.hpp"

namespace mmsat::counting {

// A state of a layer: a node of the histograms and the index of its sums among the states of the
// node.
struct DiagramState {
    std::size_t node = 0;
    std::size_t index = 0;
};

// A label that can follow a state.
struct Option {
    std::size_t label;
    DiagramState to;
    std::vector<Word> ways;  // number of codes that continue from there
};

// Resumable construction. It owns copies of all its data. Not thread-safe: the bindings release the
// GIL in advance() and profile(), so advance() must not run in one thread while another uses the
// same object. Once the diagram is complete, its const methods may run concurrently.
class Diagram {
public:
    static std::unique_ptr<Diagram> make(Layout layout, std::size_t bits, std::size_t memory);

    virtual ~Diagram() = default;
    // Process about `work` entries; return true once the diagram is complete.
    virtual bool advance(std::uint64_t work) = 0;
    virtual Stage stage() const = 0;

    // The following methods require a complete diagram.
    virtual std::vector<Word> count() const = 0;
    // Return the labels that can follow a state before this peg. Throws out_of_range if there is no
    // such state.
    virtual std::vector<Option> options(std::size_t peg, DiagramState state) const = 0;
    // Return, for each peg and label, the number of codes that have the label there and the labels
    // `fixed` (per peg, -1 if not fixed). A fixed label stands for one of its colors, so it counts
    // once.
    virtual std::vector<std::vector<Word>> profile(
        const std::vector<std::int32_t>& fixed) const = 0;
};

}  // namespace mmsat::counting
