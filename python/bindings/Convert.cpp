#include "python/bindings/Convert.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "timespace/times/Iso8601.hpp"

namespace openmi::python {
namespace py = pybind11;

namespace {

constexpr std::int64_t kNotATime = std::numeric_limits<std::int64_t>::min();  // as NumPy writes it
constexpr double kUnixEpoch = 40587.0;                                        // 1970-01-01, Modified Julian Day

/// Microseconds since 1970. Whole days and the rest separately, so that a time of whole microseconds stays one.
std::int64_t MicrosOf(double mjd) {
  if (!std::isfinite(mjd) || std::abs(mjd) > 1e8) return kNotATime;
  const double whole = std::floor(mjd);
  return static_cast<std::int64_t>(whole - kUnixEpoch) * static_cast<std::int64_t>(kMicrosPerDay) +
         std::llround((mjd - whole) * kMicrosPerDay);
}

double MjdOf(std::int64_t micros) {
  const auto per_day = static_cast<std::int64_t>(kMicrosPerDay);
  std::int64_t days = micros / per_day;
  std::int64_t rest = micros % per_day;
  if (rest < 0) {
    rest += per_day;
    --days;
  }
  return static_cast<double>(days) + kUnixEpoch + static_cast<double>(rest) / kMicrosPerDay;
}

/// A type of a module, for the whole life of the program: to look it up takes longer than what is done with it.
template <int>
py::handle Type(const char* module, const char* name) {
  static PyObject* type = nullptr;  // set with the GIL, which an import may give away in between
  if (type == nullptr) type = py::object(py::module_::import(module).attr(name)).release().ptr();
  return type;
}

py::handle Datetime64() {
  return Type<0>("numpy", "datetime64");
}
py::handle Timedelta64() {
  return Type<1>("numpy", "timedelta64");
}
py::handle Datetime() {
  return Type<2>("datetime", "datetime");
}
py::handle Timedelta() {
  return Type<3>("datetime", "timedelta");
}

[[noreturn]] void ThrowType(py::handle given, const char* expected, const char* remedy) {
  throw TypeError({}, std::string("expected ") + expected + ", found " + Quoted(py::repr(given).cast<std::string>()),
                  remedy);
}

/// What NumPy makes of `given` as microseconds.
/// \param type  datetime64 or timedelta64
std::int64_t MicrosFromNumPy(py::handle type, py::handle given) {
  const py::object micros = type(given, "us");
  const py::buffer_info bytes = py::reinterpret_borrow<py::buffer>(micros).request();
  std::int64_t value = 0;
  std::memcpy(&value, bytes.ptr, sizeof value);
  if (value == kNotATime) throw RangeError({}, "expected a time, found 'not a time' (NaT)", "leave it out");
  return value;
}

}  // namespace

py::object TimeToPython(Stamp time) {
  return Datetime64()(MicrosOf(time.mjd), "us");
}

py::object SpanToPython(Days span) {
  const bool is_known = std::isfinite(span.count) && std::abs(span.count) < 1e8;
  return Timedelta64()(is_known ? std::llround(span.count * kMicrosPerDay) : kNotATime, "us");
}

py::object TimesToPython(std::span<const double> mjd) {
  py::array_t<std::int64_t> micros(static_cast<py::ssize_t>(mjd.size()));
  std::ranges::transform(mjd, micros.mutable_data(), MicrosOf);
  return micros.attr("view")("datetime64[us]");
}

Stamp TimeFromMicros(std::int64_t micros) {
  if (micros == kNotATime) throw RangeError({}, "expected a time, found 'not a time' (NaT)", "leave it out");
  return {MjdOf(micros)};
}

Stamp TimeFromPython(py::handle given) {
  if (py::isinstance<py::str>(given)) return ParseIsoTime(given.cast<std::string>());
  if (py::isinstance(given, Datetime64())) return {MjdOf(MicrosFromNumPy(Datetime64(), given))};
  if (py::isinstance(given, Datetime())) {
    py::object time = py::reinterpret_borrow<py::object>(given);
    if (!time.attr("tzinfo").is_none()) {
      time = time.attr("astimezone")(py::module_::import("datetime").attr("timezone").attr("utc"))
                 .attr("replace")(py::arg("tzinfo") = py::none());
    }
    return {MjdOf(MicrosFromNumPy(Datetime64(), time))};
  }
  ThrowType(given, "a time", "give a text as in 2015-12-01T06:30Z, a datetime or a numpy.datetime64");
}

Days SpanFromPython(py::handle given) {
  if (py::isinstance<py::str>(given)) return ParseIsoDuration(given.cast<std::string>());
  if (py::isinstance(given, Timedelta64()) || py::isinstance(given, Timedelta())) {
    return {static_cast<double>(MicrosFromNumPy(Timedelta64(), given)) / kMicrosPerDay};
  }
  ThrowType(given, "a span of time", "give a text as in PT1H or '30 min', a timedelta or a numpy.timedelta64");
}

py::array_t<double> RowToPython(std::span<const double> row) {
  return py::array_t<double>(static_cast<py::ssize_t>(row.size()), row.data());
}

}  // namespace openmi::python
