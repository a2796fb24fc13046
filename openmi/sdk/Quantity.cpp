#include "openmi/sdk/Quantity.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi {

Quantity::Quantity(openmi::Unit unit, const std::string& caption, Value missing, ValueKind kind)
    : unit_(std::move(unit)), missing_(std::move(missing)), kind_(kind) {
  SetCaption(caption.empty() ? unit_.Caption() : caption);
  if (kind != ValueKind::Double && kind != ValueKind::Integer) {
    throw TypeError({.item = Caption()},
                    fmt::format("expected values of type double or integer, found {}", NameOf(kind)),
                    "give a quantity numbers; use a Quality for categories");
  }
  const double* number = missing_.As<double>();
  if (kind == ValueKind::Integer && number && std::isnan(*number)) {
    missing_ = std::numeric_limits<std::int64_t>::min();
  }
  if (kind == ValueKind::Double && missing_.As<std::int64_t>()) missing_ = *missing_.Number();
  if (missing_.Kind() != kind) {
    throw TypeError({.item = Caption()},
                    fmt::format("expected a missing value of type {}, found {}", NameOf(kind), NameOf(missing_.Kind())),
                    "give one of the same type as the values");
  }
}

}  // namespace openmi
