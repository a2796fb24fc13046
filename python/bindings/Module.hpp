#pragma once

#include <pybind11/pybind11.h>

// The parts of the module `openmi._openmi`. Python calls their functions with its lock (GIL): what loads, computes or
// waits releases it; objects of Python are made, used and dropped with it. Texts, numbers and lists are copied at the
// border, rows of results are not.
namespace openmi::python {

/// Makes C++ exceptions of the family of `openmi::Error` the exceptions of the same name in the package
/// (`openmi/errors.py`), with the parts of the message as attributes.
void TranslateErrors();

/// The structs of the composition file: `ComponentSpec`, `LinkSpec` and the others.
void AddSpecs(pybind11::module_& module);
/// The class `Model`.
void AddModel(pybind11::module_& module);
/// The class `Problem`, and the functions that check a composition or an OMI file, in this process or in children.
void AddCheck(pybind11::module_& module);
/// The class `Rows`, and the function that reads a file of results.
void AddResults(pybind11::module_& module);
/// The classes `Run`, `Checkpoint` and `Progress`.
void AddRun(pybind11::module_& module);
/// The classes `Study`, `StudyQueue`, `StudyWorker` and `StudyProgress`; left out where studies are not built.
void AddStudy(pybind11::module_& module);

}  // namespace openmi::python
