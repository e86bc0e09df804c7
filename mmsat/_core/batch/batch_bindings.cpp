#include "batch/batch.hpp"

#include <algorithm>

#include "bindings.hpp"

namespace mmsat::batch {

namespace {

using Bytes = Array<const std::uint8_t, 1>;
using Table = Array<const std::uint8_t, 2>;
using Numbers = Array<const std::uint32_t, 1>;
using Starts = Array<const std::int64_t, 1>;
using Counts = Array<std::uint32_t, 1>;

// A batch, and the table that it reads.
struct OnTable {
    TableBatch batch;
    std::size_t guesses;
    nb::object table;
};

struct OnLists {
    ListBatch batch;
    std::size_t pegs, colors;
};

Boards check(const Starts& starts, std::size_t rows, const Counts& out) {
    require(starts.shape(0) == out.shape(0) + 1, "there is a start for each board, and the end");
    const std::int64_t* const begin = starts.data();
    require(begin[0] == 0 && std::is_sorted(begin, begin + starts.shape(0)) &&
                begin[starts.shape(0) - 1] == static_cast<std::int64_t>(rows),
            "starts ascend from 0 to the number of rows");
    return {begin, out.shape(0)};
}

OnTable* make_table(const Table& table, std::size_t codes) {
    require(table.shape(1) % 64 == 0 && codes <= table.shape(1) && codes >= 1,
            "a row has a byte for each code, padded to a multiple of 64");
    return new OnTable{TableBatch(table.data(), codes, table.shape(1)), table.shape(0),
                       nb::cast(table)};
}

void count_table(const OnTable& self, const Numbers& guesses, const Bytes& answers,
                 const Starts& starts, bool any, Counts out) {
    const Boards boards = check(starts, guesses.shape(0), out);
    require(answers.shape(0) == guesses.shape(0), "every row has an answer");
    require(std::all_of(guesses.data(), guesses.data() + guesses.size(),
                        [&](auto guess) { return guess < self.guesses; }),
            "every guess has a row in the table");
    nb::gil_scoped_release release;
    self.batch.count(guesses.data(), answers.data(), boards, any, out.data());
}

OnLists* make_lists(const Table& codes, std::size_t colors, std::uint32_t of_black,
                    std::uint32_t of_common) {
    require(codes.shape(1) >= 1 && codes.shape(1) <= 7, "pegs is 1 to 7");
    require(colors >= 1 && colors <= 8, "colors is 1 to 8");
    require((of_black + of_common) * codes.shape(1) < 255, "answers are below 255");
    require(std::all_of(codes.data(), codes.data() + codes.size(),
                        [&](auto color) { return color < colors; }),
            "every color is below colors");
    const std::size_t pegs = codes.shape(1);
    return new OnLists{ListBatch(codes.data(), codes.shape(0), pegs, colors, of_black, of_common),
                       pegs, colors};
}

void count_lists(const OnLists& self, const Table& guesses, const Bytes& answers,
                 const Starts& starts, bool any, Counts out) {
    const Boards boards = check(starts, guesses.shape(0), out);
    require(answers.shape(0) == guesses.shape(0), "every row has an answer");
    require(guesses.shape(1) == self.pegs, "a guess has the pegs of the codes");
    require(std::all_of(guesses.data(), guesses.data() + guesses.size(),
                        [&](auto color) { return color < self.colors; }),
            "every color is below colors");
    nb::gil_scoped_release release;
    self.batch.count(guesses.data(), answers.data(), boards, any, out.data());
}

}  // namespace

}  // namespace mmsat::batch

void mmsat::bind_batch(nb::module_& m) {
    using namespace batch;
    nb::class_<OnTable>(m, "TableBatch", "Boards in bulk, by a table of all answers.")
        .def(nb::new_(&make_table), "table"_a, "codes"_a)
        .def("count", &count_table, "guesses"_a, "answers"_a, "starts"_a, "any"_a, "out"_a,
             "Write to `out` how many codes give a board's answers, or whether any does.");
    nb::class_<OnLists>(m, "ListBatch", "Boards in bulk, where pegs are alike, and colors.")
        .def(nb::new_(&make_lists), "codes"_a, "colors"_a, "of_black"_a, "of_common"_a)
        .def("count", &count_lists, "guesses"_a, "answers"_a, "starts"_a, "any"_a, "out"_a,
             "Write to `out` how many codes give a board's answers, or whether any does.");
}
