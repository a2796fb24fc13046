#include "composition/embed/OutputView.hpp"

#include <fmt/format.h>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {

OutputView::OutputView(OutputProxy& output) : output_(&output) {
  if (output.IsNumeric()) return;
  throw TypeError({.item = output.Id()},
                  fmt::format("expected an output of numbers, found one of type {}",
                              NameOf(output.ValueDefinition().ValueType().kind)),
                  "ask its value set");
}

LatestRow OutputView::Latest() {
  const RowHistory& history = *output_->UseHistory();
  if (!output_->PassesOn() && !history.Empty()) {
    const std::size_t last = history.LastIndex();
    return {history.Begin(last), history.Duration(last), history.Row(last)};
  }
  const ITimeSpaceValueSet& values = output_->Values();
  if (const INumericRows* rows = numeric_rows_(values)) {
    return {kFarPast, {}, rows->RowCount() > 0 ? rows->Row(rows->RowCount() - 1) : std::span<const double>()};
  }
  copy_.clear();
  if (const std::size_t times = values.GetIndexCount({}); times > 0) {
    const std::size_t last = times - 1;
    for (std::size_t i = 0; i < values.GetIndexCount(std::span(&last, 1)); ++i) {
      const std::size_t place[] = {last, i};
      copy_.push_back(values.GetValue(std::span<const std::size_t>(place)).Number().value_or(kNotANumber));
    }
  }
  return {kFarPast, {}, copy_};
}

}  // namespace openmi
