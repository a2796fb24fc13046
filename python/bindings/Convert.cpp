#include "python/bindings/Convert.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
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

py::object NumPy(const char* name) {
  return py::module_::import("numpy").attr(name);
}

[[noreturn]] void ThrowType(py::handle given, const char* expected, const char* remedy) {
  throw TypeError({}, std::string("expected ") + expected + ", found " + Quoted(py::repr(given).cast<std::string>()),
                  remedy);
}

/// What NumPy makes of `given` as microseconds.
/// \param type  name of the type: "datetime64"
std::int64_t MicrosFromNumPy(const char* type, const py::object& given) {
  const auto value = NumPy(type)(given, "us").attr("astype")("int64").cast<std::int64_t>();
  if (value == kNotATime) throw RangeError({}, "expected a time, found 'not a time' (NaT)", "leave it out");
  return value;
}

}  // namespace

py::object TimeToPython(Stamp time) {
  return NumPy("datetime64")(MicrosOf(time.mjd), "us");
}

py::object SpanToPython(Days span) {
  const bool is_known = std::isfinite(span.count) && std::abs(span.count) < 1e8;
  return NumPy("timedelta64")(is_known ? std::llround(span.count * kMicrosPerDay) : kNotATime, "us");
}

py::object TimesToPython(std::span<const double> mjd) {
  py::array_t<std::int64_t> micros(static_cast<py::ssize_t>(mjd.size()));
  std::ranges::transform(mjd, micros.mutable_data(), MicrosOf);
  return micros.attr("view")("datetime64[us]");
}

Stamp TimeFromPython(py::handle given) {
  if (py::isinstance<py::str>(given)) return ParseIsoTime(given.cast<std::string>());
  const py::module_ datetime = py::module_::import("datetime");
  if (py::isinstance(given, NumPy("datetime64"))) {
    return {MjdOf(MicrosFromNumPy("datetime64", py::reinterpret_borrow<py::object>(given)))};
  }
  if (py::isinstance(given, datetime.attr("datetime"))) {
    py::object time = py::reinterpret_borrow<py::object>(given);
    if (!time.attr("tzinfo").is_none()) {
      time = time.attr("astimezone")(datetime.attr("timezone").attr("utc"))
                 .attr("replace")(py::arg("tzinfo") = py::none());
    }
    return {MjdOf(MicrosFromNumPy("datetime64", time))};
  }
  ThrowType(given, "a time", "give a text as in 2015-12-01T06:30Z, a datetime or a numpy.datetime64");
}

Days SpanFromPython(py::handle given) {
  if (py::isinstance<py::str>(given)) return ParseIsoDuration(given.cast<std::string>());
  const py::object timedelta = py::module_::import("datetime").attr("timedelta");
  if (py::isinstance(given, NumPy("timedelta64")) || py::isinstance(given, timedelta)) {
    const std::int64_t micros = MicrosFromNumPy("timedelta64", py::reinterpret_borrow<py::object>(given));
    return {static_cast<double>(micros) / kMicrosPerDay};
  }
  ThrowType(given, "a span of time", "give a text as in PT1H or '30 min', a timedelta or a numpy.timedelta64");
}

py::array_t<double> RowToPython(std::span<const double> row) {
  return py::array_t<double>(static_cast<py::ssize_t>(row.size()), row.data());
}

}  // namespace openmi::python
