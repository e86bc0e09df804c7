// Python bindings of the searches (search.hpp, weighted_search.hpp) and of the surrogate filter.
#include "search/search.hpp"
#include "search/surrogate_filter.hpp"
#include "search/weighted_search.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "bindings.hpp"
#include "search/variable_map.hpp"

namespace mmsat::search {

namespace {

using Colors = Array<const std::uint16_t, 1>;
using Numbers = std::vector<std::int32_t>;
using ReadLiteral = std::variant<std::int32_t, Numbers>;
using ReadConstraints =
    std::vector<std::tuple<std::vector<ReadLiteral>, std::int32_t, std::int32_t>>;

// Add a constraint with conjunctions, which is evaluated on complete codes. During the search, a
// necessary condition without conjunctions is checked: choose one literal of each conjunction; if
// `low` conjunctions are true, then `low` chosen literals are true. A literal about a peg is chosen
// if possible, because it is decided first. If `is_graded`, an impossible constraint of a row does
// not prune, because its penalty depends on the complete code.
void read_late(const std::vector<Numbers>& conjunctions, std::int32_t low, std::int32_t high,
               std::int32_t row, const VariableMap& variables, bool is_graded, Constraints& list) {
    LateConstraint late{{}, low, high, row};
    Constraint condition{{}, low, 0, row};
    for (const Numbers& conjunction : conjunctions) {
        std::vector<ResolvedLiteral>& resolved = late.conjunctions.emplace_back();
        for (std::int32_t literal : conjunction) resolved.push_back(variables.resolve(literal));
        const auto peg_literal =
            std::find_if(conjunction.begin(), conjunction.end(),
                         [&](std::int32_t literal) { return variables.is_peg_literal(literal); });
        if (conjunction.empty())
            --condition.low;
        else
            condition.literals.push_back(peg_literal == conjunction.end() ? conjunction.front()
                                                                          : *peg_literal);
    }
    const bool is_possible = high >= std::max(low, 0) || (is_graded && row >= 0);
    condition.high = is_possible ? static_cast<std::int32_t>(condition.literals.size()) : -1;
    list.late.push_back(std::move(late));
    list.early.push_back(std::move(condition));
}

void read_constraints(const ReadConstraints& constraints, std::int32_t row,
                      const VariableMap& variables, bool is_graded, Constraints& list) {
    for (const auto& [literals, low, high] : constraints) {
        require(is_within_limits(literals.size(), low, high), kLimitsRule);
        bool has_conjunctions = false;
        Numbers numbers;
        numbers.reserve(literals.size());
        for (const ReadLiteral& literal : literals) {
            if (const auto* number = std::get_if<std::int32_t>(&literal)) {
                variables.check(*number);
                numbers.push_back(*number);
            } else {
                has_conjunctions = true;
                for (std::int32_t member : std::get<Numbers>(literal)) variables.check(member);
            }
        }
        // Only a constraint without conjunctions can be evaluated during the search.
        if (!has_conjunctions) {
            list.early.push_back({std::move(numbers), low, high, row});
            continue;
        }
        std::vector<Numbers> conjunctions;
        conjunctions.reserve(literals.size());
        for (const ReadLiteral& literal : literals) {
            if (const auto* number = std::get_if<std::int32_t>(&literal))
                conjunctions.push_back({*number});
            else
                conjunctions.push_back(std::get<Numbers>(literal));
        }
        read_late(conjunctions, low, high, row, variables, is_graded, list);
    }
}

Table read_table(const Colors& table, std::size_t pegs, std::size_t colors) {
    const std::uint16_t* const begin = table.data();
    const std::uint16_t* const end = begin + table.size();
    require(table.size() % pegs == 0, "every code of the table has the game's pegs");
    require(std::all_of(begin, end, [&](std::uint16_t color) { return color < colors; }),
            "every color of the table is below colors");
    for (std::size_t next = pegs; next < table.size(); next += pegs) {
        const std::uint16_t* const code = begin + next;
        require(std::lexicographical_compare(code - pegs, code, code, code + pegs),
                "the codes of the table are in order and distinct");
    }
    return Table(begin, end);
}

// The penalty of a row is below 2**31, so slack + penalty fits in 32 bits.
void check_slack(std::uint32_t slack) {
    require(slack <= 1u << 31, "slack is at most 2**31");
}

constexpr const char* kRelaxableRule = "relaxable rows are numbers of rows, from 0";

Search make_search(std::size_t pegs, std::size_t colors, const ReadConstraints& hard,
                   const std::vector<ReadConstraints>& rows, std::uint32_t slack,
                   const std::optional<Colors>& table, bool is_graded) {
    check_slack(slack);
    const VariableMap variables = VariableMap::of(pegs, colors);
    Constraints list;
    read_constraints(hard, -1, variables, is_graded, list);
    std::int32_t row = 0;
    for (const ReadConstraints& constraints : rows)
        read_constraints(constraints, row++, variables, is_graded, list);
    std::optional<Table> codes;
    if (table) codes = read_table(*table, pegs, colors);
    return Search(pegs, colors, std::move(list), slack, std::move(codes), is_graded);
}

// Constraints in which each distinct conjunction is replaced by a number above those of the game's
// variables.
struct NumberedConstraints {
    std::vector<Constraint> constraints;
    std::map<Numbers, std::int32_t> numbers;
    Conjunctions conjunctions;

