// Python bindings of the search for best responses to a codemaker who prefers some codes
// (response.hpp).
#include <algorithm>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "optimal/answer_table.hpp"
#include "optimal/response.hpp"

namespace mmsat::optimal {

namespace {

// Return the maximum sum of the weights of all codes. Multiplied by the depth of the deepest tree
// (one guess per code), it is below Response::kInfiniteCost.
Response::Cost max_total_weight(std::size_t codes) {
    constexpr Response::Cost kMaxTotalWeight = Response::Cost{1} << 48;
    return std::min(kMaxTotalWeight,
                    (Response::Cost{1} << 60) / static_cast<Response::Cost>(codes));
}

// A search together with the Python arrays that it points into. The search is the last member, so
// it is destroyed first.
struct PythonResponse {
    nb::object by_code;
    nb::object by_guess;
    Response search;
};

PythonResponse* make_response(const Cells& codes, std::size_t colors, const Cells& by_code,
                              const Cells& by_guess, std::size_t answers, bool pegs_alike,
                              bool colors_alike, bool same_answers, std::vector<std::uint8_t> kinds,
                              std::vector<Response::Cost> weights, nb::object pause,
                              int hash_bits) {
    const std::size_t size = codes.shape(0);
    require(size >= 1 && size <= 65535, "there are 1 to 65535 codes");
    require(answers >= 1 && answers <= 64, "there are 1 to 64 answers");
    const Answers table = check_answers(codes, by_code, by_guess, answers);
    Canonicalizer canonicalizer =
        check_codes(codes, colors, {pegs_alike, colors_alike, same_answers});
    require(kinds.size() == size, "there is a kind for each code");
    require(weights.size() >= 1 && weights.size() <= 64, "there are 1 to 64 kinds");
    require(hash_bits >= 0 && hash_bits <= 64, "hash_bits is 0 to 64");
    Response::Cost sum = 0;
    for (const std::uint8_t kind : kinds) {
        require(kind < weights.size(), "each kind has a weight");
        require(weights[kind] >= 0 && weights[kind] <= max_total_weight(size) - sum,
                "weights are at least 0, and in the sum over all codes not too heavy");
        sum += weights[kind];
    }
    return new PythonResponse{
        nb::cast(by_code),
        nb::cast(by_guess),
        {table, std::move(canonicalizer), std::move(kinds), std::move(weights),
         make_poll(std::move(pause)), hash_bits},
    };
}

}  // namespace

}  // namespace mmsat::optimal

void mmsat::bind_response(nb::module_& m) {
    using namespace optimal;
    nb::class_<PythonResponse>(m, "Response",
                               "Search for a strategy with the minimum weighted total.")
        .def(nb::new_(&make_response), "codes"_a, "colors"_a, "by_code"_a, "by_guess"_a,
             "answers"_a, "pegs_alike"_a, "colors_alike"_a, "same_answers"_a, "kinds"_a,
             "weights"_a, "pause"_a = nb::none(), "hash_bits"_a = 64,
             "`pause` is called at intervals.")
        .def(
            "solve", [](PythonResponse& self) { return self.search.solve(); },
            nb::call_guard<nb::gil_scoped_release>(),
            "Return the minimum sum of each code's number of guesses times the weight of its kind.")
        .def(
            "solve_set",
            [](PythonResponse& self, const std::vector<std::int32_t>& codes,
               std::vector<std::int32_t> guesses) {
                const auto size = static_cast<std::int32_t>(self.search.num_codes());
                require(are_codes(codes, self.search.num_codes()),
                        "codes are numbers of codes, ascending");
                for (const std::int32_t guess : guesses)
                    require(0 <= guess && guess < size, "guesses are numbers of codes");
                return self.search.solve(codes, std::move(guesses));
            },
            "codes"_a, "guesses"_a, nb::call_guard<nb::gil_scoped_release>(),
            "Return the minimum for the codes with some answers to these guesses.")
        .def(
            "tree", [](PythonResponse& self) { return self.search.tree(); },
            nb::call_guard<nb::gil_scoped_release>(),
            "Return the guesses in preorder, the classes of a guess in the order of their answers.")
        .def_prop_ro(
            "sets", [](const PythonResponse& self) { return self.search.num_sets(); },
            "The number of sets searched.");
}
