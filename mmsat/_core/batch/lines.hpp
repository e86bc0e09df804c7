// Fast parsing of JSON Lines logs in the shape that programs write: {"id": "7", "board":
// "4x6/1122=1.1"}.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mmsat::batch {

// Notation of the boards of one game: its name, the color of each character, and the value of each
// character of a score. Scores are digits separated by dots, or with has_marks one character per
// mark. kNotAllowed is the value of all other characters.
constexpr std::uint8_t kNotAllowed = 255;
struct Notation {
    std::string game;
    std::size_t pegs, parts;
    bool has_marks;
    std::array<std::uint8_t, 256> colors, score_symbols;
};

// Result for one line. kOtherGame: a board of another game, to be parsed with the notation of that
// game. kFallback: left to the complete parser, for whatever reason. kBlank: empty or white space.
enum Kind : std::uint8_t { kOtherGame, kFallback, kBlank, kParsed };

// Positions in the text (begin and end) of the id and the board, the number of rows, and a known
// slip: its row from 1 (0 if there is none) and the position of the true score.
struct Line {
    std::int64_t id, id_end, board, board_end, rows, slip_row, true_score, true_score_end;
};

// Reads lines of one text. It does not own its arguments: text, notation, guesses and scores
// (space for `max_rows` rows) must outlive it. Not thread-safe.
class LineReader {
public:
    LineReader(std::string_view text, const Notation& notation, std::uint8_t* guesses,
               std::uint8_t* scores, std::size_t max_rows)
        : text_(text),
          notation_(notation),
          guesses_(guesses),
          scores_(scores),
          max_rows_(max_rows) {}
    // Read the line from `begin` to `end`. If the result is kParsed, its rows follow those read before.
    Kind read(std::size_t begin, std::size_t end, Line& line);
    std::size_t rows() const { return rows_; }

private:
    struct Span {
        std::size_t begin, end;
    };
    bool accept(char sign);
    void skip_blanks();
    bool read_text(Span& span, bool is_free);
    bool read_number(Span& span);
    bool read_member(Line& line, bool& has_board);
    bool read_slip(Line& line);
    bool read_score(std::size_t& at, std::size_t end, std::uint8_t* score) const;
    Kind read_board(Span board, Line& line);

    std::string_view text_;
    const Notation& notation_;
    std::uint8_t *guesses_, *scores_;
    std::size_t max_rows_, rows_ = 0, at_ = 0, end_ = 0;
};

}  // namespace mmsat::batch
