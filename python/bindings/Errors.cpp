#include <pybind11/pybind11.h>

#include <exception>

#include "openmi/sdk/Error.hpp"
#include "python/bindings/Module.hpp"

namespace openmi::python {
namespace py = pybind11;

namespace {

template <class One, class... Others>
const char* NameAmong(const Error& error, const char* name, auto... names) {
  if (dynamic_cast<const One*>(&error) != nullptr) return name;
  if constexpr (sizeof...(Others) == 0) {
    return "Error";
  } else {
    return NameAmong<Others...>(error, names...);
  }
}

const char* NameOf(const Error& error) {
  return NameAmong<FileError, FormatError, ArgumentError, UnitError, LinkError, RangeError, TypeError, StateError,
                   LoadError, ModelError, DepthError>(error, "FileError", "FormatError", "ArgumentError", "UnitError",
                                                      "LinkError", "RangeError", "TypeError", "StateError", "LoadError",
                                                      "ModelError", "DepthError");
}

// The Python exception of `error`.
py::object ToPython(const Error& error) {
  using namespace py::literals;
  const Where& where = error.Place();
  return py::module_::import("openmi.errors")
      .attr(NameOf(error))(error.Problem(), error.Remedy(), "file"_a = where.file, "line"_a = where.line,
                           "component"_a = where.component, "item"_a = where.item);
}

}  // namespace

void TranslateErrors() {
  py::register_exception_translator([](std::exception_ptr given) {  // NOLINT(performance-unnecessary-value-param)
    if (!given) return;
    try {
      std::rethrow_exception(given);
    } catch (const Error& error) {
      const py::object raised = ToPython(error);
      PyErr_SetObject(py::type::handle_of(raised).ptr(), raised.ptr());
    }
  });
}

}  // namespace openmi::python
