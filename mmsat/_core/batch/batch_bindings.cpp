// Python bindings of boards in bulk.
#include <algorithm>
#include <memory>

#include "batch/batch.hpp"
#include "batch/lines.hpp"
#include "batch/translator.hpp"
#include "bindings.hpp"

namespace mmsat::batch {

namespace {

using Bytes = Array<const std::uint8_t, 1>;
using Table = Array<const std::uint8_t, 2>;
using Numbers = Array<const std::uint32_t, 1>;
using Starts = Array<const std::int64_t, 1>;
using Counts = Array<std::uint32_t, 1>;

// A batch together with the Python table that it points into.
struct PythonBatch {
    std::unique_ptr<Batch> batch;
    nb::object table;
    std::size_t pegs;
};

Boards check_boards(const PythonBatch& self, const Numbers& row_guesses, const Bytes& answers,
                    const Starts& starts, std::size_t num_boards) {
    require(starts.shape(0) == num_boards + 1, "there is a start for each board, and the end");
    const std::int64_t* const begin = starts.data();
    require(begin[0] == 0 && std::is_sorted(begin, begin + num_boards + 1) &&
                begin[num_boards] == static_cast<std::int64_t>(row_guesses.shape(0)),
            "starts ascend from 0 to the number of rows");
    require(answers.shape(0) == row_guesses.shape(0), "every row has an answer");
    require(std::all_of(row_guesses.data(), row_guesses.data() + row_guesses.size(),
                        [&](auto guess) { return self.batch->is_guess(guess); }),
            "every guess is one of the game");
    return {row_guesses.data(), answers.data(), begin, num_boards};
}

// Return whether every board has between `min_rows` and `max_rows` rows.
bool have_num_rows(const Boards& boards, std::int64_t min_rows, std::int64_t max_rows) {
    for (std::size_t board = 0; board < boards.num_boards; ++board) {
        const auto num_rows = boards.starts[board + 1] - boards.starts[board];
        if (num_rows < min_rows || num_rows > max_rows) return false;
    }
    return true;
}

PythonBatch* make_table(const Table& table, const Array<const std::uint16_t, 2>& colors) {
    const std::size_t codes = colors.shape(0);
    require(table.shape(1) % 64 == 0 && codes <= table.shape(1) && codes >= 1,
            "a row has a byte for each code, padded to a multiple of 64");
    require(codes <= table.shape(0), "there is a row for each code");
    require(colors.shape(1) >= 1, "a code has pegs");
    return new PythonBatch{std::make_unique<TableBatch>(table.data(), codes, table.shape(1),
                                                        colors.data(), colors.shape(1)),
                           nb::cast(table), colors.shape(1)};
}

constexpr std::size_t kMaxCodes = std::size_t{1} << 24;

PythonBatch* make_lists(const Table& codes, std::size_t colors, std::uint32_t black_factor,
                        std::uint32_t common_factor) {
    require(codes.shape(1) >= 1 && codes.shape(1) <= 7, "pegs is 1 to 7");
    require(codes.shape(0) >= 1 && colors >= 1 && colors <= 8, "colors is 1 to 8");
    require(codes.shape(0) <= kMaxCodes, "there are at most 2**24 codes");
    require(black_factor < 255 && common_factor < 255 &&
                (black_factor + common_factor) * codes.shape(1) < 255,
            "answers are below 255");
    require(std::all_of(codes.data(), codes.data() + codes.size(),
                        [&](auto color) { return color < colors; }),
            "every color is below colors");
    return new PythonBatch{std::make_unique<ListBatch>(codes.data(), codes.shape(0), codes.shape(1),
                                                       colors, black_factor, common_factor),
                           nb::none(), codes.shape(1)};
}

void count(const PythonBatch& self, const Numbers& row_guesses, const Bytes& answers,
           const Starts& starts, bool only_exists, Counts out) {
    const Boards boards = check_boards(self, row_guesses, answers, starts, out.shape(0));
    nb::gil_scoped_release release;
    self.batch->count(boards, only_exists, out.data());
}

void inconsistent_guesses(const PythonBatch& self, const Numbers& row_guesses, const Bytes& answers,
                          const Starts& starts, Array<std::uint64_t, 1> out) {
    const Boards boards = check_boards(self, row_guesses, answers, starts, out.shape(0));
    require(have_num_rows(boards, 0, 64), "a board has up to 64 rows");
    nb::gil_scoped_release release;
    find_inconsistent_guesses(*self.batch, boards, out.data());
}

Repeats repeats_of(const std::string& scoring) {
    if (scoring == "black-white") return Repeats::kBlackWhite;
    if (scoring == "color") return Repeats::kColor;
    return scoring == "places" ? Repeats::kMarks : Repeats::kNone;
}

void reasons(const PythonBatch& self, const Numbers& row_guesses, const Bytes& answers,
             const Starts& starts, const Numbers& recorded_scores,
             const Array<const std::uint32_t, 2>& weights, const std::string& repeats,
             std::uint32_t repeats_weight, std::uint32_t base, Array<std::uint32_t, 2> out) {
    const Boards boards = check_boards(self, row_guesses, answers, starts, out.shape(0));
    require(have_num_rows(boards, 1, kMaxReasonRows), "a board has 1 to 12 rows");
    require(out.shape(1) == sizeof(Reason) / sizeof(std::uint32_t), "a reason is five numbers");
    require(weights.shape(1) == kNumAnswers, "there are 256 weights for each score");
    require(recorded_scores.shape(0) == row_guesses.shape(0) &&
                std::all_of(recorded_scores.data(), recorded_scores.data() + recorded_scores.size(),
                            [&](auto score) { return score < weights.shape(0); }),
            "every row has a score with weights");
    const SlipModel model{weights.data(), repeats_of(repeats), repeats_weight, self.pegs, base};
    nb::gil_scoped_release release;
    find_reasons(*self.batch, boards, recorded_scores.data(), model,
                 reinterpret_cast<Reason*>(out.data()));
}

constexpr std::size_t kMaxScores = std::size_t{1} << 32;

Translator* make_translator(std::size_t pegs, std::size_t colors, std::size_t parts,
                            std::uint32_t base, const Bytes& answers, bool packs,
                            const Array<const std::uint64_t, 1>& values) {
    require(pegs >= 1 && colors >= 1 && parts >= 1 && base >= 2, "a game has pegs, colors, scores");
    require(!packs || (pegs <= 7 && colors <= 8), "packed guesses have up to 7 pegs and 8 colors");
    std::size_t scores = 1;
    for (std::size_t part = 0; part < parts && scores <= answers.shape(0); ++part) scores *= base;
    require(scores == answers.shape(0) && scores < kMaxScores, "every score has an answer");
    require(colors <= 65536, "colors is 1 to 65536");
    const unsigned __int128 max_codes = static_cast<unsigned __int128>(1) << 64;
    unsigned __int128 codes = 1;
    for (std::size_t peg = 0; peg < pegs && codes <= max_codes; ++peg) codes *= colors;
    require(packs || values.size() == 0 || codes <= max_codes, "a code is below 2**64");
    return new Translator{pegs,
                          colors,
                          parts,
                          base,
                          {answers.data(), answers.data() + answers.size()},
                          packs,
                          {values.data(), values.data() + values.size()}};
}

template <class Unit>
bool translate(const Translator& self, const Array<const Unit, 2>& guesses,
               const Array<const Unit, 2>& scores, Counts row_guesses,
               Array<std::uint8_t, 1> answers, Counts row_scores, Array<bool, 1> unsupported) {
    const std::size_t num_rows = guesses.shape(0);
    require(guesses.shape(1) == self.pegs && scores.shape(1) == self.parts,
            "a row has a color for each peg and a number for each part of the score");
    require(scores.shape(0) == num_rows && row_guesses.shape(0) == num_rows &&
                answers.shape(0) == num_rows && row_scores.shape(0) == num_rows &&
                unsupported.shape(0) == num_rows,
            "all arrays have as many rows");
    nb::gil_scoped_release release;
    return self.translate(guesses.data(), scores.data(), num_rows, row_guesses.data(),
                          answers.data(), row_scores.data(), unsupported.data());
}

Notation* make_notation(const std::string& game, std::size_t pegs, std::size_t parts,
                        bool has_marks, const Bytes& colors, const Bytes& score_symbols) {
    require(colors.shape(0) == 256 && score_symbols.shape(0) == 256,
            "there is a byte for each character");
    auto notation = std::make_unique<Notation>(Notation{game, pegs, parts, has_marks, {}, {}});
    std::copy(colors.data(), colors.data() + 256, notation->colors.begin());
    std::copy(score_symbols.data(), score_symbols.data() + 256, notation->score_symbols.begin());
    return notation.release();
}

std::size_t read_lines(const nb::bytes& text, const Starts& ends, const Notation& notation,
                       Array<std::uint8_t, 1> kinds, Array<std::int64_t, 2> lines,
                       Array<std::uint8_t, 2> guesses, Array<std::uint8_t, 2> scores) {
    const std::size_t num_lines = ends.shape(0);
    require(kinds.shape(0) == num_lines && lines.shape(0) == num_lines &&
                lines.shape(1) == sizeof(Line) / sizeof(std::int64_t),
            "every line has a kind and eight numbers");
    require(guesses.shape(1) == notation.pegs && scores.shape(1) == notation.parts &&
                guesses.shape(0) == scores.shape(0),
            "a row has a color for each peg and a number for each part of the score");
    require(std::is_sorted(ends.data(), ends.data() + num_lines) &&
                (num_lines == 0 ||
                 (ends.data()[0] >= 0 &&
                  static_cast<std::size_t>(ends.data()[num_lines - 1]) <= text.size())),
            "ends ascend within the text");
    LineReader reader({text.c_str(), text.size()}, notation, guesses.data(), scores.data(),
                      guesses.shape(0));
    nb::gil_scoped_release release;
    std::size_t begin = 0;
    for (std::size_t line = 0; line < num_lines; ++line) {
        const auto end = static_cast<std::size_t>(ends.data()[line]);
        if (kinds.data()[line] == kOtherGame)
            kinds.data()[line] =
                reader.read(std::min(begin, end), end, reinterpret_cast<Line*>(lines.data())[line]);
        begin = end + 1;
    }
    return reader.num_rows();
}

}  // namespace

}  // namespace mmsat::batch

