#pragma once

#include <span>
#include <string>

#include "adaptors/time/DerivedSeries.hpp"

namespace openmi {

/// Fills missing values from the rows before and after, element by element.
///
/// - Argument `by`: "previous" repeats the last value; "linear" draws a straight line from it to the next value, and
///   waits for that.
/// - Argument `longest`: a gap longer than this, from value to value, stays unfilled.
///
/// Gaps at the start of the series stay. So do gaps at the end, except with `previous`. A row over a span counts for
/// the middle of the span.
class FillGaps final : public DerivedSeries {
 public:
  FillGaps(const std::string& id, IBaseOutput& adaptee);
  /// \throws ArgumentError  `longest` is no duration
  void Check() override { static_cast<void>(DurationOf(Place(), longest_text_, Days{})); }
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;

 protected:
  void OnInitialize() override;
  void MakeRows(const RowHistory& source, RowHistory& made, bool ended) override;
  void TakeBack(Stamp time) override;
  Stamp SourceNeeded() const override { return waiting_for_; }

 private:
  /// Fills the missing elements of a row.
  /// \returns false while they are not known yet
  bool FillRow(const RowHistory& source, std::size_t row, bool ended, std::span<double> out);
  /// Gives the value of an element on the line to its next value; NaN where the gap stays.
  /// \returns false while the value is not known yet
  bool OnLine(const RowHistory& source, std::size_t row, std::size_t element, bool ended, double& value) const;
  Argument<std::string> by_;
  Argument<std::string> longest_text_;
  bool linear_ = false;
  Days longest_{1.0};
  /// Remembers the values of a row that was taken.
  void Learn(const RowHistory& source, std::size_t row);
  /// The last value of an element; NaN where it had none.
  double LastValue(std::size_t element) const { return element < last_.size() / 2 ? last_[element] : kNotANumber; }
  Stamp LastTime(std::size_t element) const {
    return element < last_.size() / 2 ? Stamp{last_[last_.size() / 2 + element]} : kFarPast;
  }
  Stamp waiting_for_ = kFarFuture;
  RowHistory known_;              // last values, then their times (MJD), after each source row that may be taken back
  std::span<const double> last_;  // the newest row of known_
};

}  // namespace openmi
