#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "composition/proxy/OutputProxy.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::exported {

/// Stores the rows that an output publishes as long as the FMU may request their times, and gives the value at a time.
///
/// A row at exactly that time is given unchanged. Between two instants the value is interpolated linearly, in whole
/// microseconds since the start, because stamps are rounded to less than a microsecond. Within a span it is the value
/// of the span, after the last row that of the last row.
/// last row holds that one.
class OutputTap final : public IRowListener {
 public:
  /// \param width    values in a row
  /// \param missing  number that means "no value" in the rows
  /// \param start    the time from which steps are counted
  OutputTap(std::size_t width, double missing, Stamp start) : width_(width), missing_(missing), start_(start) {}

  void OnRow(Stamp begin, Days duration, std::span<const double> row) override;
  /// Writes the value at `time`, NaN if there is none, and drops older rows.
  /// \param row  shape [width]
  void ValueAt(Stamp time, double* row);
  /// Drops all rows.
  void Clear() { count_ = 0; }

  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);

 private:
  struct Row {
    Stamp begin;
    Stamp end;
    std::vector<double> values;
  };
  void DropFirst(std::size_t count);
  /// Whole microseconds since the start.
  double TicksOf(Stamp time) const;

  std::size_t width_;
  double missing_;
  Stamp start_;
  std::vector<Row> rows_;  // the first `count_` are in use; the others are kept for reuse
  std::size_t count_ = 0;
};

}  // namespace openmi::exported
