// Helpers shared by the bindings of all kernel parts. Only the *_bindings.cpp files of the parts
// (and this header) use Python.
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

// A C-contiguous NumPy array (or buffer) in CPU memory. It is writable unless Element is const. The
// array shares the memory of the Python object and keeps that object alive.
template <class Element, std::size_t dimensions>
using Array = nb::ndarray<Element, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;

// Raise ValueError with the message `rule` if the rule does not hold.
inline void require(bool holds, const char* rule) {
    if (!holds) throw nb::value_error(rule);
}

// Run pending Python signal handlers and throw the exception that they raise, such as
// KeyboardInterrupt. Acquires the GIL, so it may be called while the GIL is released.
inline void check_signals() {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// Return a function for Interrupt that handles signals and then calls `callback`, unless `callback`
// is None. An exception raised by either of them ends the computation. The function holds a
// reference to `callback`.
inline Interrupt::Poll make_poll(nb::object callback) {
    return [callback = std::move(callback)] {
        check_signals();
        nb::gil_scoped_acquire acquire;
        if (!callback.is_none()) callback();
    };
}

// Convert a code (a container of colors) to a Python tuple of ints.
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
