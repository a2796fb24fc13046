#pragma once

#include <memory>
#include <string>

#include "adaptors/kernels/TemporalMath.hpp"
#include "timespace/AdaptedOutput.hpp"

namespace openmi {

/// Answers for times that the adaptee has no row at: interpolates, repeats, averages or adds up its rows.
///
/// It reads the rows where the adaptee keeps them; a row that is the whole answer is handed on without a copy. Missing
/// values stay missing: an element missing in any row with a weight is missing in the answer. Arguments:
/// `extrapolation` says what a question outside the rows gets (error, missing, hold, linear); `relaxation` is OpenMI's
/// factor r (1 holds the nearest value, 0 extrapolates linearly). Where a question comes back round a loop of links,
/// the answer is always extrapolated with `relaxation`.
/// As it shows the very rows of its adaptee, another time adaptor can stand on a linear one, which changes nothing
/// then. On any other it cannot: what is between the rows there is not in the rows.
class TimeAdaptor final : public AdaptedOutput, public IHistoryProvider {
 public:
  /// \throws LinkError  the adaptee has no rows to read: it stands on a time adaptor other than a linear one
  TimeAdaptor(std::string id, IBaseOutput& adaptee, TemporalMethod method);

  bool AnswersStamps() const override { return !over_spans_; }
  bool AnswersSpans() const override { return true; }
  const RowHistory* UseHistory() override;
  /// Whether another time adaptor can stand on this one.
  bool ShowsRows() const { return method_ == TemporalMethod::Linear; }
  Advance AdvanceTo(Stamp time) override { return AdapteeDoor()->AdvanceTo(time); }

 protected:
  void OnInitialize() override;
  void Compute(const IBaseExchangeItem& query, Answer& answer) override;
  Stamp NeededFor(Stamp time) const override;

 private:
  /// The commonest question by a short way: a stamp between two stamps. \returns false for any other
  bool BlendNeighbours(const RowHistory& history, Answer& answer) const;
  TemporalMethod method_;
  bool over_spans_;  // answers spans only
  Argument<std::string> extrapolation_;
  Argument<double> relaxation_;
  std::unique_ptr<TemporalWeights> weights_;
  std::unique_ptr<TemporalWeights> busy_weights_;
  double missing_ = kNotANumber;
  bool two_rows_back_ = false;
};

}  // namespace openmi
