// Python bindings of scoring and of guess selection.
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>

#include "bindings.hpp"
#include "strategy/chooser.hpp"
#include "strategy/form.hpp"
#include "strategy/grower.hpp"
#include "strategy/scan.hpp"

namespace mmsat::strategy {

namespace {

using Rows = Array<const std::uint8_t, 2>;
using WideRows = Array<const std::uint16_t, 2>;
using Row = Array<const std::uint8_t, 1>;
using Numbers = Array<const std::uint32_t, 1>;
using Answers = Array<std::uint16_t, 1>;
using Histograms = Array<std::uint32_t, 2>;

Form make_form(Kind kind, std::size_t pegs, std::size_t colors, std::size_t shapes) {
    require(kind != Kind::table, "a table has no form of its own");
    require(pegs >= 1 && pegs <= 255, "pegs is 1 to 255");
    require(colors >= 1 && colors <= 256, "colors is 1 to 256");
    require(shapes >= 1 && colors % shapes == 0, "shapes divides colors");
    Form made(kind, pegs, colors, shapes);
    require(!made.is_wide || kind == Kind::black_white, "pairs have at most 5 pegs");
    return made;
}

void check(const Form& form, const std::uint8_t* cells, std::size_t many, std::size_t pegs) {
    require(pegs == form.pegs, "a code has the pegs of the form");
    require(std::all_of(cells, cells + many, [&](auto color) { return color < form.colors; }),
            "every color is below colors");
}

// Codes in columns with the form that scores them. score() and count() are const, so they may run
// in several threads; the bindings release the GIL in them.
struct Scored {
    Form form;
    Columns columns;
};

Scored make_scored(const Form& form, const Rows& codes) {
    check(form, codes.data(), codes.size(), codes.shape(1));
    return {form, Columns(form, codes.data(), codes.shape(0))};
}

void score(const Scored& self, const Row& guess, Answers out) {
    check(self.form, guess.data(), guess.size(), guess.shape(0));
    require(out.shape(0) == self.columns.size, "out has an answer for each code");
    nb::gil_scoped_release release;
    std::vector<std::uint32_t> record(self.form.record());
    self.form.write_record(guess.data(), record.data());
    strategy::answers(self.form, self.columns, record.data(), out.data());
}

void count(const Scored& self, const Rows& codes, Histograms out) {
    check(self.form, codes.data(), codes.size(), codes.shape(1));
    require(out.shape(0) == self.columns.size && out.shape(1) == self.form.answers.size(),
            "out has a row for each guess and a column for each answer");
    nb::gil_scoped_release release;
    const std::size_t record = self.form.record();
    std::vector<std::uint32_t> records(codes.shape(0) * record);
    Codes asked;
    for (std::size_t code = 0; code < codes.shape(0); ++code) {
        std::uint32_t* const to = records.data() + code * record;
        self.form.write_record(codes.data() + code * codes.shape(1), to);
        asked.push_back({to});
    }
    strategy::histograms(self.form, {&self.columns, 0, self.columns.size}, asked, out.data());
}

// A chooser together with the Python table that it points into, which is kept alive here.
struct Player {
    Chooser chooser;
    nb::object table;
};

Player* make_player(const Form& form, Space space, const Rows& codes) {
    check(form, codes.data(), codes.size(), codes.shape(1));
    std::vector<std::uint8_t> rows(codes.data(), codes.data() + codes.size());
    return new Player{Chooser(form, space, std::move(rows), codes.shape(1), {}, check_signals),
                      nb::none()};
}

template <typename Cells>
Player* make_table_player(const Rows& codes, const Cells& table, std::size_t answers,
                          std::uint16_t win) {
    constexpr std::size_t width = sizeof(*table.data());
    require(answers >= 1 && answers <= 65536 && (answers > 256) == (width == 2),
            "a table of up to 256 answers has bytes, of more two");
    require(table.shape(0) == codes.shape(0) && table.shape(1) >= codes.shape(0) &&
                table.shape(1) % 64 == 0,
            "a table has a row for each code and, padded to a multiple of 64, a column");
    require(std::all_of(table.data(), table.data() + table.size(),
                        [&](auto answer) { return answer < answers; }),
            "every answer of a table is below answers");
    std::vector<std::uint8_t> rows(codes.data(), codes.data() + codes.size());
    const Table cells{reinterpret_cast<const std::uint8_t*>(table.data()), table.shape(1)};
    return new Player{Chooser(Form::of_table(answers, win), Space::list, std::move(rows),
                              codes.shape(1), cells, check_signals),
                      nb::cast(table)};
}

std::vector<Code> check_guesses(const Player& self, std::vector<Code> guesses) {
    for (const Code& guess : guesses) {
        require(guess.size() == self.chooser.pegs(), "a guess has the pegs of the codes");
        if (self.chooser.form().kind == Kind::table)
            require(self.chooser.number(guess.data()) < self.chooser.size(),
                    "with a table, a guess is one of the codes");
        else
            check(self.chooser.form(), guess.data(), guess.size(), guess.size());
    }
    return guesses;
}

nb::tuple choose(Player& self, const Rows& codes, std::vector<Code> history, Heuristic heuristic,
                 bool consistent_only) {
    require(codes.shape(1) == self.chooser.pegs(), "a code has the pegs of the game");
    require(codes.shape(0) >= 1, "a code is possible");
    if (self.chooser.form().kind != Kind::table) history = check_guesses(self, std::move(history));
    Code chosen;
    {
        nb::gil_scoped_release release;
        std::vector<std::uint32_t> numbers;
        for (std::size_t code = 0; code < codes.shape(0); ++code)
            numbers.push_back(static_cast<std::uint32_t>(
                self.chooser.number(codes.data() + code * codes.shape(1))));
        for (std::uint32_t number : numbers)
            if (number >= self.chooser.size()) throw std::invalid_argument("a code is of the game");
        chosen = self.chooser.choose(numbers, history, heuristic, consistent_only);
    }
    return as_tuple(chosen);
}

nb::list nodes(const Grower& self) {
    nb::list list;
    for (const Grower::Node& node : self.nodes())
        list.append(nb::make_tuple(as_tuple(node.guess), node.parent, node.answer, node.wins));
    return list;
}

}  // namespace

}  // namespace mmsat::strategy

