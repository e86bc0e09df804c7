#include "playing.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

#include "chooser.hpp"
#include "form.hpp"
#include "grower.hpp"
#include "scan.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Rows = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using WideRows = nb::ndarray<const std::uint16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Row = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Answers = nb::ndarray<std::uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Histograms = nb::ndarray<std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void require(bool kept, const char* rule) {
    if (!kept) throw nb::value_error(rule);
}

mmsat::Form form(mmsat::Kind kind, std::size_t pegs, std::size_t colors, std::size_t shapes) {
    require(kind != mmsat::Kind::table, "a table has no form of its own");
    require(pegs >= 1 && pegs <= 255, "pegs is 1 to 255");
    require(colors >= 1 && colors <= 256, "colors is 1 to 256");
    require(shapes >= 1 && colors % shapes == 0, "shapes divides colors");
    mmsat::Form made(kind, pegs, colors, shapes);
    require(!made.is_wide || kind == mmsat::Kind::black_white, "pairs have at most 5 pegs");
    return made;
}

void check(const mmsat::Form& form, const std::uint8_t* cells, std::size_t many, std::size_t pegs) {
    require(pegs == form.pegs, "a code has the pegs of the form");
    require(std::all_of(cells, cells + many, [&](auto color) { return color < form.colors; }),
            "every color is below colors");
}

nb::tuple as_tuple(const mmsat::Code& code) {
    nb::list list;
    for (std::uint8_t color : code) list.append(int{color});
    return nb::tuple(list);
}

// Codes in columns, with the form in which they are scored.
struct Scored {
    mmsat::Form form;
    mmsat::Columns columns;
};

Scored scored(const mmsat::Form& form, const Rows& codes) {
    check(form, codes.data(), codes.size(), codes.shape(1));
    return {form, mmsat::Columns(form, codes.data(), codes.shape(0))};
}

void score(const Scored& self, const Row& guess, Answers out) {
    check(self.form, guess.data(), guess.size(), guess.shape(0));
    require(out.shape(0) == self.columns.size, "out has an answer for each code");
    nb::gil_scoped_release release;
    std::vector<std::uint32_t> record(self.form.record());
    self.form.write_record(guess.data(), record.data());
    mmsat::answers(self.form, self.columns, record.data(), out.data());
}

void count(const Scored& self, const Rows& codes, Histograms out) {
    check(self.form, codes.data(), codes.size(), codes.shape(1));
    require(out.shape(0) == self.columns.size && out.shape(1) == self.form.answers.size(),
            "out has a row for each guess and a column for each answer");
    nb::gil_scoped_release release;
    const std::size_t record = self.form.record();
    std::vector<std::uint32_t> records(codes.shape(0) * record);
    mmsat::Codes asked;
    for (std::size_t code = 0; code < codes.shape(0); ++code) {
        std::uint32_t* const to = records.data() + code * record;
        self.form.write_record(codes.data() + code * codes.shape(1), to);
        asked.push_back({to});
    }
    mmsat::histograms(self.form, {&self.columns, 0, self.columns.size}, asked, out.data());
}

// A chooser, and the table that it reads.
struct Player {
    mmsat::Chooser chooser;
    nb::object table;
};