void mmsat::bind_batch(nb::module_& m) {
    using namespace batch;
    nb::class_<PythonBatch>(m, "Batch", "Boards of one game in bulk.")
        .def_static("of_table", &make_table, "table"_a, "colors"_a, nb::rv_policy::take_ownership,
                    "Use a table of all answers, and the colors of all codes.")
        .def_static("of_lists", &make_lists, "codes"_a, "colors"_a, "black_factor"_a,
                    "common_factor"_a, nb::rv_policy::take_ownership,
                    "Use lists of codes; for games that are symmetric in pegs and in colors.")
        .def("count", &count, "guesses"_a, "answers"_a, "starts"_a, "only_exists"_a, "out"_a,
             "Write to `out` the number of codes consistent with each board. With "
             "`only_exists`, write 1 if there is such a code, else 0.")
        .def("inconsistent_guesses", &inconsistent_guesses, "guesses"_a, "answers"_a, "starts"_a,
             "out"_a,
             "Write to `out`, for each board, a bit set of the rows whose guess is inconsistent "
             "with the earlier rows.")
        .def("reasons", &reasons, "guesses"_a, "answers"_a, "starts"_a, "recorded_scores"_a,
             "weights"_a, "scoring"_a, "repeats_weight"_a, "base"_a, "out"_a,
             "Write to `out`, for boards without a code, the rows of a smallest conflict, and for "
             "the selected cheapest correction the number of rows, the first row, the "
             "correct answer of this row, and whether repeated colors were counted twice in this "
             "row.");
    nb::class_<Translator>(m, "Translator",
                           "Conversion of guesses and scores to the form of a batch.")
        .def(nb::new_(&make_translator), "pegs"_a, "colors"_a, "parts"_a, "base"_a, "answers"_a,
             "packs"_a, "values"_a)
        .def("translate", &translate<std::int64_t>, "guesses"_a, "scores"_a, "row_guesses"_a,
             "row_answers"_a, "row_scores"_a, "unsupported"_a,
             "Return False if a color is out of range.")
        .def("translate", &translate<std::uint8_t>, "guesses"_a, "scores"_a, "row_guesses"_a,
             "row_answers"_a, "row_scores"_a, "unsupported"_a);
    nb::class_<Notation>(m, "Notation", "The notation of the boards of one game.")
        .def(nb::new_(&make_notation), "game"_a, "pegs"_a, "parts"_a, "has_marks"_a, "colors"_a,
             "score_symbols"_a);
    m.def("read_lines", &read_lines, "text"_a, "ends"_a, "notation"_a, "kinds"_a, "lines"_a,
          "guesses"_a, "scores"_a,
          "Parse the JSON lines that have the usual form, and return the number of rows.");
}
