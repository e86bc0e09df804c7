// Python bindings of counters and decision diagrams. Labels, amounts, steps, ranges and `once` are
// defined in counting/layout.hpp.
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "counting/counter.hpp"
#include "counting/diagram.hpp"
#include "counting/layout.hpp"

namespace mmsat::counting {

namespace {

using Numbers = Array<const std::int32_t, 1>;

constexpr std::int64_t kMaxSum = 1 << 29;  // a sum of amounts plus a sum of steps fits in 32 bits
constexpr std::size_t kMaxPegs = INT32_MAX, kMaxNumbers = std::size_t{1} << 24;

// Convert a number of any size to bytes, lowest first (nanobind cannot convert it to an int).
nb::bytes as_bytes(const std::vector<Word>& words) {
    return nb::bytes(reinterpret_cast<const char*>(words.data()), 8 * words.size());
}

// Convert a flat array to rows of four numbers.
std::vector<std::array<std::int32_t, 4>> as_rows(const Numbers& flat) {
    require(flat.size() % 4 == 0, "amounts and steps have four numbers each");
    std::vector<std::array<std::int32_t, 4>> rows(flat.size() / 4);
    if (flat.size() > 0) {
        std::memcpy(rows.data(), flat.data(), 4 * flat.size());
    }
    return rows;
}

bool is_below(std::int32_t value, std::size_t bound) {
    return value >= 0 && static_cast<std::size_t>(value) < bound;
}

Layout make_layout(std::size_t pegs, const Numbers& sizes, const Numbers& once,
                   const Numbers& allowed, const Numbers& amounts, const Numbers& steps,
                   const Numbers& ranges) {
    Layout layout;
    layout.pegs = pegs;
    layout.labels = sizes.size();
    require(pegs >= 1 && layout.labels >= 1, "there are pegs and labels");
    require(pegs <= kMaxPegs && layout.labels <= kMaxNumbers && ranges.size() <= kMaxNumbers,
            "there are fewer than 2**31 pegs, and at most 2**24 labels and bounds");
    require(once.size() == layout.labels, "sizes and once have a number for each label");
    require(allowed.size() == pegs * layout.labels, "allowed has a number for each peg and label");
    require(ranges.size() % 2 == 0, "ranges have two numbers each");
    for (std::size_t label = 0; label < layout.labels; ++label) {
        require(sizes.data()[label] >= 1, "a label has at least one color");
        layout.sizes.push_back(static_cast<std::uint32_t>(sizes.data()[label]));
        layout.once.push_back(once.data()[label] != 0);
    }
    for (std::size_t cell = 0; cell < allowed.size(); ++cell)
        layout.allowed.push_back(allowed.data()[cell] != 0);
    for (std::size_t bound = 0; bound < ranges.size(); ++bound)
        require(std::abs(std::int64_t{ranges.data()[bound]}) <= kMaxSum, "bounds are within 2**29");
    for (std::size_t constraint = 0; constraint < ranges.size(); constraint += 2)
        layout.ranges.push_back({ranges.data()[constraint], ranges.data()[constraint + 1]});
    std::int64_t sum = 0;
    for (const auto& [peg, label, constraint, amount] : as_rows(amounts)) {
        require(is_below(peg, pegs) && is_below(label, layout.labels) &&
                    is_below(constraint, layout.ranges.size()),
                "an amount is for an existing peg, label and constraint");
        layout.amounts.push_back({peg, label, constraint, amount});
        sum += std::abs(std::int64_t{amount});
        require(sum <= kMaxSum, "the sum of all absolute amounts is at most 2**29");
    }
    sum = 0;
    for (const auto& [label, count, constraint, amount] : as_rows(steps)) {
        require(is_below(label, layout.labels) && count >= 1 && is_below(count, pegs + 1) &&
                    is_below(constraint, layout.ranges.size()),
                "a step is for an existing label and constraint, and a count from 1 to pegs");
        layout.steps.push_back({label, count, constraint, amount});
        sum += std::abs(std::int64_t{amount});
        require(sum <= kMaxSum, "the sum of all absolute amounts of steps is at most 2**29");
    }
    return layout;
}

// Return an upper bound on the binary logarithm of the number of codes. The argument `bits` of the
// bindings is at least this bound, although 2^n codes need n + 1 bits: the caller rounds up
// (counting/layout.py), and words have a spare bit.
double bits_of_codes(const Layout& layout) {
    double bits = 0;
    for (std::size_t peg = 0; peg < layout.pegs; ++peg) {
        double colors = 0;
        for (std::size_t label = 0; label < layout.labels; ++label)
            if (layout.allows(peg, label)) colors += layout.sizes[label];
        bits += std::log2(std::max(colors, 1.0));
    }
    return bits;
}

// Bind the common interface of counters and diagrams.
template <class Count>
nb::class_<Count> bind(nb::module_& m, const char* name, const char* summary, const char* advance) {
    auto make = [](std::size_t pegs, const Numbers& sizes, const Numbers& once,
                   const Numbers& allowed, const Numbers& amounts, const Numbers& steps,
                   const Numbers& ranges, std::size_t bits, std::size_t memory) {
        Layout layout = make_layout(pegs, sizes, once, allowed, amounts, steps, ranges);
        require(bits_of_codes(layout) <= static_cast<double>(bits),
                "bits is at least the logarithm of the number of all codes");
        return Count::make(std::move(layout), bits, memory);
    };
    return nb::class_<Count>(m, name, summary)
        .def(nb::new_(make), "pegs"_a, "sizes"_a, "once"_a, "allowed"_a, "amounts"_a, "steps"_a,
             "ranges"_a, "bits"_a, "memory"_a)
        .def("advance", &Count::advance, "work"_a, nb::call_guard<nb::gil_scoped_release>(),
             advance)
        .def_prop_ro("count", [](const Count& self) { return as_bytes(self.count()); })
        .def_prop_ro("progress", &Count::progress);
}

}  // namespace

}  // namespace mmsat::counting

