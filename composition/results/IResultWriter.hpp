#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace openmi {

/// Receives the rows of a run and writes them to a file.
///
/// Order of calls: any number of `Append` and `Commit`, then `Close` once. When `Commit(t)` has returned, the operating
/// system has every row that was appended and ends at or before `t`: the row outlives this process, however it ends,
/// but not a power failure. So `t` may be reported as reached.
///
/// After a throw the file holds what it held before the call, the rows that are not written are kept, and the call may
/// be repeated.
class IResultWriter {
 public:
  virtual ~IResultWriter() = default;

  /// Adds a row. Series may be ahead of each other. A row at a time that the series already has replaces the earlier
  /// one.
  /// \param series  number of the series, as given when the file was created
  /// \param begin   Modified Julian Day, UTC; equal to `end` for an instant
  /// \param end     Modified Julian Day, UTC
  /// \param values  shape [width of the series], its unit; valid during the call only
  /// \throws RangeError  no such series, another number of values, times that are not finite, or `begin` after `end`
  virtual void Append(std::size_t series, double begin, double end, std::span<const double> values) = 0;

  /// Records what changed the run from outside, after the rows committed until now.
  /// \param text  one line, with its time
  /// \throws FileError  the file cannot be written
  virtual void Note(const std::string& text) = 0;

  /// Writes every row that ends at or before `until` (Modified Julian Day, UTC).
  /// \throws FileError  names the file, the failure and the remedy
  virtual void Commit(double until) = 0;

  /// Writes the remaining rows and completes the file. A second call does nothing.
  /// \throws FileError  the file cannot be written
  virtual void Close() = 0;
};

}  // namespace openmi
