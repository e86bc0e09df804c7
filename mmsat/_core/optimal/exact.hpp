// The Python face of the search for optimal strategies.
#pragma once

#include <nanobind/nanobind.h>

void add_exact(nanobind::module_& m);
