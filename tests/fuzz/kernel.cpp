// A fuzzer of the kernel's parts that take bytes, or sizes and numbers of any
// board: `make fuzz`.
//
// The first byte chooses a part. The arguments satisfy all
// conditions that the Python code checks before it calls a part. If there are
// two ways to compute an answer, their results are compared.
#pragma clang attribute push(__attribute__((no_sanitize("implicit-conversion"))), \
                             apply_to = function)
#include <fuzzer/FuzzedDataProvider.h>
#pragma clang attribute pop

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "batch/lines.hpp"
#include "counting/counter.hpp"
#include "counting/diagram.hpp"
#include "lattice/lattice.hpp"
#include "proof/lrat.hpp"
#include "proof/trimmer.hpp"
#include "search/annealer.hpp"
#include "search/search.hpp"
#include "search/surrogate_filter.hpp"
#include "search/weighted_search.hpp"

namespace {

using namespace mmsat;
using Data = FuzzedDataProvider;

void require(bool holds) {
    if (!holds) std::abort();
}

std::vector<std::int32_t> read_formula(Data& data, std::int32_t variables) {
    std::vector<std::int32_t> formula;
    for (int clause = data.ConsumeIntegralInRange(0, 12); clause > 0; --clause) {
        for (int left = data.ConsumeIntegralInRange(0, 4); left > 0; --left) {
            const auto literal = data.ConsumeIntegralInRange(1, variables);
            formula.push_back(data.ConsumeBool() ? literal : -literal);
        }
        formula.push_back(0);
    }
    return formula;
}

// The checker accepts every proof that the trimmer writes.
void fuzz_proof(Data& data) {
    const std::int32_t variables = data.ConsumeIntegralInRange(1, 6);
    const auto formula = read_formula(data, variables);
    const auto many = static_cast<std::size_t>(variables);
    const std::string proof = data.ConsumeRemainingBytesAsString();
    proof::LratChecker(many, formula, proof).advance(1 << 20);
    proof::Trimmer trimmer(many, formula, proof);
    if (trimmer.advance(1 << 20) != proof::Check::holds) return;
    require(proof::LratChecker(many, formula, trimmer.lrat()).advance(1 << 24) ==
            proof::Check::holds);
}

void fuzz_lines(Data& data) {
    batch::Notation notation{"",
                             data.ConsumeIntegralInRange<std::size_t>(0, 4),
                             data.ConsumeIntegralInRange<std::size_t>(1, 3),
                             data.ConsumeBool(),
                             {},
                             {}};
    notation.game = data.ConsumeBool() ? "4x6" : data.ConsumeRandomLengthString(4);
    notation.colors.fill(batch::kNotAllowed);
    notation.score_symbols.fill(batch::kNotAllowed);
    for (std::uint8_t color = 0; color < 6; ++color) notation.colors['1' + color] = color;
    for (std::uint8_t sign = 0; sign < 10; ++sign) notation.score_symbols['0' + sign] = sign;
    const std::size_t most = data.ConsumeIntegralInRange<std::size_t>(0, 20);
    std::vector<std::uint8_t> guesses(most * notation.pegs), scores(most * notation.parts);
    const std::string text = data.ConsumeRemainingBytesAsString();
    batch::LineReader reader(text, notation, guesses.data(), scores.data(), most);
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        batch::Line line{};
        reader.read(begin, end, line);
        begin = end + 1;
    }
    require(reader.num_rows() <= most);
}

search::Constraint read_constraint(Data& data, std::int32_t last, std::int32_t row) {
    search::Constraint made{{}, 0, 0, row};
    for (int left = data.ConsumeIntegralInRange(0, 6); left > 0; --left) {
        const auto literal = data.ConsumeIntegralInRange(1, last);
        made.literals.push_back(data.ConsumeBool() ? literal : -literal);
    }
    const bool is_far = data.ConsumeBool() && data.ConsumeBool();
    const std::int32_t most = is_far ? search::kMaxBound : 7;
    made.low = data.ConsumeIntegralInRange(-most, most);
    made.high = data.ConsumeIntegralInRange(-most, most);
    return made;
}

