#pragma once

#include <memory>
#include <optional>
#include <string>

#include "adaptors/IEffectOnAmount.hpp"
#include "adaptors/ITotals.hpp"
#include "adaptors/kernels/TemporalCurve.hpp"
#include "adaptors/kernels/TemporalMath.hpp"
#include "timespace/AdaptedOutput.hpp"
#include "timespace/ILookAhead.hpp"

namespace openmi {

/// Answers for times that the adaptee has no row at: interpolates, repeats, averages or adds up its rows.
///
/// It reads the rows where the adaptee keeps them; a row that is the whole answer is handed on without a copy. Missing
/// values stay missing: an element missing in any row with a weight is missing in the answer. Arguments:
/// `extrapolation` says what a question outside the rows gets (error, missing, hold, linear, relaxed); `relaxation` is
/// OpenMI's factor r for `relaxed` (1 holds the nearest value, 0 extrapolates linearly). Where a question comes back
/// round a loop of links, the answer is always extrapolated with `relaxation`.
/// As it shows the very rows of its adaptee, another time adaptor can stand on a linear one, which changes nothing
/// then. On one that makes rows of its own (`resample`, `accumulate`, `fill-gaps`) it reads those. On any other it
/// cannot stand: what is between the rows there is not in the rows.
class TimeAdaptor : public AdaptedOutput,
                    public IHistoryProvider,
                    public ITotals,
                    public ILookAhead,
                    public IEffectOnAmount {
 public:
  /// \throws LinkError  the adaptee has no rows to read: it stands on a time adaptor that shows none
  TimeAdaptor(std::string id, IBaseOutput& adaptee, TemporalMethod method);
  TimeAdaptor(std::string id, IBaseOutput& adaptee, CurveMethod method);

  Stamp ReachFor(Stamp time, Days step) const override;
  bool AnswersStamps() const override { return !over_spans_; }
  bool AnswersSpans() const override { return true; }
  bool MakesTotals() const override;
  EffectOnAmount StateEffect() const override;
  const RowHistory* UseHistory() override;
  /// Whether another time adaptor can stand on this one.
  virtual bool ShowsRows() const { return method_ == TemporalMethod::Linear && !curve_method_; }
  Advance AdvanceTo(Stamp time) override { return AdapteeDoor()->AdvanceTo(time); }

 protected:
  void OnInitialize() override;
  void Compute(const IBaseExchangeItem& query, Answer& answer) override;
  Stamp NeededFor(Stamp time) const override;
  /// The value at `time`, between the stamps of the rows `row` and `row + 1` of `Rows()`: on the straight line, unless
  /// a derived class knows better. \param out  shape [elements]
  virtual void BlendAt(const RowHistory& rows, std::size_t row, Stamp time, std::span<double> out) const;

  /// The rows that answers are made of: the adaptee's, unless a derived class makes its own.
  virtual const RowHistory& Rows() const { return *AdapteeHistory(); }
  /// Sees to it that the rows reach `time`.
  virtual Advance Reach(Stamp time) { return AdapteeDoor()->AdvanceTo(time); }
  /// Answers for a time with what there was `delay` before it.
  void SetDelay(Days delay) { delay_ = delay; }
  double MissingValue() const { return missing_; }

 private:
  /// The two ways to one answer: `exact` with what the arguments allow outside the rows, `busy` in a loop of links.
  struct Ways {
    std::unique_ptr<TemporalWeights> weights;
    std::unique_ptr<TemporalCurve> curve;
  };
  TimeAdaptor(std::string id, IBaseOutput& adaptee, TemporalMethod method, std::optional<CurveMethod> curve);
  Ways MakeWays(OutsidePolicy outside, double relaxation) const;
  /// The commonest question by a short way: a stamp between two stamps. \returns its values; empty for any other
  std::span<const double> BlendNeighbours(const RowHistory& history, std::size_t index, Answer& answer) const;
  void AnswerTime(const RowHistory& history, Ways& ways, std::size_t index, Answer& answer);
  /// Whether a row after the newest one would change the answer: it has to be there first, so that the answer is
  /// the same however far others have driven the provider.
  bool WantsNextRow(const Answer& answer) const;

  TemporalMethod method_;
  std::optional<CurveMethod> curve_method_;
  bool over_spans_;  // answers spans only
  Argument<std::string> extrapolation_;
  Argument<double> relaxation_;
  Ways ways_;
  Ways busy_ways_;
  Days delay_{};
  double missing_ = kNotANumber;
  bool two_rows_back_ = false;
  bool leans_ = false;  // outside the rows, by a line through two of them
};

/// Gives what there was some time ago: linear in time, `delay` (ISO 8601 duration) earlier. In a loop of links it is
/// what makes the past of one side the present of the other.
class Delay final : public TimeAdaptor {
 public:
  Delay(std::string id, IBaseOutput& adaptee);
  bool ShowsRows() const override { return false; }
  EffectOnAmount StateEffect() const override { return EffectOnAmount::Unknown("gives what there was some time ago"); }
  const RowHistory* UseHistory() override { return nullptr; }
  Advance AdvanceTo(Stamp time) override;
  /// \throws ArgumentError  the delay is no duration, or negative
  void Check() override { Length(); }

 protected:
  void OnInitialize() override;

 private:
  Days Length() const;
  Argument<std::string> length_;
};

/// A duration that an adaptor's argument holds.
/// \throws ArgumentError  the text is no duration, or one below `least`
Days DurationOf(const Where& place, const Argument<std::string>& argument, Days least);

}  // namespace openmi
