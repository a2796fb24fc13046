#pragma once

#include <Python.h>

#include "openmi/c/openmi_component.h"

namespace openmi::interpreter {

/// Opens and closes files with components in Python (openmi_language).
const openmi_language& Language();

/// The types of components in one file; the table of each is filled from its class.
const openmi_component_library* OpenTypes(const char* name, int is_module, openmi_complain complain, void* to);
const char* const* FilesOf(const openmi_component_library* types);
const char* const* SupportFiles();
int Fill(const char* interface, const char* name, int is_module, const char* type, void* table,
         openmi_complain complain, void* to);
void CloseTypes(const openmi_component_library* types);

/// The functions of a component that its class has, as flags for FillTable.
struct Functions {
  bool finish, step_end, state, balance;
};

/// Writes into a table the functions that call an object in Python.
void FillTable(openmi_component& table, const Functions& has);

/// The same for an adaptor.
void FillTable(openmi_adaptor& table);

/// The class of a type.
PyObject* ClassOf(const openmi_component& type);
PyObject* ClassOf(const openmi_adaptor& type);

/// Calls `take` with the Python error that is set, which is cleared, as a report: the sentence, and the innermost line
/// of the user's own files.
/// \param of  the class of the component or adaptor; null: none
void ReportError(const char* function, PyObject* of, openmi_complain take, void* to);

}  // namespace openmi::interpreter
