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
using PlainConstraint = std::tuple<std::vector<std::int32_t>, std::int32_t, std::int32_t>;

// An annealer together with the size of its game, which is needed to validate input.
struct PythonAnnealer {
    std::size_t pegs, colors;
    Annealer annealer;

    static PythonAnnealer make(std::size_t pegs, std::size_t colors, std::uint64_t seed) {
        VariableMap::of(pegs, colors);
        return {pegs, colors, Annealer(pegs, colors, seed)};
    }

    void add(const std::vector<PlainConstraint>& constraints) {
        const VariableMap variables = VariableMap::of(pegs, colors);
        for (const auto& [literals, low, high] : constraints) {
            require(is_within_limits(literals.size(), low, high), kLimitsRule);
            for (std::int32_t literal : literals) variables.check(literal);
        }
        for (const auto& [literals, low, high] : constraints)
            annealer.add({literals, low, high, -1});
    }

    void set_code(Code code) {
        require(code.size() == pegs, "a code has the game's pegs");
        for (std::uint16_t color : code) require(color < colors, "every color is below colors");
        annealer.set_code(std::move(code));
    }

    bool anneal(std::uint64_t steps, std::uint64_t hot, std::uint64_t cold) {
        require(cold <= hot && hot <= kCertain, "cold <= hot <= 2**32");
        nb::gil_scoped_release release;
        return annealer.anneal(steps, hot, cold);
    }

    nb::list sample(std::uint64_t steps, std::uint64_t chance, std::uint64_t gap,
                    std::size_t max_codes) {
        require(chance <= kCertain, "chance <= 2**32");
        std::vector<Code> sampled_codes;
        {
            nb::gil_scoped_release release;
            sampled_codes = annealer.sample(steps, chance, gap, max_codes);
        }
        nb::list codes;
        for (const Code& code : sampled_codes) codes.append(as_tuple(code));
        return codes;
    }
};

}  // namespace

}  // namespace mmsat::search

void mmsat::bind_annealer(nb::module_& m) {
    using namespace search;
    nb::class_<PythonAnnealer>(m, "Annealer", "Simulated annealing over codes.")
        .def(nb::new_(&PythonAnnealer::make), "pegs"_a, "colors"_a, "seed"_a)
        .def("add", &PythonAnnealer::add, "constraints"_a, "Add constraints without conjunctions.")
        .def("set_code", &PythonAnnealer::set_code, "code"_a, "Continue from this code.")
        .def(
            "randomize", [](PythonAnnealer& self) { self.annealer.randomize(); },
            "Continue from a random code.")
        .def("anneal", &PythonAnnealer::anneal, "steps"_a, "hot"_a, "cold"_a,
             "Walk for up to `steps` steps and return whether all constraints are satisfied. The "
             "probability of a step that increases the violation by 1 falls from `hot` to `cold`, "
             "in units of 2**-32.")
        .def("sample", &PythonAnnealer::sample, "steps"_a, "chance"_a, "gap"_a, "max_codes"_a,
             "Return the different codes found that satisfy all constraints, at least `gap` steps "
             "apart.")
        .def_prop_ro("code",
                     [](const PythonAnnealer& self) { return as_tuple(self.annealer.code()); })
        .def_prop_ro(
            "violation", [](const PythonAnnealer& self) { return self.annealer.violation(); },
            "The sum of the violations of all constraints.");
}
