#include "composition/embed/OutputView.hpp"

#include <fmt/format.h>

#include "openmi/sdk/Error.hpp"

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
  return {kFarPast, {}, rows_.Last(output_->Values())};
}

}  // namespace openmi