// Ctrl-C ends long work.
void pause() {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

Player* player(const mmsat::Form& form, mmsat::Space space, const Rows& codes) {
    check(form, codes.data(), codes.size(), codes.shape(1));
    std::vector<std::uint8_t> rows(codes.data(), codes.data() + codes.size());
    return new Player{mmsat::Chooser(form, space, std::move(rows), codes.shape(1), {}, pause),
                      nb::none()};
}

template <typename Cells>
Player* player_of_table(const Rows& codes, const Cells& table, std::size_t answers,
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
    const mmsat::Table cells{reinterpret_cast<const std::uint8_t*>(table.data()), table.shape(1)};
    return new Player{mmsat::Chooser(mmsat::Form::of_table(answers, win), mmsat::Space::list,
                                     std::move(rows), codes.shape(1), cells, pause),
                      nb::cast(table)};
}

std::vector<mmsat::Code> checked(const Player& self, std::vector<mmsat::Code> guesses) {
    for (const mmsat::Code& guess : guesses) {
        require(guess.size() == self.chooser.pegs(), "a guess has the pegs of the codes");
        if (self.chooser.form().kind == mmsat::Kind::table)
            require(self.chooser.number(guess.data()) < self.chooser.size(),
                    "with a table, a guess is one of the codes");
        else
            check(self.chooser.form(), guess.data(), guess.size(), guess.size());
    }
    return guesses;
}

nb::tuple choose(Player& self, const Rows& codes, std::vector<mmsat::Code> history,
                 mmsat::Heuristic heuristic, bool consistent_only) {
    require(codes.shape(1) == self.chooser.pegs(), "a code has the pegs of the game");
    require(codes.shape(0) >= 1, "a code is possible");
    if (self.chooser.form().kind != mmsat::Kind::table) history = checked(self, std::move(history));
    mmsat::Code chosen;
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

nb::list nodes(const mmsat::Grower& self) {
    nb::list list;
    for (const mmsat::Grower::Node& node : self.nodes())
        list.append(nb::make_tuple(as_tuple(node.guess), node.parent, node.answer, node.wins));
    return list;
}

}  // namespace

void add_playing(nb::module_& m) {
    nb::enum_<mmsat::Kind>(m, "Kind")
        .value("BLACK_WHITE", mmsat::Kind::black_white)
        .value("BLACK", mmsat::Kind::black)
        .value("COLOR", mmsat::Kind::color)
        .value("PAIRS", mmsat::Kind::pairs);
    nb::enum_<mmsat::Space>(m, "Space")
        .value("REPEATS", mmsat::Space::repeats)
        .value("DISTINCT", mmsat::Space::distinct)
        .value("LIST", mmsat::Space::list);
    nb::enum_<mmsat::Heuristic>(m, "Heuristic")
        .value("MINIMAX", mmsat::Heuristic::minimax)
        .value("EXPECTED_SIZE", mmsat::Heuristic::expected_size)
        .value("ENTROPY", mmsat::Heuristic::entropy)
        .value("MOST_PARTS", mmsat::Heuristic::most_parts);

    nb::class_<mmsat::Form>(m, "Form", "How a kind of scoring is computed.")
        .def(nb::new_(&form), "kind"_a, "pegs"_a, "colors"_a, "shapes"_a = 1)
        .def_ro("answers", &mmsat::Form::answers, "The answers that may be got, ascending.")
        .def_ro("win", &mmsat::Form::win, "The answer of the code itself.");

    nb::class_<Scored>(m, "Scored", "Codes laid out to be scored, all against one guess.")
        .def(nb::new_(&scored), "form"_a, "codes"_a)
        .def("score", &score, "guess"_a, "out"_a,
             "Write the answer of each code against the guess to `out`.")
        .def("count", &count, "codes"_a, "out"_a,
             "Take these as guesses; write how many of the codes get each answer from each.");

    nb::class_<Player>(m, "Chooser", "Chooses guesses by heuristics.")
        .def(nb::new_(&player), "form"_a, "space"_a, "codes"_a)
        .def(nb::new_(&player_of_table<Rows>), "codes"_a, "table"_a, "answers"_a, "win"_a)
        .def(nb::new_(&player_of_table<WideRows>), "codes"_a, "table"_a, "answers"_a, "win"_a)
        .def("choose", &choose, "codes"_a, "history"_a, "heuristic"_a, "consistent_only"_a,
             "The guess after some guesses, where these codes are possible.");

    nb::class_<mmsat::Grower>(m, "Grower", "Grows the tree of a heuristic.")
        .def(nb::new_([](Player& player, mmsat::Heuristic heuristic,
                         std::vector<mmsat::Code> opening, bool consistent_only) {
                 return new mmsat::Grower(player.chooser, heuristic,
                                          checked(player, std::move(opening)), consistent_only);
             }),
             "chooser"_a, "heuristic"_a, "opening"_a, "consistent_only"_a, nb::keep_alive<1, 2>())
        .def("advance", &mmsat::Grower::advance, "work"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Go on for about so many comparisons; returns whether all is done.")
        .def_prop_ro("done", &mmsat::Grower::done, "Codes whose last guess is known.")
        .def("nodes", &nodes, "Guess, parent, answer, wins of each node, parents first.");
}