void mmsat::bind_counting(nb::module_& m) {
    using namespace counting;
    nb::class_<CountProgress>(m, "CountProgress", "Progress of a count.")
        .def_ro("pegs_done", &CountProgress::num_pegs_done)
        .def_ro("nodes", &CountProgress::num_nodes)
        .def_ro("states", &CountProgress::num_states)
        .def_ro("peak_bytes", &CountProgress::peak_bytes)
        .def_prop_ro("upper_bound",
                     [](const CountProgress& self) { return as_bytes(self.upper_bound); });

    bind<Counter>(m, "Counter",
                  "Counts the codes of a layout, from the first and from the last peg at once.",
                  "Process about `work` list entries and return whether the count is known.");

    bind<Diagram>(m, "Diagram", "The states that lead to the codes of a layout.",
                  "Process about `work` entries and return whether the diagram is complete.")
        .def(
            "options",
            [](const Diagram& self, std::size_t peg, std::size_t node, std::size_t index) {
                nb::list options;
                for (const Option& option : self.options(peg, {node, index}))
                    options.append(nb::make_tuple(option.label, option.next_state.node,
                                                  option.next_state.index,
                                                  as_bytes(option.num_codes)));
                return options;
            },
            "peg"_a, "node"_a, "index"_a,
            "Return, for each label that can follow a state, the label, the node and index of the "
            "next state, and the number of codes.")
        .def(
            "profile",
            [](const Diagram& self, const std::vector<std::int32_t>& fixed) {
                std::vector<std::vector<Word>> counts;
                {
                    nb::gil_scoped_release release;
                    counts = self.profile(fixed);
                }
                nb::list list;
                for (const auto& count : counts) list.append(as_bytes(count));
                return list;
            },
            "fixed"_a,
            "Return, by peg and label, the number of codes with this label and the fixed labels "
            "(-1 if not fixed).");
}
