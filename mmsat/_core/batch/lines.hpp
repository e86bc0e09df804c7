// Fast parsing of JSON Lines logs in the usual form: {"id": "7", "board": "4x6/1122=1.1"}.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mmsat::batch {

// Value of a character that is not allowed.
constexpr std::uint8_t kNotAllowed = 255;

// Notation of the boards of one game: the name of the game, the color of each character, and the
// value of each character of a score. Scores are digits separated by dots or, with `has_marks`, one
// character per mark. All other characters have the value kNotAllowed. If `pegs` is 0, all lines of
// the game are left to the complete parser (kFallback).
struct Notation {
    std::string game;
    std::size_t pegs, parts;
    bool has_marks;
    std::array<std::uint8_t, 256> colors, score_symbols;
};

// State of a line after LineReader::read(). kOtherGame: a board of another game, to be parsed with
// the notation of that game. kFallback: any other line that needs the complete parser. kBlank: an
// empty line, or only white space.
enum LineKind : std::uint8_t { kOtherGame, kFallback, kBlank, kParsed };

// A parsed line. The id, the board and the true score of a recorded slip are given by their
// positions in the text: begin and end.
struct Line {
    std::int64_t id_begin, id_end;
    std::int64_t board_begin, board_end;
    std::int64_t num_rows;
    std::int64_t slip_row;  // numbered from 1; 0 without a slip
    std::int64_t true_score_begin, true_score_end;
};

// Reads lines of one text. The arguments are not owned and must outlive the reader; `guesses` and
// `scores` have space for `max_rows` rows. Not thread-safe.
class LineReader {
public:
    LineReader(std::string_view text, const Notation& notation, std::uint8_t* guesses,
               std::uint8_t* scores, std::size_t max_rows)
        : text_(text),
          notation_(notation),
          guesses_(guesses),
          scores_(scores),
          max_rows_(max_rows) {}
    // Read the line from `begin` to `end`. If the result is kParsed, the rows of the line are
    // appended to the rows read before.
    LineKind read(std::size_t begin, std::size_t end, Line& line);
    std::size_t num_rows() const { return num_rows_; }

private:
    struct Span {
        std::size_t begin, end;
    };
    bool accept(char character);
    void skip_blanks();
    bool read_text(Span& span, bool allows_unicode);
    bool read_number(Span& span);
    bool read_member(Line& line, bool& has_board);
    bool read_slip(Line& line);
    bool read_score(std::size_t& position, std::size_t end, std::uint8_t* score) const;
    LineKind read_board(Span board, Line& line);

    std::string_view text_;
    const Notation& notation_;
    std::uint8_t *guesses_, *scores_;
    std::size_t max_rows_, num_rows_ = 0;
    std::size_t position_ = 0,
                end_ = 0;  // in the text: the next character, and the end of the line
};

}  // namespace mmsat::batch
