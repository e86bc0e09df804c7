// The Python face of the kernels.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "scoring.hpp"
#include "search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

using Codes = nb::ndarray<const std::uint16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Guess = nb::ndarray<const std::uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Scores = nb::ndarray<std::uint16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Histogram = nb::ndarray<std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

static void require(bool kept, const char* rule) {
    if (!kept) throw nb::value_error(rule);
}

static mmsat::Scorer scorer(const Codes& codes, const Guess& guess, std::size_t colors) {
    require(codes.shape(1) == guess.shape(0), "codes and guess have the same number of pegs");
    for (std::size_t peg = 0; peg < guess.shape(0); ++peg)
        require(guess.data()[peg] < colors, "every color of the guess is below colors");
    for (std::size_t cell = 0; cell < codes.size(); ++cell)
        require(codes.data()[cell] < colors, "every color of the codes is below colors");
    return mmsat::Scorer(guess.data(), guess.shape(0), colors);
}

using Claims = std::vector<std::tuple<std::vector<std::int32_t>, std::int32_t, std::int32_t>>;

static void read_claims(const Claims& claims, std::int32_t row, std::int32_t facts,
                        std::vector<mmsat::Claim>& list) {
    for (const auto& [numbers, low, high] : claims) {
        for (std::int32_t fact : numbers)
            require(fact != 0 && fact <= facts && fact >= -facts, "facts are numbers of the game's");
        list.push_back({numbers, low, high, row});
    }
}

static mmsat::Search search(std::size_t pegs, std::size_t colors, const Claims& ground,
                            const std::vector<Claims>& rows, std::uint32_t slack) {
    require(pegs >= 1 && pegs <= 65535, "pegs is 1 to 65535");
    require(colors >= 1 && colors <= 65535, "colors is 1 to 65535");
    require(pegs * colors <= (1u << 29), "pegs times colors is at most 2**29");
    const auto facts = static_cast<std::int32_t>(2 * pegs * colors);
    std::vector<mmsat::Claim> list;
    read_claims(ground, -1, facts, list);
    std::int32_t row = 0;
    for (const Claims& claims : rows) read_claims(claims, row++, facts, list);
    return mmsat::Search(pegs, colors, list, slack);
}

NB_MODULE(_core, m) {
    m.doc() = "Compiled kernels: scoring, partitions, search.";

    m.def(
        "score_all",
        [](const Codes& codes, const Guess& guess, std::size_t colors, Scores out) {
            mmsat::Scorer kernel = scorer(codes, guess, colors);
            require(out.shape(0) == codes.shape(0) && out.shape(1) == 2, "out has shape (codes, 2)");
            nb::gil_scoped_release release;
            kernel.score_all(codes.data(), codes.shape(0), out.data());
        },
        "codes"_a, "guess"_a, "colors"_a, "out"_a,
        "Write the (black, white) score of each code against the guess to `out`.");

    m.def(
        "partition",
        [](const Codes& codes, const Guess& guess, std::size_t colors, Histogram out) {
            mmsat::Scorer kernel = scorer(codes, guess, colors);
            const std::size_t sides = guess.shape(0) + 1;
            require(out.shape(0) == sides && out.shape(1) == sides,
                    "out has shape (pegs + 1, pegs + 1)");
            nb::gil_scoped_release release;
            kernel.partition(codes.data(), codes.shape(0), out.data());
        },
        "codes"_a, "guess"_a, "colors"_a, "out"_a,
        "Add to out[black, white] how many codes get that score from the guess.");

    nb::enum_<mmsat::Status>(m, "Status")
        .value("BUDGET_SPENT", mmsat::Status::budget_spent)
        .value("CODE_FOUND", mmsat::Status::code_found)
        .value("EXHAUSTED", mmsat::Status::exhausted);

    nb::class_<mmsat::Search>(m, "Search", "Codes that satisfy claims, in lexicographic order.")
        .def(nb::new_(&search), "pegs"_a, "colors"_a, "ground"_a, "rows"_a, "slack"_a = 0)
        .def("advance", &mmsat::Search::advance, "nodes"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Go on to the next code, visiting at most `nodes` nodes.")
        .def("count", &mmsat::Search::count, "nodes"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Go on counting codes, visiting at most `nodes` nodes.")
        .def_prop_ro("code",
                     [](const mmsat::Search& self) {
                         nb::list code;
                         for (std::uint16_t color : self.code()) code.append(int{color});
                         return nb::tuple(code);
                     },
                     "The code last found, colors from 0.")
        .def_prop_ro("broken", &mmsat::Search::broken, "Rows that the code last found breaks.")
        .def("set_slack", &mmsat::Search::set_slack, "slack"_a,
             "Let codes break at most so many rows from here on.")
        .def_prop_ro("found", &mmsat::Search::found, "Codes found so far.");
}
