// Python bindings of the annealer.
#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "search/annealer.hpp"
#include "search/variable_map.hpp"

namespace mmsat::search {

namespace {

using Code = std::vector<std::uint16_t>;
using Plain = std::tuple<std::vector<std::int32_t>, std::int32_t, std::int32_t>;

// An annealer with the size of its game, against which all input is checked.
struct Annealing {
    std::size_t pegs, colors;
    Annealer walk;

    static Annealing make(std::size_t pegs, std::size_t colors, std::uint64_t seed) {
        VariableMap::of(pegs, colors);
        return {pegs, colors, Annealer(pegs, colors, seed)};
    }

    void add(const std::vector<Plain>& constraints) {
        const VariableMap variables = VariableMap::of(pegs, colors);
        for (const auto& [literals, low, high] : constraints) {
            require(is_small(literals.size(), low, high), kSmall);
            for (std::int32_t literal : literals) variables.check(literal);
        }
        for (const auto& [literals, low, high] : constraints) walk.add({literals, low, high, -1});
    }

    void place(Code code) {
        require(code.size() == pegs, "a code has the game's pegs");
        for (std::uint16_t color : code) require(color < colors, "every color is below colors");
        walk.place(std::move(code));
    }

    bool cool(std::uint64_t steps, std::uint64_t hot, std::uint64_t cold) {
        require(cold <= hot && hot <= kSure, "cold <= hot <= 2**32");
        nb::gil_scoped_release release;
        return walk.cool(steps, hot, cold);
    }

    nb::list collect(std::uint64_t steps, std::uint64_t chance, std::uint64_t gap,
                     std::size_t most) {
        require(chance <= kSure, "chance <= 2**32");
        std::vector<Code> found;
        {
            nb::gil_scoped_release release;
            found = walk.collect(steps, chance, gap, most);
        }
        nb::list codes;
        for (const Code& code : found) codes.append(as_tuple(code));
        return codes;
    }
};

}  // namespace

}  // namespace mmsat::search

void mmsat::bind_annealer(nb::module_& m) {
    using namespace search;
    nb::class_<Annealing>(m, "Annealer", "A walk in search of codes that satisfy constraints.")
        .def(nb::new_(&Annealing::make), "pegs"_a, "colors"_a, "seed"_a)
        .def("add", &Annealing::add, "constraints"_a,
             "Ask for more: constraints of literals, none together.")
        .def("place", &Annealing::place, "code"_a, "Go on from this code.")
        .def(
            "scatter", [](Annealing& self) { self.walk.scatter(); }, "Go on from any code.")
        .def("cool", &Annealing::cool, "steps"_a, "hot"_a, "cold"_a,
             "Walk until all constraints are satisfied, which is told, or the steps are done. "
             "Chances of "
             "a step that is worse by one are out of 2**32.")
        .def("collect", &Annealing::collect, "steps"_a, "chance"_a, "gap"_a, "most"_a,
             "Codes met that satisfy all constraints, each once, with so many steps between two.")
        .def_prop_ro("code", [](const Annealing& self) { return as_tuple(self.walk.code()); })
        .def_prop_ro(
            "missed", [](const Annealing& self) { return self.walk.missed(); },
            "By how much the constraints are missed, added up.");
}
