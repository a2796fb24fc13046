#pragma once

#include <memory>
#include <string>

#include "adaptors/time/DerivedSeries.hpp"

namespace openmi {

/// A regular series from an irregular one or from one with other steps.
///
/// It has a row for each `step` (ISO 8601 duration), counted from `origin` (UTC). Without `origin`, steps count from
/// midnight of MJD 0, so that hours start at the full hour and days at midnight.
///
/// Argument `as`: "mean", "sum", "minimum" or "maximum" over each step gives a row over its span. "instant" gives the
/// value at the end of each step, linear in time.
///
/// A step is made once the adaptee has all of it. If the adaptee ends within a step, the last row ends there too. The
/// part of a step before the adaptee's first whole step is omitted.
class Resample final : public DerivedSeries {
 public:
  Resample(const std::string& id, IBaseOutput& adaptee);
  /// \throws ArgumentError  `step` or `origin` cannot be read, or `step` is not above 0
  void Check() override;
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;
  bool MakesTotals() const override { return as_.Value() == As::Sum; }
  Stamp ReachFor(Stamp time, Days) const override { return EdgeAt(IndexOf(time)); }
  bool HasEdgeAt(Stamp time) const override;
  EffectOnAmount StateEffect() const override {
    const As as = as_.Value();
    if (as == As::Minimum || as == As::Maximum) return EffectOnAmount::Unknown("gives an extreme of each step");
    return {.has_amounts_of_spans = as == As::Sum};
  }

 protected:
  void OnInitialize() override;
  void MakeRows(const RowHistory& source, RowHistory& made, bool ended) override;
  void TakeBack(Stamp time) override;
  Stamp SourceNeeded() const override;

 private:
  enum class As { Mean, Sum, Minimum, Maximum, Instant };
  Stamp EdgeAt(double index) const { return origin_ + step_ * index; }
  /// The number of the first step edge at `time` or later.
  double IndexOf(Stamp time) const;
  /// Makes the row from `begin` to `end`.
  void MakeRow(const RowHistory& source, RowHistory& made, Stamp begin, Stamp end);
  Stamp Origin() const;
  Argument<std::string> step_text_;
  Argument<std::string> origin_text_;
  Argument<As> as_;
  Days step_{1.0};
  Stamp origin_{};
  bool instants_ = false;
  double next_step_ = 0.0;  // a whole number: the step to make next, from its edge to the following one
  bool started_ = false;
  std::unique_ptr<TemporalWeights> weights_;
  std::unique_ptr<TemporalCurve> extremes_;
};

}  // namespace openmi
