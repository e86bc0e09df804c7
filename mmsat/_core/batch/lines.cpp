#include "batch/lines.hpp"

#include <vector>

namespace mmsat::batch {

namespace {

constexpr std::size_t kMaxDigits = 18;  // maximum number of digits of an integer

bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

}  // namespace

void LineReader::skip_blanks() {
    while (position_ < end_ &&
           (text_[position_] == ' ' || text_[position_] == '\t' || text_[position_] == '\r'))
        ++position_;
}

bool LineReader::accept(char character) {
    skip_blanks();
    if (position_ == end_ || text_[position_] != character) return false;
    ++position_;
    return true;
}

// Read a string without escapes. It must be printable ASCII unless `allows_unicode` is true.
bool LineReader::read_text(Span& span, bool allows_unicode) {
    if (!accept('"')) return false;
    span.begin = position_;
    for (; position_ < end_; ++position_) {
        const auto character = static_cast<unsigned char>(text_[position_]);
        if (character == '"') {
            span.end = position_++;
            return true;
        }
        if (character < ' ' || character == '\\' || (character > '~' && !allows_unicode))
            return false;
    }
    return false;
}

bool LineReader::read_number(Span& span) {
    skip_blanks();
    span.begin = position_;
    while (position_ < end_ && is_digit(text_[position_])) ++position_;
    span.end = position_;
    const std::size_t num_digits = span.end - span.begin;
    return num_digits == 1 ||
           (num_digits > 1 && num_digits <= kMaxDigits && text_[span.begin] != '0');
}

// Read a slip such as {"row": 3, "true": "1.2"}.
bool LineReader::read_slip(Line& line) {
    Span name{}, row{}, true_score{};
    if (!accept('{') || !read_text(name, false) || text_.substr(name.begin, 3) != "row" ||
        name.end - name.begin != 3 || !accept(':') || !read_number(row) || row.end - row.begin > 9)
        return false;
    if (!accept(',') || !read_text(name, false) || text_.substr(name.begin, 4) != "true" ||
        name.end - name.begin != 4 || !accept(':') || !read_text(true_score, false) || !accept('}'))
        return false;
    line.slip_row = 0;
    for (std::size_t i = row.begin; i < row.end; ++i)
        line.slip_row = line.slip_row * 10 + (text_[i] - '0');
    line.true_score_begin = static_cast<std::int64_t>(true_score.begin);
    line.true_score_end = static_cast<std::int64_t>(true_score.end);
    return line.slip_row > 0;
}

// Read a name and its value: the id, the board or the slip. Any other string or number is skipped.
bool LineReader::read_member(Line& line, bool& has_board) {
    Span name{}, value{};
    if (!read_text(name, false) || !accept(':')) return false;
    const auto key = text_.substr(name.begin, name.end - name.begin);
    skip_blanks();
    const bool is_text = position_ < end_ && text_[position_] == '"';
    if (key == "board") {
        if (has_board || !read_text(value, false)) return false;
        has_board = true;
        line.board_begin = static_cast<std::int64_t>(value.begin);
        line.board_end = static_cast<std::int64_t>(value.end);
        return true;
    }
    if (key == "slip") return line.slip_row == 0 && read_slip(line);
    if (!(is_text ? read_text(value, key != "id") : read_number(value))) return false;
    if (key == "id") {
        if (line.id_begin != 0) return false;
        line.id_begin = static_cast<std::int64_t>(value.begin);
        line.id_end = static_cast<std::int64_t>(value.end);
    }
    return true;
}

bool LineReader::read_score(std::size_t& position, std::size_t end, std::uint8_t* score) const {
    for (std::size_t part = 0; part < notation_.parts; ++part) {
        if (part != 0 && !notation_.has_marks && (position == end || text_[position++] != '.'))
            return false;
        if (position == end) return false;
        score[part] = notation_.score_symbols[static_cast<unsigned char>(text_[position++])];
        if (score[part] == kNotAllowed) return false;
    }
    return true;
}

LineKind LineReader::read_board(Span board, Line& line) {
    const auto& game = notation_.game;
    const auto board_text = text_.substr(board.begin, board.end - board.begin);
    if (board_text.substr(0, board_text.find('/')) != game) return kOtherGame;
    const std::size_t pegs = notation_.pegs, parts = notation_.parts;
    std::size_t position = board.begin + game.size(), new_num_rows = num_rows_;
    // No pegs: the notation of this game has no fast form.
    if (pegs == 0 || position == board.end) return kFallback;
    // Rows are written directly after those of earlier lines. They are valid only after `num_rows_`
    // is updated, so the next board overwrites the rows of a rejected one.
    for (; position < board.end; ++new_num_rows) {
        if (new_num_rows == max_rows_ || text_[position++] != '/' ||
            board.end - position < pegs + 1 + parts)
            return kFallback;
        std::uint8_t* const guess = guesses_ + new_num_rows * pegs;
        for (std::size_t peg = 0; peg < pegs; ++peg) {
            guess[peg] = notation_.colors[static_cast<unsigned char>(text_[position++])];
            if (guess[peg] == kNotAllowed) return kFallback;
        }
        if (text_[position++] != '=' ||
            !read_score(position, board.end, scores_ + new_num_rows * parts))
            return kFallback;
    }
    line.num_rows = static_cast<std::int64_t>(new_num_rows - num_rows_);
    if (line.slip_row != 0) {
        std::vector<std::uint8_t> true_score(parts);
        auto true_position = static_cast<std::size_t>(line.true_score_begin);
        const auto true_end = static_cast<std::size_t>(line.true_score_end);
        if (line.slip_row > line.num_rows ||
            !read_score(true_position, true_end, true_score.data()) || true_position != true_end)
            return kFallback;
    }
    num_rows_ = new_num_rows;
    return kParsed;
}

LineKind LineReader::read(std::size_t begin, std::size_t end, Line& line) {
    position_ = begin;
    end_ = end;
    line = {};
    if (text_.substr(begin, end - begin).find_first_not_of(" \t\n\v\f\r") == text_.npos)
        return kBlank;
    bool has_board = false;
    if (!accept('{')) return kFallback;
    do {
        if (!read_member(line, has_board)) return kFallback;
    } while (accept(','));
    if (!has_board || !accept('}')) return kFallback;
    skip_blanks();
    if (position_ != end_) return kFallback;
    return read_board(
        {static_cast<std::size_t>(line.board_begin), static_cast<std::size_t>(line.board_end)},
        line);
}

}  // namespace mmsat::batch
