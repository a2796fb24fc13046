#pragma once

#include <span>
#include <vector>

#include "composition/run/StandIn.hpp"
#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/INumericRows.hpp"

namespace openmi {

/// The newest row of an output.
struct LatestRow {
  Stamp begin = kFarPast;          ///< UTC; the far past where the output has no times, or no row yet
  Days duration{};                 ///< 0: an instant
  std::span<const double> values;  ///< shape [elements]; empty before the first row. Good until the run goes on
};

/// A look at the newest row of one output, again and again: found once, then read without a search, a copy, or an
/// allocation. It stays good while the component's family leaves and comes back.
class OutputView {
 public:
  /// \param output  what stands for it in the composition (RunDesk::StandInOf); borrowed
  /// \throws TypeError  its values are no numbers
  explicit OutputView(StandIn& output);

  /// Between two passes.
  LatestRow Latest();
  const StandIn& Output() const { return *output_; }

 private:
  StandIn* output_;
  CastByType<const INumericRows, const IBaseValueSet> rows_door_;
  std::vector<double> copy_;  // of values that are no rows of numbers in memory
};

}  // namespace openmi
