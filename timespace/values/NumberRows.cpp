#include "timespace/values/NumberRows.hpp"

#include "openmi/sdk/Missing.hpp"

namespace openmi {

std::span<const double> NumberRows::Copied(const IBaseValueSet& values, std::size_t row) {
  copy_.resize(values.GetIndexCount(std::span(&row, 1)));
  for (std::size_t place[] = {row, 0}; place[1] < copy_.size(); ++place[1]) {
    copy_[place[1]] = values.GetValue(std::span<const std::size_t>(place)).Number().value_or(kNotANumber);
  }
  return copy_;
}

}  // namespace openmi
