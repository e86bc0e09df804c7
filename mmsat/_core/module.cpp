// The Python face of the kernels.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

#include "search/annealing.hpp"
#include "counting/counting.hpp"
#include "optimal/exact.hpp"
#include "lattice/lattice.hpp"
#include "play/playing.hpp"
#include "proof/proving.hpp"
#include "optimal/responding.hpp"
#include "search/scoring.hpp"
#include "search/search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

using Codes = nb::ndarray<const std::uint16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Guess = nb::ndarray<const std::uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Colors = nb::ndarray<const std::uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
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

static nb::tuple as_tuple(const std::vector<std::uint16_t>& code) {
    nb::list list;
    for (std::uint16_t color : code) list.append(int{color});
    return nb::tuple(list);
}

using Numbers = std::vector<std::int32_t>;
using Fact = std::variant<std::int32_t, Numbers>;
using Claims = std::vector<std::tuple<std::vector<Fact>, std::int32_t, std::int32_t>>;

// The numbers of mmsat.game.literals.
struct Facts {
    std::int32_t pegs;
    std::int32_t colors;

    void check(std::int32_t fact) const {
        const std::int32_t last = 2 * pegs * colors;
        require(fact != 0 && fact <= last && fact >= -last, "facts are numbers of the game's");
    }

    bool is_place(std::int32_t fact) const { return fact > 0 && fact <= pegs * colors; }

    mmsat::Test test(std::int32_t fact) const {
        const std::int32_t number = std::abs(fact) - 1;
        const std::int32_t below = number - pegs * colors;
        mmsat::Test test{0, 0, 0, fact < 0};
        if (below < 0) {
            test.peg = static_cast<std::uint32_t>(number / colors);
            test.color = static_cast<std::uint16_t>(number % colors);
        } else {
            test.count = static_cast<std::uint32_t>(below % pegs + 1);
            test.color = static_cast<std::uint16_t>(below / pegs);
        }
        return test;
    }
};

// A claim with conjunctions waits for a whole code, but what it needs can be looked at on the way:
// where enough conjunctions are true, so are enough of their members, one taken of each. A member
// about a place is taken where there is one, as it is known first.
// Where it matters how far a claim is missed, only the whole code tells of one that is impossible.
static void read_late(const std::vector<Numbers>& conjunctions, std::int32_t low, std::int32_t high,
                      std::int32_t row, const Facts& facts, bool graded, mmsat::Claims& list) {
    mmsat::LateClaim late{{}, low, high, row};
    mmsat::Claim needed{{}, low, 0, row};
    for (const Numbers& members : conjunctions) {
        std::vector<mmsat::Test>& tests = late.conjunctions.emplace_back();
        for (std::int32_t fact : members) tests.push_back(facts.test(fact));
        const auto place = std::find_if(members.begin(), members.end(),
                                        [&](std::int32_t fact) { return facts.is_place(fact); });
        if (members.empty())
            --needed.low;
        else
            needed.facts.push_back(place == members.end() ? members.front() : *place);
    }
    const bool possible = high >= std::max(low, 0) || (graded && row >= 0);
    needed.high = possible ? static_cast<std::int32_t>(needed.facts.size()) : -1;
    list.late.push_back(std::move(late));
    list.early.push_back(std::move(needed));
}

static void read_claims(const Claims& claims, std::int32_t row, const Facts& facts, bool graded,
                        mmsat::Claims& list) {
    for (const auto& [stated, low, high] : claims) {
        bool is_plain = true;
        Numbers plain;
        plain.reserve(stated.size());
        for (const Fact& fact : stated) {
            if (const auto* number = std::get_if<std::int32_t>(&fact)) {
                facts.check(*number);
                plain.push_back(*number);
            } else {
                is_plain = false;
                for (std::int32_t member : std::get<Numbers>(fact)) facts.check(member);
            }
        }
        if (is_plain) {
            list.early.push_back({std::move(plain), low, high, row});
            continue;
        }
        std::vector<Numbers> conjunctions;
        conjunctions.reserve(stated.size());
        for (const Fact& fact : stated) {
            if (const auto* number = std::get_if<std::int32_t>(&fact))
                conjunctions.push_back({*number});
            else
                conjunctions.push_back(std::get<Numbers>(fact));
        }
        read_late(conjunctions, low, high, row, facts, graded, list);
    }
}

static mmsat::Table read_table(const Colors& table, std::size_t pegs, std::size_t colors) {
    const std::uint16_t* const begin = table.data();
    const std::uint16_t* const end = begin + table.size();
    require(table.size() % pegs == 0, "every code of the table has the game's pegs");
    require(std::all_of(begin, end, [&](std::uint16_t color) { return color < colors; }),
            "every color of the table is below colors");
    for (std::size_t next = pegs; next < table.size(); next += pegs) {
        const std::uint16_t* const code = begin + next;
        require(std::lexicographical_compare(code - pegs, code, code, code + pegs),
                "the codes of the table are in order and distinct");
    }
    return mmsat::Table(begin, end);
}

