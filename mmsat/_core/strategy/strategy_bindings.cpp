// Python bindings of scoring (form.hpp), guess selection (chooser.hpp) and strategy trees
// (tree_builder.hpp). A record is a code in a form that is fast to score against columns of codes.
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "bindings.hpp"
#include "strategy/chooser.hpp"
#include "strategy/form.hpp"
#include "strategy/scan.hpp"
#include "strategy/tree_builder.hpp"

namespace mmsat::strategy {

namespace {

using Rows = Array<const std::uint8_t, 2>;
using WideRows = Array<const std::uint16_t, 2>;
using Row = Array<const std::uint8_t, 1>;
using Numbers = Array<const std::uint32_t, 1>;
using Answers = Array<std::uint16_t, 1>;
using Histograms = Array<std::uint32_t, 2>;

// Tables are refused because a chooser with a table makes its form itself (`Form::of_table`).
Form make_form(Kind kind, std::size_t pegs, std::size_t colors, std::size_t shapes) {
    require(kind != Kind::table, "a table has no form of its own");
    require(pegs >= 1 && pegs <= 255, "pegs is 1 to 255");
    require(colors >= 1 && colors <= 256, "colors is 1 to 256");
    require(shapes >= 1 && colors % shapes == 0, "shapes divides colors");
    Form form(kind, pegs, colors, shapes);
    // A wide form has answers of two bytes. Apart from black-white, only pairs of more than 5 pegs
    // need them; they are not supported.
    require(!form.is_wide || kind == Kind::black_white, "pairs have at most 5 pegs");
    return form;
}

void check_codes(const Form& form, const std::uint8_t* cells, std::size_t num_cells,
                 std::size_t pegs) {
    require(pegs == form.pegs, "a code has the pegs of the form");
    require(std::all_of(cells, cells + num_cells, [&](auto color) { return color < form.colors; }),
            "every color is below colors");
}

// Codes in columns, with the form that scores them. score() and count() release the GIL and do not
// change the object, so several threads may call them.
struct Scored {
    Form form;
    Columns columns;
};

Scored make_scored(const Form& form, const Rows& codes) {
    check_codes(form, codes.data(), codes.size(), codes.shape(1));
    return {form, Columns(form, codes.data(), codes.shape(0))};
}

void score(const Scored& self, const Row& guess, Answers out) {
    check_codes(self.form, guess.data(), guess.size(), guess.shape(0));
    require(out.shape(0) == self.columns.size, "out has an answer for each code");
    nb::gil_scoped_release release;
    std::vector<std::uint32_t> record(self.form.record_words());
    self.form.write_record(guess.data(), record.data());
    strategy::answers(self.form, self.columns, record.data(), out.data());
}

void count(const Scored& self, const Rows& codes, Histograms out) {
    check_codes(self.form, codes.data(), codes.size(), codes.shape(1));
    require(out.shape(0) == self.columns.size && out.shape(1) == self.form.answers.size(),
            "out has a row for each guess and a column for each answer");
    nb::gil_scoped_release release;
    const std::size_t record_words = self.form.record_words();
    std::vector<std::uint32_t> records(codes.shape(0) * record_words);
    Codes scanned_codes;
    for (std::size_t code = 0; code < codes.shape(0); ++code) {
        std::uint32_t* const record = records.data() + code * record_words;
        self.form.write_record(codes.data() + code * codes.shape(1), record);
        scanned_codes.push_back({record});
    }
    strategy::histograms(self.form, {&self.columns, 0, self.columns.size}, scanned_codes,
                         out.data());
}

// A chooser together with the Python table that it points into.
struct PythonChooser {
    Chooser chooser;
    nb::object table;
};

PythonChooser* make_chooser(const Form& form, Space space, const Rows& codes) {
    check_codes(form, codes.data(), codes.size(), codes.shape(1));
    std::vector<std::uint8_t> rows(codes.data(), codes.data() + codes.size());
    return new PythonChooser{
        Chooser(form, space, std::move(rows), codes.shape(1), {}, check_signals), nb::none()};
}

template <typename Cells>
PythonChooser* make_table_chooser(const Rows& codes, const Cells& table, std::size_t num_answers,
                                  std::uint16_t win) {
    constexpr std::size_t width = sizeof(*table.data());
    require(num_answers >= 1 && num_answers <= 65536 && (num_answers > 256) == (width == 2),
            "a table has one byte per answer if there are up to 256 answers, otherwise two");
    require(table.shape(0) == codes.shape(0) && table.shape(1) >= codes.shape(0) &&
                table.shape(1) % 64 == 0,
            "a table has a row for each code and, padded to a multiple of 64, a column");
    require(std::all_of(table.data(), table.data() + table.size(),
                        [&](auto answer) { return answer < num_answers; }),
            "every answer of a table is below answers");
    std::vector<std::uint8_t> rows(codes.data(), codes.data() + codes.size());
    const Table cells{reinterpret_cast<const std::uint8_t*>(table.data()), table.shape(1)};
    return new PythonChooser{Chooser(Form::of_table(num_answers, win), Space::list, std::move(rows),
                                     codes.shape(1), cells, check_signals),
                             nb::cast(table)};
}

std::vector<Code> check_guesses(const PythonChooser& self, std::vector<Code> guesses) {
    for (const Code& guess : guesses) {
        require(guess.size() == self.chooser.pegs(), "a guess has the pegs of the codes");
        if (self.chooser.scoring_form().kind == Kind::table)
            require(self.chooser.index_of(guess.data()) < self.chooser.size(),
                    "with a table, a guess is one of the codes");
        else
            check_codes(self.chooser.scoring_form(), guess.data(), guess.size(), guess.size());
    }
    return guesses;
}

nb::tuple choose(PythonChooser& self, const Rows& codes, std::vector<Code> history,
                 Heuristic heuristic, bool consistent_only) {
    require(codes.shape(1) == self.chooser.pegs(), "a code has the pegs of the game");
    require(codes.shape(0) >= 1, "there is a possible code");
    // With a table, symmetry is not used, and so the history is neither used nor checked.
    if (self.chooser.scoring_form().kind != Kind::table)
        history = check_guesses(self, std::move(history));
    Code guess;
    {
        nb::gil_scoped_release release;
        std::vector<std::uint32_t> code_indices;
        for (std::size_t code = 0; code < codes.shape(0); ++code)
            code_indices.push_back(static_cast<std::uint32_t>(
                self.chooser.index_of(codes.data() + code * codes.shape(1))));
        for (std::uint32_t index : code_indices)
            if (index >= self.chooser.size())
                throw std::invalid_argument("every code is one of the game");
        guess = self.chooser.choose(code_indices, history, heuristic, consistent_only);
    }
    return as_tuple(guess);
}

// Return one tuple per node. `answer` is the answer to the parent's guess, and `wins` is the number
// of codes for which the game ends at the node.
nb::list nodes(const TreeBuilder& self) {
    nb::list list;
    for (const TreeBuilder::Node& node : self.nodes())
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
             "Write to `out`, for each code of this object as a guess, the number of `codes` per "
             "answer.");

