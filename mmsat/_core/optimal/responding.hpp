#pragma once

#include <nanobind/nanobind.h>

void add_responding(nanobind::module_& m);
