#include "batch/lines.hpp"

#include <vector>

namespace mmsat::batch {

namespace {

constexpr std::size_t kMaxDigits = 18;  // of an integer

bool is_digit(char sign) {
    return sign >= '0' && sign <= '9';
}

}  // namespace

void LineReader::skip_blanks() {
    while (at_ < end_ && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
}

bool LineReader::accept(char sign) {
    skip_blanks();
    if (at_ == end_ || text_[at_] != sign) return false;
    ++at_;
    return true;
}

// Read a string without escapes. Unless `is_free` is true, it must be printable ASCII.
bool LineReader::read_text(Span& span, bool is_free) {
    if (!accept('"')) return false;
    span.begin = at_;
    for (; at_ < end_; ++at_) {
        const auto sign = static_cast<unsigned char>(text_[at_]);
        if (sign == '"') {
            span.end = at_++;
            return true;
        }
        if (sign < ' ' || sign == '\\' || (sign > '~' && !is_free)) return false;
    }
    return false;
}

bool LineReader::read_number(Span& span) {
    skip_blanks();
    span.begin = at_;
    while (at_ < end_ && is_digit(text_[at_])) ++at_;
    span.end = at_;
    const std::size_t digits = span.end - span.begin;
    return digits == 1 || (digits > 1 && digits <= kMaxDigits && text_[span.begin] != '0');
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
    line.true_score = static_cast<std::int64_t>(true_score.begin);
    line.true_score_end = static_cast<std::int64_t>(true_score.end);
    return line.slip_row > 0;
}

// Read a name and its value: the id, the board, the slip, or another string or number, which is
// skipped.
bool LineReader::read_member(Line& line, bool& has_board) {
    Span name{}, value{};
    if (!read_text(name, false) || !accept(':')) return false;
    const auto is = text_.substr(name.begin, name.end - name.begin);
    skip_blanks();
    const bool is_text = at_ < end_ && text_[at_] == '"';
    if (is == "board") {
        if (has_board || !read_text(value, false)) return false;
        has_board = true;
        line.board = static_cast<std::int64_t>(value.begin);
        line.board_end = static_cast<std::int64_t>(value.end);
        return true;
    }
    if (is == "slip") return line.slip_row == 0 && read_slip(line);
    if (!(is_text ? read_text(value, is != "id") : read_number(value))) return false;
    if (is == "id") {
        if (line.id != 0) return false;
        line.id = static_cast<std::int64_t>(value.begin);
        line.id_end = static_cast<std::int64_t>(value.end);
    }
    return true;
}

bool LineReader::read_score(std::size_t& at, std::size_t end, std::uint8_t* score) const {
    for (std::size_t part = 0; part < notation_.parts; ++part) {
        if (part != 0 && !notation_.has_marks && (at == end || text_[at++] != '.')) return false;
        if (at == end) return false;
        score[part] = notation_.score_symbols[static_cast<unsigned char>(text_[at++])];
        if (score[part] == kNotAllowed) return false;
    }
    return true;
}

Kind LineReader::read_board(Span board, Line& line) {
    const auto& game = notation_.game;
    const auto name = text_.substr(board.begin, board.end - board.begin);
    if (name.substr(0, name.find('/')) != game) return kOtherGame;
    const std::size_t pegs = notation_.pegs, parts = notation_.parts;
    std::size_t at = board.begin + game.size(), rows = rows_;
    if (pegs == 0 || at == board.end) return kFallback;
    // Rows are written directly behind those of earlier lines; they count only once `rows_` is
    // updated, so an incomplete board is overwritten by the next one.
    for (; at < board.end; ++rows) {
        if (rows == max_rows_ || text_[at++] != '/' || board.end - at < pegs + 1 + parts)
            return kFallback;
        std::uint8_t* const guess = guesses_ + rows * pegs;
        for (std::size_t peg = 0; peg < pegs; ++peg) {
            guess[peg] = notation_.colors[static_cast<unsigned char>(text_[at++])];
            if (guess[peg] == kNotAllowed) return kFallback;
        }
        if (text_[at++] != '=' || !read_score(at, board.end, scores_ + rows * parts))
            return kFallback;
    }
    line.rows = static_cast<std::int64_t>(rows - rows_);
    if (line.slip_row != 0) {
        std::vector<std::uint8_t> true_score(parts);
        auto from = static_cast<std::size_t>(line.true_score);
        const auto to = static_cast<std::size_t>(line.true_score_end);
        if (line.slip_row > line.rows || !read_score(from, to, true_score.data()) || from != to)
            return kFallback;
    }
    rows_ = rows;
    return kParsed;
}

Kind LineReader::read(std::size_t begin, std::size_t end, Line& line) {
    at_ = begin;
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
    if (at_ != end_) return kFallback;
    return read_board(
        {static_cast<std::size_t>(line.board), static_cast<std::size_t>(line.board_end)}, line);
}

}  // namespace mmsat::batch