    nb::class_<PythonChooser>(m, "Chooser", "Chooses guesses by heuristics.")
        .def(nb::new_(&make_chooser), "form"_a, "space"_a, "codes"_a)
        .def(nb::new_(&make_table_chooser<Rows>), "codes"_a, "table"_a, "answers"_a, "win"_a)
        .def(nb::new_(&make_table_chooser<WideRows>), "codes"_a, "table"_a, "answers"_a, "win"_a)
        .def("choose", &choose, "codes"_a, "history"_a, "heuristic"_a, "consistent_only"_a,
             "Return the best guess after the guesses `history` if `codes` are possible.");

    nb::class_<TreeBuilder>(m, "TreeBuilder", "Builds the strategy tree of a heuristic.")
        .def(nb::new_([](PythonChooser& self, Heuristic heuristic, std::vector<Code> opening,
                         bool consistent_only) {
                 return new TreeBuilder(self.chooser, heuristic,
                                        check_guesses(self, std::move(opening)), consistent_only);
             }),
             "chooser"_a, "heuristic"_a, "opening"_a, "consistent_only"_a, nb::keep_alive<1, 2>())
        .def("advance", &TreeBuilder::advance, "work"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Make about `work` more comparisons and return whether the tree is complete.")
        // The game ends for these codes at one of the nodes so far.
        .def_prop_ro("done", &TreeBuilder::num_finished,
                     "The number of codes whose last guess is known.")
        .def("nodes", &nodes, "Return guess, parent, answer and wins of each node, parents first.");
}
