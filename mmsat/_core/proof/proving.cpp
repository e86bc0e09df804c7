// The Python face of proofs.
#include "proving.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "lrat.hpp"
#include "trimmer.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Literals = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

constexpr std::size_t most_variables = std::size_t{1} << 28;

std::vector<std::int32_t> clauses(std::size_t variables, const Literals& flat) {
    if (variables > most_variables) throw nb::value_error("there are at most 2**28 variables");
    const auto most = static_cast<std::int64_t>(variables);
    for (std::size_t at = 0; at < flat.size(); ++at)
        if (std::llabs(flat.data()[at]) > most)
            throw nb::value_error("no literal is beyond variables");
    if (flat.size() > 0 && flat.data()[flat.size() - 1] != 0)
        throw nb::value_error("every clause ends with 0");
    return {flat.data(), flat.data() + flat.size()};
}

std::string text(const nb::bytes& proof) {
    return {proof.c_str(), proof.size()};
}

template <class Checker>
Checker made(std::size_t variables, const Literals& formula, const nb::bytes& proof) {
    return Checker(variables, clauses(variables, formula), text(proof));
}

}  // namespace

void bind_proving(nb::module_& m) {
    nb::enum_<mmsat::Check>(m, "Check")
        .value("GOING_ON", mmsat::Check::going_on)
        .value("HOLDS", mmsat::Check::holds)
        .value("FAILS", mmsat::Check::fails);

    nb::class_<mmsat::LratChecker>(m, "LratChecker", "Checks a proof in LRAT, line by line.")
        .def(nb::new_(&made<mmsat::LratChecker>), "variables"_a, "formula"_a, "proof"_a,
             "The formula's clauses each end with 0.")
        .def("advance", &mmsat::LratChecker::advance, "work"_a,
             nb::call_guard<nb::gil_scoped_release>(),
             "Check on until about so many literals were looked at.")
        .def_prop_ro("line", &mmsat::LratChecker::line, "The line read last, from 1.")
        .def_prop_ro("position", &mmsat::LratChecker::position, "Bytes of the proof read so far.")
        .def_prop_ro("lemmas", &mmsat::LratChecker::lemmas, "Lemmas that were shown so far.")
        .def_prop_ro("fault", &mmsat::LratChecker::fault, "What is wrong in that line.");

    nb::class_<mmsat::Trimmer>(m, "Trimmer",
                               "Turns a solver's DRUP into LRAT that has no more than "
                               "is needed.")
        .def(nb::new_(&made<mmsat::Trimmer>), "variables"_a, "formula"_a, "proof"_a,
             "The formula's clauses each end with 0.")
        .def("advance", &mmsat::Trimmer::advance, "work"_a,
             nb::call_guard<nb::gil_scoped_release>(),
             "Work on until about so many literals were looked at.")
        .def_prop_ro("done", &mmsat::Trimmer::done, "Steps done ...")
        .def_prop_ro("steps", &mmsat::Trimmer::steps, "... of so many.")
        .def_prop_ro("lemmas", &mmsat::Trimmer::lemmas, "Lemmas that were read.")
        .def_prop_ro("kept", &mmsat::Trimmer::kept, "Lemmas that were written.")
        .def_prop_ro(
            "lrat",
            [](const mmsat::Trimmer& self) {
                return nb::bytes(self.lrat().data(), self.lrat().size());
            },
            "The proof, once it is whole.")
        .def_prop_ro("fault", &mmsat::Trimmer::fault, "Why there is none.");
}
