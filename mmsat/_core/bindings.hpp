// What the bindings of all kernels share. Each part of the kernel has a *_bindings.cpp, which alone
// knows Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "interrupt.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace mmsat {

// An array of Python, read or (where the unit is not const) written in place.
template <class Unit, std::size_t dimensions>
using Array = nb::ndarray<Unit, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;

// Raises ValueError with the rule where it is not kept.
inline void require(bool kept, const char* rule) {
    if (!kept) throw nb::value_error(rule);
}

// Throws what Python has to raise, such as KeyboardInterrupt.
inline void check_signals() {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// Ctrl-C ends long work, and so does what the call raises, unless that is None.
inline Interrupt::Poll make_poll(nb::object call) {
    return [call = std::move(call)] {
        check_signals();
        nb::gil_scoped_acquire acquire;
        if (!call.is_none()) call();
    };
}

template <class Code>
nb::tuple as_tuple(const Code& code) {
    nb::list list;
    for (auto color : code) list.append(int{color});
    return nb::tuple(list);
}

void bind_batch(nb::module_& m);
void bind_search(nb::module_& m);
void bind_annealer(nb::module_& m);
void bind_lattice(nb::module_& m);
void bind_counting(nb::module_& m);
void bind_proof(nb::module_& m);
void bind_strategy(nb::module_& m);
void bind_optimal(nb::module_& m);
void bind_response(nb::module_& m);
void bind_separation(nb::module_& m);

}  // namespace mmsat