static mmsat::Search search(std::size_t pegs, std::size_t colors, const Claims& ground,
                            const std::vector<Claims>& rows, std::uint32_t slack,
                            const std::optional<Colors>& table, bool graded) {
    require(pegs >= 1 && pegs <= 65535, "pegs is 1 to 65535");
    require(colors >= 1 && colors <= 65535, "colors is 1 to 65535");
    require(pegs * colors <= (1u << 29), "pegs times colors is at most 2**29");
    const Facts facts{static_cast<std::int32_t>(pegs), static_cast<std::int32_t>(colors)};
    mmsat::Claims list;
    read_claims(ground, -1, facts, graded, list);
    std::int32_t row = 0;
    for (const Claims& claims : rows) read_claims(claims, row++, facts, graded, list);
    std::optional<mmsat::Table> codes;
    if (table) codes = read_table(*table, pegs, colors);
    return mmsat::Search(pegs, colors, std::move(list), slack, std::move(codes), graded);
}

using Weights = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Totals = std::vector<std::int64_t>;

static mmsat::Lattice lattice(std::size_t colors, std::vector<std::vector<std::uint16_t>> allowed,
                              const Weights& weights, const Totals& totals) {
    require(!allowed.empty(), "there is a peg");
    for (const auto& each : allowed) {
        require(!each.empty(), "every peg may have a color");
        const auto unordered = std::adjacent_find(each.begin(), each.end(), std::greater_equal<>());
        require(unordered == each.end(), "the colors of a peg are in order and distinct");
        require(each.back() < colors, "every color is below colors");
    }
    require(weights.shape(0) == totals.size(), "every equation has its total");
    require(weights.shape(1) == allowed.size() * colors,
            "an equation weighs each color of each peg");
    std::vector<mmsat::Equation> equations;
    for (std::size_t index = 0; index < totals.size(); ++index) {
        const std::int32_t* const row = weights.data() + index * weights.shape(1);
        require(
            std::all_of(row, row + weights.shape(1), [](auto w) { return std::abs(w) < 1 << 6; }),
            "weights are small");
        equations.push_back({{row, row + weights.shape(1)}, totals[index]});
    }
    nb::gil_scoped_release release;
    return mmsat::Lattice(colors, std::move(allowed), equations);
}

static mmsat::Status advance_lattice(mmsat::Lattice& self, std::uint64_t steps,
                                     std::size_t threads) {
    if (threads < 1) throw nb::value_error("there is a thread");
    return self.advance(steps, threads);
}

NB_MODULE(_core, m) {
    m.doc() = "Compiled kernels: scoring, partitions, search, lattices.";

    m.def(
        "score_all",
        [](const Codes& codes, const Guess& guess, std::size_t colors, Scores out) {
            mmsat::Scorer kernel = scorer(codes, guess, colors);
            require(out.shape(0) == codes.shape(0) && out.shape(1) == 2,
                    "out has shape (codes, 2)");
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
        .def(
            nb::new_(&search), "pegs"_a, "colors"_a, "ground"_a, "rows"_a, "slack"_a = 0,
            "table"_a = nb::none(), "graded"_a = false,
            "A table is the colors of the only codes there are, code after code, in order. Graded, "
            "a broken row counts for how far its claims are missed.")
        .def("advance", &mmsat::Search::advance, "nodes"_a,
             nb::call_guard<nb::gil_scoped_release>(),
             "Go on to the next code, visiting at most `nodes` nodes.")
        .def("count", &mmsat::Search::count, "nodes"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Go on counting codes, visiting at most `nodes` nodes.")
        .def_prop_ro(
            "code", [](const mmsat::Search& self) { return as_tuple(self.code()); },
            "The code last found, colors from 0.")
        .def_prop_ro("broken", &mmsat::Search::broken, "Rows that the code last found breaks.")
        .def("set_slack", &mmsat::Search::set_slack, "slack"_a,
             "Let codes break at most so many rows from here on.")
        .def_prop_ro("found", &mmsat::Search::found, "Codes found so far.");

    nb::class_<mmsat::Lattice>(m, "Lattice", "Codes that satisfy linear equations.")
        .def(nb::new_(&lattice), "colors"_a, "allowed"_a, "weights"_a, "totals"_a,
             "For each peg the colors that it may have; by equation, peg times colors plus color: "
             "what that adds to its total.")
        .def_prop_ro("is_solvable", &mmsat::Lattice::is_solvable,
                     "Whether whole numbers satisfy the equations at all.")
        .def_prop_ro("basis", &mmsat::Lattice::basis,
                     "The vectors that lead from one whole solution to all others.")
        .def("replace", &mmsat::Lattice::replace, "basis"_a,
             "Take another basis of the same lattice, before the search begins.")
        .def("reduce_blocks", &mmsat::Lattice::reduce_blocks, "block"_a, "tours"_a,
             nb::call_guard<nb::gil_scoped_release>(),
             "Shorten the basis by blocks of so many vectors, before the search begins.")
        .def("advance", &advance_lattice, "steps"_a, "threads"_a = 1,
             nb::call_guard<nb::gil_scoped_release>(),
             "Go on to the next code, with at most `steps` steps in each of so many threads.")
        .def_prop_ro(
            "code", [](const mmsat::Lattice& self) { return as_tuple(self.code()); },
            "The code last found, colors from 0.");

    bind_counting(m);
    bind_proving(m);
    bind_annealing(m);
    add_playing(m);
    add_exact(m);
    add_responding(m);
}
