// Lines of logs in the shape that programs write: {"id": "7", "board": "4x6/1122=1.1"}.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mmsat::batch {

// How the boards of one game are spelled: its name, a character for each color, and scores that are
// digits with a dot between them, or a character for each mark. What stands for none is kNone.
constexpr std::uint8_t kNone = 255;
struct Spelling {
    std::string game;
    std::size_t pegs, parts;
    bool has_marks;
    std::array<std::uint8_t, 256> colors, signs;
};

// What a line is found to be. The careful ones are read by whoever knows all that may be written;
// those of another game come again with its spelling.
enum Kind : std::uint8_t { kOther, kCareful, kBlank, kRead };

// Places in the text, from and to. Rows of guesses, and of a slip that is known, if any, count from
// 1; its score is `true`, here `right`.
struct Line {
    std::int64_t id, id_end, board, board_end, rows, slip_row, right, right_end;
};

class LineReader {
public:
    LineReader(std::string_view text, const Spelling& spelling, std::uint8_t* guesses,
               std::uint8_t* scores, std::size_t most)
        : text_(text), spelling_(spelling), guesses_(guesses), scores_(scores), most_(most) {}
    // Read the line that begins and ends there. The rows of what is read come after those before.
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
