// Python bindings of the enumeration of codes as points of a lattice (lattice.hpp).
#include "lattice/lattice.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "bindings.hpp"

namespace mmsat::lattice {

namespace {

using Weights = Array<const std::int32_t, 2>;
using Probabilities = std::optional<Array<const double, 1>>;
using Totals = std::vector<std::int64_t>;

constexpr std::int64_t kMaxTotal = 1 << 28;  // then products with the largest weight are exact

Lattice make_lattice(std::size_t colors, std::vector<std::vector<std::uint16_t>> allowed,
                     const Weights& weights, const Totals& totals, const Lattice* other,
                     const Probabilities& color_probabilities) {
    require(!allowed.empty(), "allowed has a list for at least one peg");
    require(colors <= 65535, "colors is at most 65535");
    for (const auto& colors_of_peg : allowed) {
        require(!colors_of_peg.empty(), "every list of allowed has a color");
        const auto unordered =
            std::adjacent_find(colors_of_peg.begin(), colors_of_peg.end(), std::greater_equal<>());
        require(unordered == colors_of_peg.end(), "the colors in a list of allowed increase");
        require(colors_of_peg.back() < colors, "the colors in allowed are below colors");
    }
    require(weights.shape(0) == totals.size(), "weights has as many rows as there are totals");
    require(weights.shape(1) == allowed.size() * colors,
            "a row of weights has a number for each color of each peg");
    const auto is_small = [](auto total) { return total > -kMaxTotal && total < kMaxTotal; };
    require(std::all_of(totals.begin(), totals.end(), is_small),
            "totals are above -2**28 and below 2**28");
    std::vector<Equation> equations;
    for (std::size_t index = 0; index < totals.size(); ++index) {
        const std::int32_t* const row = weights.data() + index * weights.shape(1);
        require(std::all_of(row, row + weights.shape(1), [](auto w) { return w > -64 && w < 64; }),
                "weights are from -63 to 63");
        equations.push_back({{row, row + weights.shape(1)}, totals[index]});
    }
    Vector probabilities;
    if (color_probabilities)
        probabilities.assign(color_probabilities->data(),
                             color_probabilities->data() + color_probabilities->size());
    require(!color_probabilities || probabilities.size() == allowed.size() * colors,
            "probabilities has a number for each color of each peg");
    require(std::all_of(probabilities.begin(), probabilities.end(),
                        [](auto probability) { return probability >= 0 && probability <= 1; }),
            "probabilities are from 0 to 1");
    nb::gil_scoped_release release;
    return Lattice(colors, std::move(allowed), equations, other, probabilities);
}

void prune_lattice(Lattice& self, const std::vector<double>& fractions) {
    require(fractions.size() == self.basis().size(),
            "fractions has a number for each vector of the basis");
    self.prune(fractions);
}

SearchStatus advance_lattice(Lattice& self, std::uint64_t max_steps, std::size_t num_threads) {
    require(num_threads >= 1 && num_threads <= 1024, "threads is from 1 to 1024");
    return self.advance(max_steps, num_threads);
}

}  // namespace

}  // namespace mmsat::lattice

void mmsat::bind_lattice(nb::module_& m) {
    using namespace lattice;
    nb::class_<Lattice>(m, "Lattice", "Codes that satisfy linear equations.")
        .def(nb::new_(&make_lattice), "colors"_a, "allowed"_a, "weights"_a, "totals"_a,
             "other"_a = nb::none(), "probabilities"_a = nb::none(),
             "`allowed` has the colors that each peg may have. `weights` has a row for each "
             "equation: at peg * colors + color, the contribution to its total. If `other` allows "
             "the same colors, the reduction starts from its basis, which is faster if most "
             "equations are the same. "
             "`probabilities` has the probability of each color at each peg, which shortens the "
             "search.")
        .def_prop_ro("is_solvable", &Lattice::is_solvable,
                     "Whether integers satisfy the equations.")
        .def_prop_ro("basis", &Lattice::basis,
                     "A basis of the differences between integer solutions.")
        .def("reduce_blocks", &Lattice::reduce_blocks, "block_size"_a, "max_tours"_a,
             nb::call_guard<nb::gil_scoped_release>(),
             "Apply BKZ reduction with blocks of `block_size` vectors. A started search restarts.")
        .def("prune", &prune_lattice, "fractions"_a,
             "Start a search that skips partial points far from the center of all codes. "
             "`fractions` has a number per vector of the basis: the maximum squared distance, as a "
             "fraction between those of the nearest real solution and of the farthest code. If the "
             "search is exhausted, there may still be a code.")
        .def("advance", &advance_lattice, "steps"_a, "threads"_a = 1,
             nb::call_guard<nb::gil_scoped_release>(),
             "Resume the search for the next code, with at most `steps` steps in each thread.")
        .def_prop_ro(
            "code", [](const Lattice& self) { return as_tuple(self.code()); },
            "The last code found; colors are numbered from 0.");
}
