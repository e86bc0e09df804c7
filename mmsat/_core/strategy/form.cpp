#include "strategy/form.hpp"

#include <algorithm>

#include "strategy/lanes.hpp"

namespace mmsat::strategy {

constexpr std::size_t kLargestByte = 255;

Form::Form(Kind of, std::size_t many_pegs, std::size_t many_colors, std::size_t many_shapes)
    : kind(of), pegs(many_pegs), colors(many_colors), shapes(many_shapes) {
    const std::size_t side = pegs + 1;
    const std::size_t last = kind == Kind::black_white ? side * side - 1
                             : kind == Kind::pairs     ? pegs * side * side + pegs
                                                       : pegs;
    is_wide = last > kLargestByte;
    if (kind == Kind::black || kind == Kind::color) {
        if (kind == Kind::black) weights.assign(pegs, 1);
        if (kind == Kind::color) counted = colors;
        for (std::size_t part = 0; part <= pegs; ++part)
            answers.push_back(static_cast<std::uint16_t>(part));
    } else if (kind == Kind::black_white) {
        weights.assign(pegs, is_wide ? 1 : static_cast<std::uint8_t>(side));
        counted = colors;
        for (std::size_t black = 0; black <= pegs; ++black)
            for (std::size_t shared = black; shared <= pegs; ++shared)
                if (black + 1 != pegs || shared != pegs)
                    answers.push_back(static_cast<std::uint16_t>(black * side + shared));
    } else if (kind == Kind::pairs) {
        // Half a pair is counted in two columns: in the respective one if the other half differs,
        // in both if no half differs.
        const std::size_t half = side;
        weights.assign(pegs, static_cast<std::uint8_t>(side * side - 2 * half));
        weights.resize(3 * pegs, static_cast<std::uint8_t>(half));
        counted = colors;
        for (std::size_t black = 0; black <= pegs; ++black)
            for (std::size_t blue = 0; black + blue <= pegs; ++blue)
                for (std::size_t shared = black; shared <= pegs; ++shared)
                    answers.push_back(
                        static_cast<std::uint16_t>(black * side * side + blue * half + shared));
    }
    if (!answers.empty()) win = answers.back();
}

Form Form::of_table(std::size_t answers, std::uint16_t win) {
    Form form(Kind::table, 0, 0, 1);
    form.answers.clear();
    for (std::size_t answer = 0; answer < answers; ++answer)
        form.answers.push_back(static_cast<std::uint16_t>(answer));
    form.win = win;
    form.is_wide = answers > kLargestByte + 1;
    return form;
}

std::uint8_t Form::place(const std::uint8_t* code, std::size_t column) const {
    const std::size_t part = column / pegs;
    const std::uint8_t color = code[column % pegs];
    return static_cast<std::uint8_t>(part == 0   ? color
                                     : part == 1 ? color / shapes
                                                 : color % shapes);
}

void Form::write_record(const std::uint8_t* code, std::uint32_t* out) const {
    for (std::size_t column = 0; column < weights.size(); ++column)
        *out++ = place(code, column) * kOnes;
    std::uint32_t& distinct = *out++;
    distinct = 0;
    if (!counted) return;
    for (std::size_t peg = 0; peg < pegs; ++peg) {
        const std::uint32_t column = static_cast<std::uint32_t>(weights.size() + code[peg]);
        std::size_t seen = 0;
        while (seen < distinct && out[2 * seen] != column) ++seen;
        if (seen == distinct) {
            out[2 * seen] = column;
            out[2 * seen + 1] = 0;
            ++distinct;
        }
        out[2 * seen + 1] += kOnes;
    }
}

std::uint16_t Form::answer(const std::uint8_t* code, const std::uint8_t* guess) const {
    std::size_t sum = 0;
    for (std::size_t column = 0; column < weights.size(); ++column)
        if (place(code, column) == place(guess, column))
            sum += is_wide ? pegs + 1 : weights[column];
    if (!is_wide) sum &= kLargestByte;
    if (counted)
        for (std::size_t peg = 0; peg < pegs; ++peg) {
            const std::uint8_t color = guess[peg];
            if (std::find(guess, guess + peg, color) != guess + peg) continue;
            sum += static_cast<std::size_t>(std::min(std::count(guess, guess + pegs, color),
                                                     std::count(code, code + pegs, color)));
        }
    return static_cast<std::uint16_t>(is_wide ? sum : sum & kLargestByte);
}

Columns::Columns(const Form& form, const std::uint8_t* codes, std::size_t many)
    // An odd number of vectors, so that the columns of a code do not map to the same cache sets.
    : size(many), stride(((many + kLanes - 1) / kLanes | 1) * kLanes) {
    cells.assign(form.columns() * stride, 0);
    const std::size_t places = form.weights.size();
    for (std::size_t index = 0; index < size; ++index) {
        const std::uint8_t* const code = codes + index * form.pegs;
        for (std::size_t column = 0; column < places; ++column)
            cells[column * stride + index] = form.place(code, column);
        if (form.counted)
            for (std::size_t peg = 0; peg < form.pegs; ++peg)
                ++cells[(places + code[peg]) * stride + index];
    }
}

}  // namespace mmsat::strategy