// Searches that stop often find as many codes as one that counts, and every
// code that an annealer finds is consistent.
void fuzz_search(Data& data) {
    const auto pegs = data.ConsumeIntegralInRange<std::size_t>(1, 4);
    const auto colors = data.ConsumeIntegralInRange<std::size_t>(1, 4);
    const auto last = static_cast<std::int32_t>(2 * pegs * colors);
    search::Annealer walk(pegs, colors, data.ConsumeIntegral<std::uint64_t>());
    search::Constraints list;
    const bool has_rows = data.ConsumeBool();
    for (std::int32_t row = 0; row < data.ConsumeIntegralInRange(0, 5); ++row) {
        list.early.push_back(read_constraint(data, last, has_rows ? row : -1));
        walk.add(list.early.back());
    }
    const bool is_graded = data.ConsumeBool();
    const auto slack = data.ConsumeIntegralInRange<std::uint32_t>(0, 1u << 31);
    search::Search counted(pegs, colors, list, slack, {}, is_graded);
    search::Search listed(pegs, colors, list, slack, {}, is_graded);
    require(counted.count(1 << 20) == SearchStatus::exhausted);
    std::uint64_t codes = 0;
    for (int step = 0; step < 1 << 16; ++step) {
        const SearchStatus status = listed.advance(3);
        if (status == SearchStatus::exhausted) break;
        if (status == SearchStatus::code_found) ++codes;
        require(status != SearchStatus::code_found || listed.penalty() <= slack);
    }
    require(codes == counted.num_codes());
    if (slack == 0) {
        search::WeightedSearch weighted(pegs, colors, list.early, {}, std::vector<char>(5), 0);
        for (std::uint64_t left = codes; left > 0;)
            left -= weighted.advance(2) == SearchStatus::code_found;
        while (weighted.advance(2) == SearchStatus::budget_spent) continue;
        require(weighted.advance(2) == SearchStatus::exhausted);
    }
    if (walk.anneal(500, search::kCertain / 2, search::kCertain / 64) && slack == 0) require(codes > 0);
    if (slack == 0) require(walk.sample(200, search::kCertain / 4, 2, 50).size() <= codes);
}

// Both engines count the same.
void fuzz_count(Data& data) {
    counting::Layout layout;
    layout.pegs = data.ConsumeIntegralInRange<std::size_t>(1, 5);
    layout.labels = data.ConsumeIntegralInRange<std::size_t>(1, 4);
    for (std::size_t label = 0; label < layout.labels; ++label) {
        layout.sizes.push_back(data.ConsumeIntegralInRange<std::uint32_t>(1, 5));
        layout.once.push_back(data.ConsumeBool());
    }
    for (std::size_t cell = 0; cell < layout.pegs * layout.labels; ++cell)
        layout.allowed.push_back(data.ConsumeIntegralInRange(0, 3) != 0);
    const auto constraints = data.ConsumeIntegralInRange(0, 4);
    for (int constraint = 0; constraint < constraints; ++constraint) {
        const std::int32_t low = data.ConsumeIntegralInRange(-9, 9);
        layout.ranges.push_back({low, data.ConsumeBool() ? low : 1 << 29});
    }
    const auto most = data.ConsumeBool() ? 2 : 1 << 24;
    const auto pegs = static_cast<std::int32_t>(layout.pegs);
    const auto labels = static_cast<std::int32_t>(layout.labels);
    for (int left = constraints ? data.ConsumeIntegralInRange(0, 12) : 0; left > 0; --left) {
        const auto label = data.ConsumeIntegralInRange(0, labels - 1);
        const auto constraint = data.ConsumeIntegralInRange(0, constraints - 1);
        const auto amount = data.ConsumeIntegralInRange(-most, most);
        if (data.ConsumeBool())
            layout.amounts.push_back(
                {data.ConsumeIntegralInRange(0, pegs - 1), label, constraint, amount});
        else
            layout.steps.push_back(
                {label, data.ConsumeIntegralInRange(1, pegs), constraint, amount});
    }
    const auto memory = data.ConsumeIntegralInRange<std::size_t>(0, 1 << 22);
    const auto counter = counting::Counter::make(layout, 60, memory);
    const auto diagram = counting::Diagram::make(layout, 60, memory);
    while (!counter->advance(1 << 20)) counter->progress();
    while (!diagram->advance(1 << 20)) diagram->progress();
    require(counter->count()[0] == diagram->count()[0]);
    diagram->profile(std::vector<std::int32_t>(layout.pegs, -1));
}

