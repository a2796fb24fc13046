#include "adaptors/values/Limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

Clip::Clip(std::string id, IBaseOutput& adaptee) : RowAdaptor(std::move(id), adaptee) {
  minimum_ = AddArgument<double>(
      "minimum", {.caption = "least value", .description = "in the unit of the values; empty: none", .optional = true});
  maximum_ = AddArgument<double>(
      "maximum",
      {.caption = "greatest value", .description = "in the unit of the values; empty: none", .optional = true});
}

void Clip::Check() {
  if (!minimum_.HasValue() || !maximum_.HasValue() || minimum_.Value() <= maximum_.Value()) return;
  throw ArgumentError(
      Place(), fmt::format("expected a minimum up to the maximum, found {} and {}", minimum_.Value(), maximum_.Value()),
      "exchange the two");
}

void Clip::OnInitialize() {
  Check();
  low_ = minimum_.HasValue() ? minimum_.Value() : -kInfinity;
  high_ = maximum_.HasValue() ? maximum_.Value() : kInfinity;
}

void Clip::Map(std::span<const double> in, Days, std::span<double> out) {
  const double missing = Missing();
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = IsMissing(in[i], missing) ? missing : std::min(std::max(in[i], low_), high_);
  }
}

Threshold::Threshold(std::string id, IBaseOutput& adaptee)
    : RowAdaptor(std::move(id), adaptee, std::make_unique<Quantity>(Unit::Parse("1"), "threshold")) {
  threshold_ = AddArgument<double>(
      "threshold",
      {.caption = "limit between the two values", .description = "in the unit of the values", .value = 0.0});
  above_ = AddArgument<double>("above",
                               {.caption = "result for values at or above the threshold", .unit = "1", .value = 1.0});
  below_ =
      AddArgument<double>("below", {.caption = "result for values below the threshold", .unit = "1", .value = 0.0});
}

void Threshold::OnInitialize() {
  at_ = threshold_.Value();
  high_ = above_.Value();
  low_ = below_.Value();
}

void Threshold::Map(std::span<const double> in, Days, std::span<double> out) {
  const double missing = Missing();
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = IsMissing(in[i], missing) ? kNotANumber : in[i] >= at_ ? high_ : low_;
  }
}

}  // namespace openmi
