#pragma once

#include <memory>
#include <string>

#include "adaptors/time/DerivedSeries.hpp"

namespace openmi {

/// The running total since the first row: 0 at the start of that row, then a stamp at the end of each row.
///
/// Argument `of`: "rate" or "amount".
/// - "rate" integrates over time, and the unit gains a second. Rows over spans give value times seconds. Rows at stamps
///   give the trapezium, also for a question between two rows.
/// - "amount" adds up. Rows at stamps count for the step that ends there, so the first row does not count.
///
/// From a missing value on, the total is missing.
class Accumulate final : public DerivedSeries {
 public:
  /// \throws UnitError  the adaptee's values are no quantity, or the unit has an offset
  Accumulate(const std::string& id, IBaseOutput& adaptee);
  const IValueDefinition& ValueDefinition() const override;
  bool AnswersSpans() const override { return false; }
  bool MakesTotals() const override { return true; }
  EffectOnAmount StateEffect() const override { return EffectOnAmount::Unknown("gives the total since the start"); }

 protected:
  void OnInitialize() override;
  void MakeRows(const RowHistory& source, RowHistory& made, bool ended) override;
  void TakeBack(Stamp) override {}  // the last row made is its only memory
  void BlendAt(const RowHistory& made, std::size_t row, Stamp time, std::span<double> out) const override;
  /// The row before the next one, since a trapezium has two ends.
  Stamp SourceNeeded() const override { return Rows().Empty() ? kFarFuture : Rows().LatestEnd(); }

 private:
  Argument<std::string> of_;
  std::unique_ptr<const IValueDefinition> integral_;
  bool rates_ = true;
};

}  // namespace openmi
