#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace openmi {

/// Takes the rows of a run and keeps them in a file.
///
/// Order of calls: `Append` and `Commit` as often as wanted, then `Close` once. When `Commit(t)` has returned, every
/// row that was appended and ends at or before `t` is with the operating system: it outlives this process, whatever
/// ends it (a power failure is another matter). So `t` may be reported as reached. After a throw the file holds what it
/// held before the call, the rows in hand are kept, and the call may be tried again.
class IResultWriter {
 public:
  virtual ~IResultWriter() = default;

  /// Adds a row. Series may be ahead of each other. A row at a time that the series has already takes its place.
  /// \param series  number of the series, as given when the file was made
  /// \param begin   Modified Julian Day, UTC; that of `end` for an instant
  /// \param end     Modified Julian Day, UTC
  /// \param values  shape [width of the series], its unit; good during the call only
  /// \throws RangeError  no such series, another number of values, or times that are not finite or turned round
  virtual void Append(std::size_t series, double begin, double end, std::span<const double> values) = 0;

  /// Writes down what changed the run from outside, after the rows that were committed until now.
  /// \param text  one line, with its time
  /// \throws FileError
  virtual void Note(const std::string& text) = 0;

  /// Writes every row that ends at or before `until` (Modified Julian Day, UTC).
  /// \throws FileError  names the file, what happened and what to do
  virtual void Commit(double until) = 0;

  /// Writes the rest and completes the file. A second call does nothing.
  /// \throws FileError
  virtual void Close() = 0;
};

}  // namespace openmi