    void add(const ReadConstraints& new_constraints, std::int32_t row,
             const VariableMap& variables) {
        for (const auto& [literals, low, high] : new_constraints) {
            require(is_within_limits(literals.size(), low, high), kLimitsRule);
            Constraint& constraint = constraints.emplace_back(Constraint{{}, low, high, row});
            for (const ReadLiteral& literal : literals) {
                if (const auto* number = std::get_if<std::int32_t>(&literal)) {
                    variables.check(*number);
                    constraint.literals.push_back(*number);
                } else {
                    constraint.literals.push_back(number_of(std::get<Numbers>(literal), variables));
                }
            }
        }
    }

    std::int32_t number_of(const Numbers& members, const VariableMap& variables) {
        for (std::int32_t member : members) variables.check(member);
        const auto next = static_cast<std::int32_t>(conjunctions.size() + 1);
        const auto [entry, is_new] =
            numbers.emplace(members, 2 * variables.pegs * variables.colors + next);
        if (is_new) conjunctions.push_back(members);
        return entry->second;
    }
};

WeightedSearch make_weighted_search(std::size_t pegs, std::size_t colors,
                                    const ReadConstraints& hard,
                                    const std::vector<ReadConstraints>& rows,
                                    const std::vector<std::int32_t>& relaxable_rows,
                                    std::size_t max_violated_rows,
                                    const std::optional<WeightedSearch::Weights>& weights) {
    const VariableMap variables = VariableMap::of(pegs, colors);
    NumberedConstraints numbered;
    numbered.add(hard, -1, variables);
    std::int32_t row = 0;
    for (const ReadConstraints& constraints : rows) numbered.add(constraints, row++, variables);
    std::vector<char> is_relaxable(rows.size(), 0);
    for (std::int32_t relaxable_row : relaxable_rows) {
        require(relaxable_row >= 0 && relaxable_row < row, kRelaxableRule);
        is_relaxable[relaxable_row] = 1;
    }
    WeightedSearch search(pegs, colors, numbered.constraints, numbered.conjunctions,
                          std::move(is_relaxable), max_violated_rows);
    if (weights) {
        require(weights->size() == search.weights().size(),
                "weights are those of a search with as many rows, pegs and colors");
        require(std::all_of(weights->begin(), weights->end(),
                            [](double weight) { return weight > 0 && std::isfinite(weight); }),
                "weights are finite and above 0");
        search.set_weights(*weights);
    }
    return search;
}

using Choices = std::vector<std::vector<std::int64_t>>;

// Return, by color, whether each choice is possible; nullopt if filter_choices() returns false.
std::optional<std::vector<std::vector<bool>>> surrogate_filter(
    const std::vector<Choices>& contributions, std::vector<std::int64_t> low,
    std::vector<std::int64_t> high, std::uint32_t max_rounds, std::uint32_t max_stalled_rounds) {
    require(!contributions.empty() && low.size() == contributions.size() &&
                high.size() == contributions.size(),
            "each sum has contributions and bounds, and there is one at least");
    CountSums counts{{0}, {}, std::move(low), std::move(high)};
    for (const auto& choices : contributions.front()) {
        require(!choices.empty(), "each color has a choice");
        counts.first_choices.push_back(counts.num_choices() + choices.size());
    }
    double largest_total = 0;  // bound on the weighted total of all sums, in all rounds
    for (std::size_t sum = 0; sum < contributions.size(); ++sum) {
        require(contributions[sum].size() == counts.num_colors(), "all sums have the same colors");
        double largest_move = std::max(std::abs(static_cast<double>(counts.low[sum])),
                                       std::abs(static_cast<double>(counts.high[sum])));
        for (std::size_t color = 0; color < counts.num_colors(); ++color) {
            const auto& choices = contributions[sum][color];
            require(choices.size() == counts.first_choices[color + 1] - counts.first_choices[color],
                    "all sums have the same choices");
            double largest_contribution = 0;
            for (std::int64_t value : choices)
                largest_contribution =
                    std::max(largest_contribution, std::abs(static_cast<double>(value)));
            largest_move += 2 * largest_contribution;
            counts.contributions.insert(counts.contributions.end(), choices.begin(), choices.end());
        }
        largest_total += largest_move * largest_move * (1.0 + max_rounds);
    }
    if (largest_total >= 0x1p62) throw std::overflow_error("the sums are too large");
    std::vector<char> is_choice_possible;
    bool is_possible = false;
    {
        nb::gil_scoped_release release;
        is_possible = filter_choices(counts, max_rounds, max_stalled_rounds, is_choice_possible);
    }
    if (!is_possible) return std::nullopt;
    std::vector<std::vector<bool>> by_color;
    for (std::size_t color = 0; color < counts.num_colors(); ++color)
        by_color.emplace_back(
            is_choice_possible.begin() + static_cast<std::ptrdiff_t>(counts.first_choices[color]),
            is_choice_possible.begin() +
                static_cast<std::ptrdiff_t>(counts.first_choices[color + 1]));
    return by_color;
}

}  // namespace

}  // namespace mmsat::search

