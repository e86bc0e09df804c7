// Python bindings of the proof checker and the trimmer.
#include <nanobind/stl/string.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "proof/lrat.hpp"
#include "proof/trimmer.hpp"

namespace mmsat::proof {

namespace {

using Literals = Array<const std::int32_t, 1>;

constexpr std::size_t kMaxVariables = std::size_t{1} << 28;
constexpr std::size_t kMaxClauses = std::size_t{1} << 31;  // clause numbers then fit in 32 bits

std::vector<std::int32_t> check_clauses(std::size_t num_variables, const Literals& literals) {
    if (num_variables > kMaxVariables) throw nb::value_error("more than 2**28 variables");
    const auto max_variable = static_cast<std::int64_t>(num_variables);
    for (std::size_t i = 0; i < literals.size(); ++i)
        if (std::llabs(literals.data()[i]) > max_variable)
            throw nb::value_error("a literal exceeds the number of variables");
    if (literals.size() > 0 && literals.data()[literals.size() - 1] != 0)
        throw nb::value_error("the last clause does not end with 0");
    return {literals.data(), literals.data() + literals.size()};
}

std::string as_string(const nb::bytes& proof) {
    return {proof.c_str(), proof.size()};
}

// Return a checker or a trimmer, after validation of the arguments.
template <class Checker, class... Options>
Checker make_checker(std::size_t num_variables, const Literals& formula, const nb::bytes& proof,
                     Options... options) {
    // Every clause of a proof has at least two bytes.
    if (formula.size() + proof.size() / 2 >= kMaxClauses)
        throw nb::value_error("formula and proof have 2**31 or more clauses");
    return Checker(num_variables, check_clauses(num_variables, formula), as_string(proof),
                   options...);
}

}  // namespace

}  // namespace mmsat::proof

void mmsat::bind_proof(nb::module_& m) {
    using namespace proof;
    nb::enum_<Check>(m, "Check")
        .value("UNFINISHED", Check::unfinished)
        .value("HOLDS", Check::holds)
        .value("FAILS", Check::fails);

    nb::class_<LratChecker>(m, "LratChecker", "Checks an LRAT proof line by line.")
        .def(nb::new_(&make_checker<LratChecker, std::int32_t>), "variables"_a, "formula"_a,
             "proof"_a, "goal"_a = 0,
             "Each clause of the formula ends with 0. The last lemma is the literal `goal`, or the "
             "empty clause if `goal` is 0.")
        .def("advance", &LratChecker::advance, "work"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Check lines with about `work` literals.")
        .def_prop_ro("line", &LratChecker::line,
                     "The number of the last line that was read. Lines are numbered from 1.")
        .def_prop_ro("position", &LratChecker::position,
                     "The number of bytes of the proof read so far.")
        .def_prop_ro("lemmas", &LratChecker::num_lemmas, "The number of lemmas checked so far.")
        .def_prop_ro("fault", &LratChecker::fault,
                     "The reason for the rejection, or an empty string.");

    nb::class_<Trimmer>(m, "Trimmer",
                        "Converts a DRUP proof to an LRAT proof with only the needed lemmas.")
        .def(nb::new_(&make_checker<Trimmer>), "variables"_a, "formula"_a, "proof"_a,
             "Each clause of the formula ends with 0.")
        .def("advance", &Trimmer::advance, "work"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Visit about `work` more literals.")
        .def_prop_ro("done", &Trimmer::num_steps_done,
                     "The number of steps done, about two per line of the proof.")
        .def_prop_ro("steps", &Trimmer::num_steps, "The number of steps in total.")
        .def_prop_ro("lemmas", &Trimmer::num_input_lemmas, "The number of lemmas in the input.")
        .def_prop_ro("kept", &Trimmer::num_output_lemmas, "The number of lemmas in the output.")
        .def_prop_ro(
            "lrat",
            [](const Trimmer& self) { return nb::bytes(self.lrat().data(), self.lrat().size()); },
            "The LRAT proof once advance() has returned HOLDS.")
        .def_prop_ro("fault", &Trimmer::fault, "The reason for the failure, or an empty string.");
}
