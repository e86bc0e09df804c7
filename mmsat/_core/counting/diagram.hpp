// The decision diagram of a layout: every state that lies on the way to a code, with the number of
// codes that go on from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "counting/counter.hpp"
#include "counting/layout.hpp"
#include "counting/packed.hpp"

namespace mmsat::counting {

// A state: sums at a node of the histograms.
struct DiagramState {
    std::size_t node = 0;
    std::size_t index = 0;
};

// A label that a state goes on with.
struct Option {
    std::size_t label;
    DiagramState to;
    std::vector<Word> ways;  // the codes that go on from there
};

class Diagram {
public:
    static std::unique_ptr<Diagram> make(Layout layout, std::size_t bits, std::size_t memory);

    virtual ~Diagram() = default;
    // Works on for about so many entries; true once the diagram stands.
    virtual bool advance(std::uint64_t work) = 0;
    virtual Stage stage() const = 0;

    // These are for a diagram that stands.
    virtual std::vector<Word> count() const = 0;
    virtual std::vector<Option> options(std::size_t peg, DiagramState state) const = 0;
    // By peg and label: the codes that have it, and that have the labels of `fixed`, -1 for any.
    // A fixed label is one of its colors.
    virtual std::vector<std::vector<Word>> profile(
        const std::vector<std::int32_t>& fixed) const = 0;
};

}  // namespace mmsat::counting