void mmsat::bind_strategy(nb::module_& m) {
    using namespace strategy;
    nb::enum_<Kind>(m, "Kind")
        .value("BLACK_WHITE", Kind::black_white)
        .value("BLACK", Kind::black)
        .value("COLOR", Kind::color)
        .value("PAIRS", Kind::pairs);
    nb::enum_<Space>(m, "Space")
        .value("REPEATS", Space::repeats)
        .value("DISTINCT", Space::distinct)
        .value("LIST", Space::list);
    nb::enum_<Heuristic>(m, "Heuristic")
        .value("MINIMAX", Heuristic::minimax)
        .value("EXPECTED_SIZE", Heuristic::expected_size)
        .value("ENTROPY", Heuristic::entropy)
        .value("MOST_PARTS", Heuristic::most_parts);

    nb::class_<Form>(m, "Form", "Scoring as sums over columns of codes.")
        .def(nb::new_(&make_form), "kind"_a, "pegs"_a, "colors"_a, "shapes"_a = 1)
        .def_ro("answers", &Form::answers, "All answers in ascending order.")
        .def_ro("win", &Form::win, "The answer to the code itself.");

    nb::class_<Scored>(m, "Scored",
                       "Codes in columns, which are scored against one guess at a time.")
        .def(nb::new_(&make_scored), "form"_a, "codes"_a)
        .def("score", &score, "guess"_a, "out"_a,
             "Write the answer of each code against the guess to `out`.")
        .def("count", &count, "codes"_a, "out"_a,
             "Write to `out`, for each of the `codes` as a guess, the number of codes per answer.");

    nb::class_<Player>(m, "Chooser", "Chooses guesses by heuristics.")
        .def(nb::new_(&make_player), "form"_a, "space"_a, "codes"_a)
        .def(nb::new_(&make_table_player<Rows>), "codes"_a, "table"_a, "answers"_a, "win"_a)
        .def(nb::new_(&make_table_player<WideRows>), "codes"_a, "table"_a, "answers"_a, "win"_a)
        .def("choose", &choose, "codes"_a, "history"_a, "heuristic"_a, "consistent_only"_a,
             "Return the best guess after the guesses `history` if `codes` are possible.");

    nb::class_<Grower>(m, "Grower", "Grows the tree of a heuristic.")
        .def(nb::new_([](Player& player, Heuristic heuristic, std::vector<Code> opening,
                         bool consistent_only) {
                 return new Grower(player.chooser, heuristic,
                                   check_guesses(player, std::move(opening)), consistent_only);
             }),
             "chooser"_a, "heuristic"_a, "opening"_a, "consistent_only"_a, nb::keep_alive<1, 2>())
        .def("advance", &Grower::advance, "work"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Make about `work` more comparisons and return whether the tree is complete.")
        .def_prop_ro("done", &Grower::done, "The number of codes whose last guess is known.")
        .def("nodes", &nodes, "Return guess, parent, answer and wins of each node, parents first.");
}
