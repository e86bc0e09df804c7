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
// mark. kNone means that the character is not allowed.
constexpr std::uint8_t kNone = 255;
struct Spelling {
    std::string game;
    std::size_t pegs, parts;
    bool has_marks;
    std::array<std::uint8_t, 256> colors, signs;
};

// Result for one line. kOther: a board of another game, to be read with the spelling of that game.
// kCareful: left to the complete parser, for whatever reason. kBlank: empty or white space. kRead:
// done.
enum Kind : std::uint8_t { kOther, kCareful, kBlank, kRead };

// Positions in the text (begin and end) of the id and the board, the number of rows, and a known
// slip: its row from 1 (0 if there is none) and the position of the true score.
struct Line {
    std::int64_t id, id_end, board, board_end, rows, slip_row, right, right_end;
};

// Reads lines of one text. It does not own its arguments: text, spelling, guesses and scores (space
// for `most` rows) must outlive it. Not thread-safe.
class LineReader {
public:
    LineReader(std::string_view text, const Spelling& spelling, std::uint8_t* guesses,
               std::uint8_t* scores, std::size_t most)
        : text_(text), spelling_(spelling), guesses_(guesses), scores_(scores), most_(most) {}
    // Read the line from `begin` to `end`. If the result is kRead, its rows follow those read before.
    Kind read(std::size_t begin, std::size_t end, Line& line);
    std::size_t rows() const { return rows_; }

private:
    struct Span {
        std::size_t begin, end;
    };
    bool take(char sign);
    void skip_blanks();
    bool read_text(Span& span, bool is_free);
    bool read_number(Span& span);
    bool read_member(Line& line, bool& has_board);
    bool read_slip(Line& line);
    bool read_score(std::size_t& at, std::size_t end, std::uint8_t* score) const;
    Kind read_board(Span board, Line& line);

    std::string_view text_;
    const Spelling& spelling_;
    std::uint8_t *guesses_, *scores_;
    std::size_t most_, rows_ = 0, at_ = 0, end_ = 0;
};

}  // namespace mmsat::batch
