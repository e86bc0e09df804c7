// Python bindings of the searches for separating sets: sets of guesses whose answers distinguish
// all codes.
#include <utility>

#include "bindings.hpp"
#include "separation/columns.hpp"
#include "separation/orbits.hpp"
#include "separation/separation.hpp"

namespace mmsat::separation {

namespace {

void require_guesses(const Guesses& guesses, std::size_t num_guesses) {
    for (const std::uint32_t guess : guesses)
        require(guess < num_guesses, "a guess is an index of the answer table");
}

void require_codes(const Codes& codes, std::size_t num_codes) {
    for (const std::uint32_t code : codes)
        require(code < num_codes, "a code is an index of the answer table");
}

Separation* make_separation(const Array<const Answer, 2>& answers) {
    require(answers.shape(0) >= 1 && answers.shape(0) <= 65535, "there are 1 to 65535 guesses");
    require(answers.shape(1) >= 1 && answers.shape(1) <= 65535, "there are 1 to 65535 codes");
    return new Separation({answers.data(), answers.data() + answers.size()}, answers.shape(0),
                          answers.shape(1));
}

Columns* make_columns(std::size_t rows) {
    require(rows >= 1 && rows <= Columns::kMaxRows, "there are 1 to 9 rows");
    return new Columns(rows);
}

Orbits* make_orbits(const Array<const std::uint8_t, 2>& rows, std::size_t num_values,
                    bool are_columns_alike, Renaming renaming) {
    require(rows.shape(0) >= 1, "there is a guess");
    require(rows.shape(1) >= 1 && rows.shape(1) <= 255, "there are 1 to 255 columns");
    require(num_values >= 1 && num_values <= 255, "there are 1 to 255 values");
    for (std::size_t cell = 0; cell < rows.size(); ++cell)
        require(rows.data()[cell] < num_values, "every cell is below num_values");
    return new Orbits({rows.data(), rows.data() + rows.size()}, rows.shape(1), num_values,
                      are_columns_alike, renaming);
}

}  // namespace

}  // namespace mmsat::separation

void mmsat::bind_separation(nb::module_& m) {
    using namespace separation;
    nb::class_<Separation>(m, "Separation",
                           "Sets of guesses, and the codes that their answers separate.")
        .def(nb::new_(&make_separation), "answers"_a,
             "`answers` has a row for each guess, with the answers of all codes.")
        .def_prop_ro("num_answers", &Separation::num_answers,
                     "The number of different answers to each guess.")
        .def_prop_ro("first_guesses", &Separation::first_guesses,
                     "For each guess, the first guess that separates the same codes.")
        .def_prop_ro("first_codes", &Separation::first_codes,
                     "For each code, the first code that no guess separates from it.")
        .def(
            "unseparated",
            [](const Separation& self, const Guesses& set) {
                require_guesses(set, self.num_guesses());
                return self.unseparated(set);
            },
            "set"_a,
            "Return the classes of two or more codes that the set does not separate, the largest "
            "first.")
        .def(
            "is_symmetry",
            [](const Separation& self, const Guesses& guesses, const Codes& codes) {
                require(guesses.size() == self.num_guesses() && codes.size() == self.num_codes(),
                        "each guess and each code has an image");
                require_guesses(guesses, self.num_guesses());
                require_codes(codes, self.num_codes());
                return self.is_symmetry(guesses, codes);
            },
            "guesses"_a, "codes"_a,
            "Return whether the image of each guess separates the images of two codes exactly if "
            "the guess separates the codes.")
        .def(
            "anneal",
            [](const Separation& self, std::size_t size, std::uint64_t steps, std::uint64_t seed,
               nb::object pause) {
                require(size >= 1 && size <= 4096, "a set has 1 to 4096 guesses");
                require(steps <= std::uint64_t{1} << 32, "steps is at most 2**32");
                const Interrupt interrupt(make_poll(std::move(pause)));
                const nb::gil_scoped_release release;
                return self.anneal(size, steps, seed, interrupt);
            },
            "size"_a, "steps"_a, "seed"_a, "pause"_a = nb::none(),
            "Return a set that separates many codes. `pause` is called at intervals.")
        .def(
            "complete",
            [](Separation& self, const Guesses& chosen, std::size_t max_added,
               const Guesses& allowed, nb::object pause) {
                require_guesses(chosen, self.num_guesses());
                require_guesses(allowed, self.num_guesses());
                const Interrupt interrupt(make_poll(std::move(pause)));
                const nb::gil_scoped_release release;
                return self.complete(chosen, max_added, allowed, interrupt);
            },
            "chosen"_a, "max_added"_a, "allowed"_a, "pause"_a = nb::none(),
            "Return a set of the chosen and up to `max_added` allowed guesses that separates all "
            "codes, or an empty list. `pause` is called at intervals.")
        .def_prop_ro("nodes", &Separation::num_nodes, "The number of sets searched by complete().")
        .def_prop_ro("done", &Separation::fraction_done,
                     "The fraction of the current complete() that is done.");
    nb::class_<Columns>(m, "Columns", "Sets of guesses with two colors, searched peg by peg.")
        .def(nb::new_(&make_columns), "rows"_a, "`rows` is the number of guesses.")
        .def(
            "find",
            [](Columns& self, std::size_t num_columns, std::uint64_t num_skipped,
               nb::object pause) {
                require(num_columns >= 1 && num_columns <= Columns::kMaxColumns,
                        "there are 1 to 14 columns");
                const Interrupt interrupt(make_poll(std::move(pause)));
                const nb::gil_scoped_release release;
                return self.find(num_columns, num_skipped, interrupt);
            },
            "num_columns"_a, "num_skipped"_a = 0, "pause"_a = nb::none(),
            "Return columns that separate all codes, or an empty list. A column has one bit per "
            "row after the first. The first `num_skipped` prefixes are skipped, and `pause` is "
            "called at intervals.")
        .def_prop_ro("prefixes", &Columns::num_prefixes,
                     "The number of prefixes, sets of the first columns, that find() has completed "
                     "or skipped.")
        .def_prop_ro("done", &Columns::fraction_done,
                     "The fraction of the current find() that is done.")
        .def_prop_ro("nodes", &Columns::num_nodes, "The number of sets searched by find().");
    nb::enum_<Renaming>(m, "Renaming", "The renamings of values that are symmetries.")
        .value("NONE", Renaming::none)
        .value("SHARED", Renaming::shared)
        .value("PER_COLUMN", Renaming::per_column);
    nb::class_<Orbits>(m, "Orbits", "Sets of guesses up to symmetry.")
        .def(nb::new_(&make_orbits), "rows"_a, "num_values"_a, "are_columns_alike"_a, "renaming"_a,
             "`rows` has the cells of each guess.")
        .def_prop_ro(
            "orbit_of_guess", &Orbits::orbit_of_guess,
            "The orbit of each guess. Orbits are numbered in the order of their first guesses.")
        .def_prop_ro("columns", &Orbits::num_columns, "The number of cells of a row.")
        .def_prop_ro("renamings", &Orbits::num_renamings,
                     "The number of renamings tried for each order of the guesses.")
        .def(
            "extend",
            [](const Orbits& self, const std::vector<Guesses>& sets, nb::object pause) {
                for (const Guesses& set : sets) require_guesses(set, self.orbit_of_guess().size());
                const Interrupt interrupt(make_poll(std::move(pause)));
                const nb::gil_scoped_release release;
                return self.extend(sets, interrupt);
            },
            "sets"_a, "pause"_a = nb::none(),
            "Return one set of each orbit of sets with one more guess, given one set of each "
            "orbit. "
            "`pause` is called at intervals.");
}
