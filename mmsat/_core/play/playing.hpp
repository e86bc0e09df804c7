// The Python face of the kernels that play.
#pragma once

#include <nanobind/nanobind.h>

void add_playing(nanobind::module_& m);
