// Python bindings of the search for optimal strategies.
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "optimal/answer_table.hpp"
#include "optimal/optimal.hpp"

namespace mmsat::optimal {

namespace {

// A search together with the Python arrays that it points into. The search is the last member, so
// it is destroyed first.
struct PythonOptimal {
    nb::object by_code;
    nb::object by_guess;
    nb::object follows;
    Optimal search;
};

// The sum of the squared class sizes must fit in a Candidate.
constexpr std::size_t kMaxCodes = std::size_t{1} << 15;
// Maximum estimated cost. The sum over all classes must fit in a Candidate, too.
constexpr Total kMaxCost = 1 << 22;

Total check_total(Total total) {
    require(total >= 0 && total <= kImpossible, "a total is 0 to 2**28");
    return total;
}

// Return the possible codes after validation; an empty list means all codes.
std::vector<std::int32_t> check_possible(std::vector<std::int32_t> possible, std::size_t codes) {
    if (possible.empty()) {
        possible.resize(codes);
        std::iota(possible.begin(), possible.end(), 0);
    }
    require(are_codes(possible, codes), "possible codes are numbers of codes, ascending");
    return possible;
}

PythonOptimal* make_optimal(const Cells& codes, std::size_t colors, const Cells& by_code,
                            const Cells& by_guess, std::size_t num_answers, bool pegs_alike,
                            bool colors_alike, bool same_answers, int max_guesses,
                            bool consistent_only, bool stop_at_first, int threads, int memo_bits,
                            std::vector<std::int32_t> possible, std::uint64_t max_sets,
                            std::vector<std::uint16_t> kinds, std::optional<Cells> follows,
                            int partition_hash_bits) {
    require(codes.shape(0) >= 1 && codes.shape(0) <= kMaxCodes, "there are 1 to 32768 codes");
    require(num_answers >= 1 && num_answers <= Answers::kMaxAnswers, "there are 1 to 254 answers");
    require(max_guesses >= 0 && max_guesses <= 64, "max_guesses is 0 to 64");
    require(threads >= 1 && threads <= 1024, "threads is 1 to 1024");
    require(memo_bits >= 4 && memo_bits <= 34, "memo_bits is 4 to 34");
    require(partition_hash_bits >= 0 && partition_hash_bits <= 64,
            "partition_hash_bits is 0 to 64");
    const Request request{max_guesses, consistent_only, stop_at_first,      threads,
                          memo_bits,   max_sets,        partition_hash_bits};
    const Answers answers = check_answers(codes, by_code, by_guess, num_answers);
    Canonicalizer canonicalizer =
        check_codes(codes, colors, {pegs_alike, colors_alike, same_answers});
    HardMode hard;
    if (follows) {
        require(!pegs_alike && !colors_alike, "hard mode has no symmetries");
        require(
            kinds.size() == codes.shape(0) && follows->shape(1) == num_answers &&
                follows->shape(0) ==
                    num_answers * (std::size_t{1} + *std::max_element(kinds.begin(), kinds.end())),
            "hard mode has a kind for each guess, and a row for each kind and answer");
        for (std::size_t cell = 0; cell < follows->size(); ++cell)
            require(follows->data()[cell] <= 1, "hard mode has cells of 1 or 0");
        hard = {std::move(kinds), follows->data()};
    }
    return new PythonOptimal{
        nb::cast(by_code),
        nb::cast(by_guess),
        follows ? nb::cast(*follows) : nb::none(),
        {answers, std::move(canonicalizer), request,
         check_possible(std::move(possible), codes.shape(0)), std::move(hard)},
    };
}

nb::list findings(PythonOptimal& self) {
    nb::list list;
    for (const Finding& finding : self.search.findings())
        list.append(nb::make_tuple(finding.key.first, finding.key.second, finding.known.total,
                                   finding.known.is_exact));
    return list;
}

void recall(PythonOptimal& self, const nb::list& list) {
    std::vector<Finding> findings;
    for (nb::handle finding : list) {
        const auto item = nb::cast<nb::tuple>(finding);
        findings.push_back({{nb::cast<std::uint64_t>(item[0]), nb::cast<std::uint64_t>(item[1])},
                            {check_total(nb::cast<Total>(item[2])), nb::cast<bool>(item[3])}});
    }
    self.search.recall(findings);
}

}  // namespace

}  // namespace mmsat::optimal

