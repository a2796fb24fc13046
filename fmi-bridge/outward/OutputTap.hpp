#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "composition/run/IRowListener.hpp"
#include "timespace/StateReader.hpp"
#include "timespace/StateWriter.hpp"

namespace openmi::outward {

/// Keeps what an output publishes, as long as a time of the FMU may lie there, and tells its value at such a time.
///
/// A row at the very time is given as it is. Between two instants lies the straight line, reckoned in whole
/// microseconds since the start, as stamps round to a part of one; within a span holds the value of the span; after the
/// last row holds that one.
class OutputTap final : public IRowListener {
 public:
  /// \param missing  what stands for "no value" in the rows
  /// \param start    the time that steps are counted from
  OutputTap(std::size_t width, double missing, Stamp start) : width_(width), missing_(missing), start_(start) {}

  void OnRow(Stamp begin, Days duration, std::span<const double> row) override;
  /// Writes the value at `time`, NaN where there is none, and forgets what is older. \param row  shape [width]
  void ValueAt(Stamp time, double* row);
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
  std::vector<Row> rows_;  // the first `count_` are kept; the others are places to use again
  std::size_t count_ = 0;
};

}  // namespace openmi::outward