void fuzz_lattice(Data& data) {
    const auto colors = data.ConsumeIntegralInRange<std::size_t>(1, 4);
    std::vector<std::vector<std::uint16_t>> allowed(data.ConsumeIntegralInRange<std::size_t>(1, 5));
    for (auto& each : allowed) {
        for (std::uint16_t color = 0; color < colors; ++color)
            if (data.ConsumeBool()) each.push_back(color);
        if (each.empty()) each.push_back(0);
    }
    std::vector<lattice::Equation> equations(data.ConsumeIntegralInRange<std::size_t>(0, 4));
    for (auto& equation : equations) {
        for (std::size_t cell = 0; cell < allowed.size() * colors; ++cell)
            equation.weights.push_back(data.ConsumeIntegralInRange(-63, 63));
        const std::int64_t most = data.ConsumeBool() ? 9 : (1 << 28) - 1;
        equation.total = data.ConsumeIntegralInRange(-most, most);
    }
    const std::size_t some = data.ConsumeIntegralInRange<std::size_t>(0, equations.size());
    const lattice::Lattice other(colors, allowed,
                                 {equations.begin() + static_cast<std::ptrdiff_t>(some),
                                  equations.end()});
    lattice::Vector likely(data.ConsumeBool() ? allowed.size() * colors : 0);
    for (double& share : likely) share = data.ConsumeProbability<double>();
    lattice::Lattice made(colors, allowed, equations, data.ConsumeBool() ? &other : nullptr,
                          likely);
    made.reduce_blocks(4, 2);
    for (int step = 0; step < 50; ++step) {
        if (made.advance(50, 1) != SearchStatus::code_found) continue;
        for (const auto& equation : equations) {
            std::int64_t sum = 0;
            for (std::size_t peg = 0; peg < allowed.size(); ++peg)
                sum += equation.weights[peg * colors + made.code()[peg]];
            require(sum == equation.total);
        }
    }
}

// No choice that satisfies all sums is ruled out.
void fuzz_filter(Data& data) {
    search::CountSums counts{{0}, {}, {}, {}};
    const auto colors = data.ConsumeIntegralInRange<std::size_t>(1, 4);
    for (std::size_t color = 0; color < colors; ++color)
        counts.first_choices.push_back(counts.num_choices() + data.ConsumeIntegralInRange<std::size_t>(1, 4));
    for (int sums = data.ConsumeIntegralInRange(1, 4); sums > 0; --sums) {
        for (std::size_t choice = 0; choice < counts.num_choices(); ++choice)
            counts.contributions.push_back(data.ConsumeIntegralInRange(-9, 9));
        counts.low.push_back(data.ConsumeIntegralInRange(-20, 20));
        counts.high.push_back(counts.low.back() + data.ConsumeIntegralInRange(0, 3));
    }
    std::vector<char> possible;
    const bool is_possible = search::filter_choices(counts, 40, 20, possible);
    std::vector<std::size_t> chosen(counts.first_choices.begin(), counts.first_choices.end() - 1);
    for (std::size_t color = 0; color < colors;) {
        bool satisfies = true;
        for (std::size_t sum = 0; sum < counts.num_sums(); ++sum) {
            std::int64_t total = 0;
            for (std::size_t choice : chosen)
                total += counts.contributions[sum * counts.num_choices() + choice];
            satisfies = satisfies && counts.low[sum] <= total && total <= counts.high[sum];
        }
        for (std::size_t choice : chosen) require(!satisfies || (is_possible && possible[choice]));
        for (color = 0; color < colors && ++chosen[color] == counts.first_choices[color + 1]; ++color)
            chosen[color] = counts.first_choices[color];
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    constexpr std::array parts{fuzz_proof, fuzz_lines, fuzz_search, fuzz_count, fuzz_lattice,
                               fuzz_filter};
    if (size == 0) return 0;
    Data data(bytes + 1, size - 1);
    try {
        parts[bytes[0] % parts.size()](data);
    } catch (const std::bad_alloc&) {       // beyond the memory that was allowed
    } catch (const std::overflow_error&) {  // reported as an exception
    }
    return 0;
}
