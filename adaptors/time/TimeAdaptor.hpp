#pragma once

#include <memory>
#include <optional>
#include <string>

#include "adaptors/base/IEffectOnAmount.hpp"
#include "adaptors/base/ITotals.hpp"
#include "adaptors/kernels/TemporalCurve.hpp"
#include "adaptors/kernels/TemporalMath.hpp"
#include "timespace/items/AdaptedOutput.hpp"
#include "timespace/optional/IHistoryProvider.hpp"

namespace openmi {

/// Answers for times at which the adaptee has no row: interpolates, repeats, averages or adds up its rows.
///
/// The adaptor reads the rows in the adaptee's memory. If one row is the whole answer, it passes that row on without a
/// copy. Missing values stay missing: an element that is missing in any row with a weight is missing in the answer.
///
/// Arguments:
/// - `extrapolation`: the answer outside the rows: `error`, `missing`, `hold`, `linear` or `relaxed`
/// - `relaxation`: OpenMI's factor r for `relaxed`; 1 holds the nearest value, 0 extrapolates linearly
///
/// If a question returns around a loop of links, the answer is always extrapolated with `relaxation`.
///
/// Another time adaptor can follow a linear one, since that shows the adaptee's own rows; the linear one then has no
/// effect. After an adaptor that makes new rows (`resample`, `accumulate`, `fill-gaps`), a time adaptor reads those
/// rows. It cannot follow any other time adaptor, whose values between rows are not in the rows.
class TimeAdaptor : public AdaptedOutput,
                    public IHistoryProvider,
                    public ITotals,
                    public ILookAhead,
                    public IEffectOnAmount {
 public:
  /// \throws LinkError  the adaptee has no rows to read: it is, or follows, a time adaptor that shows none
  TimeAdaptor(const std::string& id, IBaseOutput& adaptee, TemporalMethod method);
  TimeAdaptor(const std::string& id, IBaseOutput& adaptee, CurveMethod method);

  AdaptorTraits Traits() const override { return {.blends_rows = true}; }
  Stamp ReachFor(Stamp time, Days step) const override;
  bool AnswersStamps() const override { return !over_spans_; }
  bool AnswersSpans() const override { return true; }
  bool MakesTotals() const override;
  EffectOnAmount StateEffect() const override;
  const RowHistory* UseHistory() override;
  /// Whether another time adaptor can follow this one.
  virtual bool ShowsRows() const { return method_ == TemporalMethod::Linear && !curve_method_; }
  Advance AdvanceTo(Stamp time) override { return AdapteeProvider()->AdvanceTo(time); }

 protected:
  void OnInitialize() override;
  const ITimeSpaceValueSet& Compute(const Question& question, Answer& answer) override;
  Stamp NeededFor(Stamp time) const override;
  /// The value at `time`, between the stamps of the rows `row` and `row + 1` of `Rows()`: on the straight line, unless
  /// a derived class overrides it.
  /// \param out  shape [elements]
  virtual void BlendAt(const RowHistory& rows, std::size_t row, Stamp time, std::span<double> out) const;

  /// The rows of the adaptee.
  /// \pre  initialized
  const RowHistory& AdapteeHistory() const { return *history_; }
  /// The rows that answers are made from: the adaptee's, unless a derived class makes rows.
  virtual const RowHistory& Rows() const { return *history_; }
  /// Advances until the rows reach `time`.
  virtual Advance Reach(Stamp time) { return AdapteeProvider()->AdvanceTo(time); }
  /// Answers for a time with the values that hold `delay` earlier.
  void SetDelay(Days delay) { delay_ = delay; }
  /// The value that means "no value" in the rows.
  double MissingValue() const { return missing_; }

 private:
  enum class Outside { Error, Missing, Hold, Linear, Relaxed };
  /// Computes an answer. There are two objects: one applies the arguments outside the rows, the other serves a loop of
  /// links.
  struct Ways {
    std::unique_ptr<TemporalWeights> weights;
    std::unique_ptr<TemporalCurve> curve;
  };
  TimeAdaptor(const std::string& id, IBaseOutput& adaptee, TemporalMethod method, std::optional<CurveMethod> curve);
  Ways MakeWays(OutsidePolicy outside, double relaxation) const;
  /// A short path for the most frequent question: a stamp between the stamps of two rows.
  /// \returns the values; empty for any other question
  std::span<const double> BlendNeighbours(const RowHistory& history, const AskedTime& asked, std::size_t index,
                                          Answer& answer) const;
  /// Computes the values at one time of a question.
  std::span<const double> AnswerTime(const RowHistory& history, Ways& ways, const AskedTime& asked, std::size_t index,
                                     Answer& answer);
  /// Whether a row after the newest one would change the answer. That row must then be there first, so that the answer
  /// does not depend on how far other consumers have advanced the provider.
  bool WantsNextRow(const Question& question) const;

  const RowHistory* history_ = nullptr;  // of the adaptee, once initialized
  TemporalMethod method_;
  std::optional<CurveMethod> curve_method_;
  bool over_spans_;  // answers only spans
  Argument<Outside> extrapolation_;
  Argument<double> relaxation_;
  Ways ways_;
  Ways busy_ways_;
  Days delay_{};
  double missing_ = kNotANumber;
  bool two_rows_back_ = false;
  bool leans_ = false;  // extrapolates along a line through two rows
};

/// Gives the values of an earlier time: linear in time, `delay` (ISO 8601 duration) earlier.
///
/// In a loop of links it lets one side use the past values of the other.
class Delay final : public TimeAdaptor {
 public:
  Delay(const std::string& id, IBaseOutput& adaptee);
  bool ShowsRows() const override { return false; }
  EffectOnAmount StateEffect() const override { return EffectOnAmount::Unknown("gives what there was some time ago"); }
  const RowHistory* UseHistory() override { return nullptr; }
  Advance AdvanceTo(Stamp time) override;
  /// \throws ArgumentError  the delay is no duration, or is negative
  void Check() override { Length(); }

 protected:
  void OnInitialize() override;

 private:
  Days Length() const;
  Argument<std::string> length_;
};

/// The duration in an argument of an adaptor.
/// \throws ArgumentError  the text is no duration, or the duration is below `least`
Days DurationOf(const Where& place, const Argument<std::string>& argument, Days least);

}  // namespace openmi
