// Scores as sums over columns (form.hpp). Position columns have the values of single pegs, and
// count columns have the number of pegs of each color.
#include "strategy/form.hpp"

#include <algorithm>

#include "strategy/lanes.hpp"

namespace mmsat::strategy {

constexpr std::size_t kMaxByte = 255;

Form::Form(Kind scoring_kind, std::size_t num_pegs, std::size_t num_colors, std::size_t num_shapes)
    : kind(scoring_kind), pegs(num_pegs), colors(num_colors), shapes(num_shapes) {
    const std::size_t base = pegs + 1;
    const std::size_t max_answer = kind == Kind::black_white ? base * base - 1
                                   : kind == Kind::pairs     ? pegs * base * base + pegs
                                                             : pegs;
    is_wide = max_answer > kMaxByte;
    if (kind == Kind::black || kind == Kind::color) {
        if (kind == Kind::black) weights.assign(pegs, 1);
        if (kind == Kind::color) num_count_columns = colors;
        for (std::size_t matches = 0; matches <= pegs; ++matches)
            answers.push_back(static_cast<std::uint16_t>(matches));
    } else if (kind == Kind::black_white) {
        weights.assign(pegs, is_wide ? 1 : static_cast<std::uint8_t>(base));
        num_count_columns = colors;
        for (std::size_t black = 0; black <= pegs; ++black)
            for (std::size_t shared = black; shared <= pegs; ++shared)
                // If all pegs except one agree, the colors of the last peg differ.
                if (black + 1 != pegs || shared != pegs)
                    answers.push_back(static_cast<std::uint16_t>(black * base + shared));
    } else if (kind == Kind::pairs) {
        // A peg has three position columns: the pair and each of its halves. If only one half
        // agrees, its column adds `base`; if both agree, the three columns add `base` squared.
        weights.assign(pegs, static_cast<std::uint8_t>(base * base - 2 * base));
        weights.resize(3 * pegs, static_cast<std::uint8_t>(base));
        num_count_columns = colors;
        for (std::size_t black = 0; black <= pegs; ++black)
            for (std::size_t blue = 0; black + blue <= pegs; ++blue)
                for (std::size_t shared = black; shared <= pegs; ++shared)
                    answers.push_back(
                        static_cast<std::uint16_t>(black * base * base + blue * base + shared));
    }
    if (!answers.empty()) win = answers.back();
}

Form Form::of_table(std::size_t num_answers, std::uint16_t win) {
    Form form(Kind::table, 0, 0, 1);
    form.answers.clear();
    for (std::size_t answer = 0; answer < num_answers; ++answer)
        form.answers.push_back(static_cast<std::uint16_t>(answer));
    form.win = win;
    form.is_wide = num_answers > kMaxByte + 1;
    return form;
}

std::uint8_t Form::value_at(const std::uint8_t* code, std::size_t column) const {
    const std::size_t group = column / pegs;  // 0: whole values; 1 and 2: the halves of pairs
    const std::uint8_t color = code[column % pegs];
    return static_cast<std::uint8_t>(group == 0   ? color
                                     : group == 1 ? color / shapes
                                                  : color % shapes);
}

void Form::write_record(const std::uint8_t* code, std::uint32_t* out) const {
    for (std::size_t column = 0; column < weights.size(); ++column)
        *out++ = value_at(code, column) * kOnes;
    std::uint32_t& num_distinct = *out++;
    num_distinct = 0;
    if (!num_count_columns) return;
    for (std::size_t peg = 0; peg < pegs; ++peg) {
        const std::uint32_t column = static_cast<std::uint32_t>(weights.size() + code[peg]);
        std::size_t i = 0;
        while (i < num_distinct && out[2 * i] != column) ++i;
        if (i == num_distinct) {
            out[2 * i] = column;
            out[2 * i + 1] = 0;
            ++num_distinct;
        }
        out[2 * i + 1] += kOnes;
    }
}

std::uint16_t Form::answer(const std::uint8_t* code, const std::uint8_t* guess) const {
    std::size_t sum = 0;
    for (std::size_t column = 0; column < weights.size(); ++column)
        if (value_at(code, column) == value_at(guess, column))
            sum += is_wide ? pegs + 1 : weights[column];
    if (!is_wide) sum &= kMaxByte;
    if (num_count_columns)
        for (std::size_t peg = 0; peg < pegs; ++peg) {
            const std::uint8_t color = guess[peg];
            if (std::find(guess, guess + peg, color) != guess + peg) continue;
            sum += static_cast<std::size_t>(std::min(std::count(guess, guess + pegs, color),
                                                     std::count(code, code + pegs, color)));
        }
    return static_cast<std::uint16_t>(is_wide ? sum : sum & kMaxByte);
}

Columns::Columns(const Form& form, const std::uint8_t* codes, std::size_t num_codes)
    // The stride is an odd number of vectors, so that the columns of a code do not map to the same
    // cache sets.
    : size(num_codes), stride(((num_codes + kLanes - 1) / kLanes | 1) * kLanes) {
    cells.assign(form.columns() * stride, 0);
    const std::size_t num_position_columns = form.weights.size();
    for (std::size_t index = 0; index < size; ++index) {
        const std::uint8_t* const code = codes + index * form.pegs;
        for (std::size_t column = 0; column < num_position_columns; ++column)
            cells[column * stride + index] = form.value_at(code, column);
        if (form.num_count_columns)
            for (std::size_t peg = 0; peg < form.pegs; ++peg)
                ++cells[(num_position_columns + code[peg]) * stride + index];
    }
}

}  // namespace mmsat::strategy
