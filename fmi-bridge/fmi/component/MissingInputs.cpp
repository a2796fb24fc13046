#include "fmi-bridge/fmi/component/MissingInputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "openmi/sdk/Error.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::fmi {

void MissingInputs::Begin(Manner manner) {
  manner_ = manner;
  counts_.clear();
}

bool MissingInputs::IsIn(std::span<const double> row) {
  return std::ranges::any_of(row, [](double value) { return std::isnan(value); });
}

void MissingInputs::Note(const std::string& input, std::span<const double> row, Stamp time) {
  if (manner_ == Manner::Refuse) {
    throw RangeError({.item = input},
                     fmt::format("expected a value for the input '{}' of an FMU at {}, found a missing one", input,
                                 FormatIsoTime(time)),
                     "put the adaptor 'fill-missing' on its link, or set the argument missing-inputs to hold or pass");
  }
  Count& count = counts_[input];
  if (count.values == 0) count.first = time;
  count.values += std::ranges::count_if(row, [](double value) { return std::isnan(value); });
}

void MissingInputs::AddRemarks(Problems& remarks) const {
  for (const auto& [input, count] : counts_) {
    AddWarning(remarks, {.item = input},
               fmt::format("expected values for this input of an FMU, found {} missing {}, the first at {}: {}",
                           count.values, count.values == 1 ? "one" : "ones", FormatIsoTime(count.first),
                           manner_ == Manner::Hold ? "the FMU kept the value it had last" : "the FMU got not-a-number"),
               "link an output that always has a value");
  }
}

}  // namespace openmi::fmi
