// The Python face of annealing, to be added to the module.
#pragma once

#include <nanobind/nanobind.h>

void bind_annealing(nanobind::module_& m);
