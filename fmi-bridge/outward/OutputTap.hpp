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
/// A row at the very time is given as it is. Between two instants lies the straight line; within a span holds the
/// value of the span; after the last row holds that one.
class OutputTap final : public IRowListener {
 public:
  /// \param missing  what stands for "no value" in the rows
  OutputTap(std::size_t width, double missing) : width_(width), missing_(missing) {}

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

  std::size_t width_;
  double missing_;
  std::vector<Row> rows_;  // the first `count_` are kept; the others are places to use again
  std::size_t count_ = 0;
};

}  // namespace openmi::outward
