#pragma once

#include <memory>
#include <string>

#include "adaptors/time/DerivedSeries.hpp"

namespace openmi {

/// A regular series out of an irregular one, or one of other steps: a row for every `step` (ISO 8601 duration), counted
/// from `origin` (UTC; midnight of MJD 0 where empty, so that hours begin at the hour and days at midnight).
///
/// Argument `as`: "mean", "sum", "minimum", "maximum" over each step, a row over its span; or "instant", the value
/// linear in time at the end of each step. A step is made when the adaptee has all of it. Where the adaptee ends
/// within a step, the last step ends there too; the part of a step before the adaptee's first whole one is omitted.
class Resample final : public DerivedSeries {
 public:
  Resample(std::string id, IBaseOutput& adaptee);
  /// \throws ArgumentError  step or origin cannot be read, or a step of no length
  void Check() override;
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;
  bool MakesTotals() const override { return as_.Value() == "sum"; }
  Stamp ReachFor(Stamp time, Days) const override { return EdgeAt(IndexOf(time)); }
  /// Whether a step begins and ends at `time`, once Check found nothing wrong.
  bool HasEdgeAt(Stamp time) const;
  EffectOnAmount StateEffect() const override {
    const std::string as = as_.Value();
    if (as == "minimum" || as == "maximum") return EffectOnAmount::Unknown("gives an extreme of each step");
    return {.has_amounts_of_spans = as == "sum"};
  }

 protected:
  void OnInitialize() override;
  void MakeRows(const RowHistory& source, RowHistory& made, bool ended) override;
  void TakeBack(Stamp time) override;
  Stamp SourceNeeded() const override;

 private:
  Stamp EdgeAt(double index) const { return origin_ + step_ * index; }
  /// The index of the first edge at `time` or later.
  double IndexOf(Stamp time) const;
  /// Makes the row from `begin` to `end`.
  void MakeRow(const RowHistory& source, RowHistory& made, Stamp begin, Stamp end);
  Stamp Origin() const;
  Argument<std::string> step_text_;
  Argument<std::string> origin_text_;
  Argument<std::string> as_;
  Days step_{1.0};
  Stamp origin_{};
  bool instants_ = false;
  double next_step_ = 0.0;  // whole; the step that is made next, from its edge to the following one
  bool started_ = false;
  std::unique_ptr<TemporalWeights> weights_;
  std::unique_ptr<TemporalCurve> extremes_;
};

}  // namespace openmi
