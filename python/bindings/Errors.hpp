#pragma once

#include <pybind11/pybind11.h>

#include "openmi/sdk/Error.hpp"

namespace openmi::python {

/// Makes C++ exceptions of the family of `openmi::Error` the exceptions of the same name in the package
/// (`openmi/errors.py`), with the parts of the message as attributes.
void TranslateErrors();

/// The Python exception of `error`. The caller holds the GIL.
pybind11::object ToPython(const Error& error);

}  // namespace openmi::python