void mmsat::bind_optimal(nb::module_& m) {
    using namespace optimal;
    nb::class_<PythonOptimal>(m, "Optimal",
                              "Search for a strategy with the minimum total number of guesses.")
        .def(nb::new_(&make_optimal), "codes"_a, "colors"_a, "by_code"_a, "by_guess"_a, "answers"_a,
             "pegs_alike"_a, "colors_alike"_a, "same_answers"_a, "max_guesses"_a = 0,
             "consistent_only"_a = false, "stop_at_first"_a = false, "threads"_a = 1,
             "memo_bits"_a = 20, "possible"_a = std::vector<std::int32_t>(), "max_sets"_a = 0,
             "kinds"_a = std::vector<std::uint16_t>(), "follows"_a = nb::none(),
             "partition_hash_bits"_a = 64)
        .def(
            "start",
            [](PythonOptimal& self, Total bound) { self.search.start(check_total(bound)); },
            "bound"_a, nb::call_guard<nb::gil_scoped_release>(),
            "Search in the background for a strategy with a total below the bound.")
        .def(
            "start_beam",
            [](PythonOptimal& self, std::size_t width, std::size_t exact_size,
               std::vector<Total> costs) {
                require(width >= 1, "width is at least 1");
                require(costs.size() > self.search.codes(),
                        "there is a cost for each number of codes");
                for (const Total cost : costs)
                    require(cost >= 0 && cost <= kMaxCost, "a cost is 0 to 2**22");
                self.search.start_beam(width, exact_size, std::move(costs));
            },
            "width"_a, "exact_size"_a, "costs"_a, nb::call_guard<nb::gil_scoped_release>(),
            "Search in the background for a good strategy: for sets of more than `exact_size` "
            "codes, only the `width` guesses with the smallest estimated costs are tried.")
        .def(
            "start_tree",
            [](PythonOptimal& self, Total total) { self.search.start_tree(check_total(total)); },
            "total"_a, nb::call_guard<nb::gil_scoped_release>(),
            "Build a strategy with a total that was found.")
        .def(
            "wait", [](PythonOptimal& self, double seconds) { return self.search.wait(seconds); },
            "seconds"_a, nb::call_guard<nb::gil_scoped_release>(),
            "Wait up to `seconds` and return whether the work has ended.")
        .def(
            "stop", [](PythonOptimal& self) { self.search.stop(); },
            nb::call_guard<nb::gil_scoped_release>(), "Stop the work and wait for its end.")
        .def_prop_ro(
            "total", [](const PythonOptimal& self) { return self.search.total(); },
            "The minimum total if it is below the bound of start(); otherwise a lower bound.")
        .def_prop_ro(
            "progress",
            [](const PythonOptimal& self) {
                const Progress progress = self.search.progress();
                return nb::make_tuple(progress.best, progress.bound, progress.fraction_done,
                                      progress.num_sets);
            },
            "The best total, the lower bound, the fraction done, the number of sets searched.")
        .def_prop_ro(
            "hash_error_bound",
            [](const PythonOptimal& self) { return self.search.hash_error_bound(); },
            "Upper bound on the probability that two sets of codes were confused so far.")
        .def_prop_ro(
            "tree", [](const PythonOptimal& self) { return self.search.tree(); },
            "The guesses in preorder, the classes of a guess in the order of their answers.")
        .def("findings", &findings, "Return the sets that took much work since the last call.")
        .def("recall", &recall, "findings"_a,
             "Use the findings of an earlier search of the same game.");
    m.attr("IMPOSSIBLE") = kImpossible;
}