void mmsat::bind_search(nb::module_& m) {
    using namespace search;
    nb::enum_<SearchStatus>(m, "SearchStatus")
        .value("BUDGET_SPENT", SearchStatus::budget_spent)
        .value("CODE_FOUND", SearchStatus::code_found)
        .value("EXHAUSTED", SearchStatus::exhausted);

    nb::class_<Search>(m, "Search", "Codes that satisfy constraints, in lexicographic order.")
        .def(nb::new_(&make_search), "pegs"_a, "colors"_a, "hard"_a, "rows"_a, "slack"_a = 0,
             "table"_a = nb::none(), "graded"_a = false,
             "`table` has the colors of the allowed codes, sorted, one code after the other. If "
             "`graded`, the penalty of a violated row is its largest violation instead of 1.")
        .def("advance", &Search::advance, "nodes"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Resume the search for the next code, visiting at most `nodes` nodes.")
        .def("count", &Search::count, "nodes"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Resume counting codes, visiting at most `nodes` nodes.")
        .def_prop_ro(
            "code", [](const Search& self) { return as_tuple(self.code()); },
            "The last code found; colors are numbered from 0.")
        .def_prop_ro("penalty", &Search::penalty,
                     "The total penalty of the rows that the last code violates.")
        .def(
            "set_slack",
            [](Search& self, std::uint32_t slack) {
                check_slack(slack);
                self.set_slack(slack);
            },
            "slack"_a, "Set the maximum penalty of the following codes.")
        .def_prop_ro("num_codes", &Search::num_codes, "The number of codes found so far.");

    nb::class_<WeightedSearch>(m, "WeightedSearch", "Depth-first search with constraint weights.")
        .def(nb::new_(&make_weighted_search), "pegs"_a, "colors"_a, "hard"_a, "rows"_a,
             "relaxable_rows"_a = std::vector<std::int32_t>{}, "max_violated_rows"_a = 0,
             "weights"_a = nb::none())
        .def("advance", &WeightedSearch::advance, "failures"_a,
             nb::call_guard<nb::gil_scoped_release>(),
             "Resume the search for the next code, for at most `failures` failures.")
        .def(
            "exclude",
            [](WeightedSearch& self, std::vector<std::int32_t> rows) {
                // An empty set would exclude every code.
                require(!rows.empty(), "an excluded set has a row at least");
                const auto num_rows = static_cast<std::int32_t>(self.num_rows());
                for (std::int32_t row : rows) require(row >= 0 && row < num_rows, kRelaxableRule);
                self.exclude(std::move(rows));
            },
            "rows"_a,
            "Exclude the codes that violate all of these rows. Raises ValueError if there are no "
            "rows.")
        .def_prop_ro("code", [](const WeightedSearch& self) { return as_tuple(self.code()); })
        .def_prop_ro("failures", &WeightedSearch::failures)
        .def_prop_ro("used_rows",
                     [](const WeightedSearch& self) {
                         std::vector<std::int32_t> rows;
                         for (std::size_t row = 0; row < self.num_rows(); ++row)
                             if (self.is_used(row)) rows.push_back(static_cast<std::int32_t>(row));
                         return rows;
                     })
        .def_prop_ro("weights", [](const WeightedSearch& self) { return self.weights(); });

    m.def("surrogate_filter", &surrogate_filter, "contributions"_a, "low"_a, "high"_a,
          "max_rounds"_a, "max_stalled_rounds"_a,
          "Return by color which choices no weighted total of the sums rules out, or None if a "
          "color has no such choice.");
}
