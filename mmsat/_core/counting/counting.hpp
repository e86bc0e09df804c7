// The Python face of counting, to be added to the module.
#pragma once

#include <nanobind/nanobind.h>

void bind_counting(nanobind::module_& m);
