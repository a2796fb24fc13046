#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "openmi/sdk/EnumNames.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi::python {

/// A time as `numpy.datetime64[us]`, UTC; "not a time" where it is not finite.
pybind11::object TimeToPython(Stamp time);
/// A span as `numpy.timedelta64[us]`.
pybind11::object SpanToPython(Days span);
/// Times as an array of `datetime64[us]`; shape [n].
pybind11::object TimesToPython(std::span<const double> mjd);

/// A time of `numpy.datetime64[us]`: microseconds since 1970.
/// \throws RangeError  it is "not a time"
Stamp TimeFromMicros(std::int64_t micros);
/// A time from a text after ISO 8601 with its zone, a `datetime` or a `numpy.datetime64`; the last two are UTC unless
/// they state another zone.
/// \throws FormatError, TypeError  it is none of these
Stamp TimeFromPython(pybind11::handle given);
/// A span from a text after ISO 8601 or with a unit ("PT1H", "30 min"), a `timedelta` or a `numpy.timedelta64`.
/// \throws FormatError, TypeError  it is none of these
Days SpanFromPython(pybind11::handle given);

/// A row of numbers as a new array; shape [elements].
pybind11::array_t<double> RowToPython(std::span<const double> row);

/// The value of a name.
/// \param what  what has the names, for the message
/// \throws ArgumentError  the name is none of these; lists them
template <class E>
E EnumFromPython(const EnumNames<E>& names, const std::string& name, const char* what) {
  if (const std::optional<E> found = names.Find(name)) return *found;
  const std::vector<std::string> all = names.List();
  throw ArgumentError({.item = what}, std::string("expected a value of '") + what + "', found " + Quoted(name),
                      Suggest(name, all));
}

}  // namespace openmi::python
