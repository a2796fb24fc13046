#pragma once

#include <string>
#include <vector>

#include "adaptors/time/DerivedSeries.hpp"

namespace openmi {

/// Fills missing values from the rows before and after, element by element.
///
/// Argument `by`: "previous" repeats the last value there was; "linear" draws a straight line from it to the next one,
/// and waits for that. Argument `longest`: a gap longer than this, from value to value, stays as it is. Gaps at the
/// begin and at the end of the series stay, too, but for `previous` at the end. A row over a span counts for its
/// middle.
class FillGaps final : public DerivedSeries {
 public:
  FillGaps(std::string id, IBaseOutput& adaptee);
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
  /// What the row's missing elements become. \returns false where that is not known yet
  bool FillRow(const RowHistory& source, std::size_t row, bool ended, std::span<double> out);
  /// The value of an element on the line to the next one there is; NaN where the gap stays; nothing while unknown.
  bool OnLine(const RowHistory& source, std::size_t row, std::size_t element, bool ended, double& value) const;
  Argument<std::string> by_;
  Argument<std::string> longest_text_;
  bool linear_ = false;
  Days longest_{1.0};
  Stamp waiting_for_ = kFarFuture;
  std::vector<double> last_value_;  // shape [elements]; NaN before the first
  std::vector<Stamp> last_time_;
};

}  // namespace openmi
