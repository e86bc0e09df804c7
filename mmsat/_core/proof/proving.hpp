// The Python face of proofs, to be added to the module.
#pragma once

#include <nanobind/nanobind.h>

void bind_proving(nanobind::module_& m);
