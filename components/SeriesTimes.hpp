#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "timespace/times/Stamp.hpp"

namespace openmi {

/// The meaning of the stamp of a row in a file.
enum class StampMeaning {
  Instant,  ///< the value holds at the stamp
  Begin,    ///< the value belongs to the span that starts at the stamp
  End       ///< the value belongs to the span that ends at the stamp
};

/// A stamp of a file, with its line (or index) for messages.
struct SeriesStamp {
  Stamp stamp;
  int line = 0;
};

/// The times of a series: the rows of a file, with missing rows in gaps if the step is regular, and with missing rows
/// before and after them without end.
///
/// Row k ends at `At(k)`; a span starts at `At(k - 1)`. Rows 0 to `Count() - 1` are those between the first and the
/// last of the file; all others are outside.
class SeriesTimes {
 public:
  SeriesTimes() = default;

  /// \param meaning  of the stamps
  /// \param stamps  of the file, in its order
  /// \param step  the step of the rows; nothing: found from the stamps. A file with one row of a span needs it. 0: the
  ///   rows are all there are, whatever their distances
  /// \param file  for messages
  /// \param place  for messages: what the number of a stamp counts, "line" or "row"
  /// \param first  the length of the first span, if it differs from that of the second
  /// \throws FormatError  a stamp is not after the one before, or not on the given step; the message names file and
  ///   lines
  SeriesTimes(StampMeaning meaning, const std::vector<SeriesStamp>& stamps, std::optional<Days> step,
              const std::string& file, const std::string& place = "line", std::optional<Days> first = {});

  /// Whether rows belong to spans, not to instants.
  bool AreSpans() const { return meaning_ != StampMeaning::Instant; }
  /// The number of rows between the first and the last of the file, gaps included.
  std::int64_t Count() const { return static_cast<std::int64_t>(source_.size()); }
  /// The end of row `row`, or its instant; for any row, inside or outside.
  Stamp At(std::int64_t row) const;
  /// The first row that ends after `time`.
  std::int64_t FirstAfter(Stamp time) const;
  /// The row of the file that row `row` is; -1 if it is missing: in a gap, or outside.
  std::int64_t Source(std::int64_t row) const {
    return row < 0 || row >= Count() ? -1 : source_[static_cast<std::size_t>(row)];
  }

  /// The start and the end of the data; for spans the start of the first span.
  Stamp Begin() const { return AreSpans() ? At(-1) : At(0); }
  Stamp End() const { return At(Count() - 1); }
  /// The step, if it is regular.
  std::optional<Days> Step() const { return step_; }
  /// One sentence for each gap.
  const std::vector<std::string>& Gaps() const { return gaps_; }

 private:
  void FindStep(const std::vector<SeriesStamp>& stamps);
  void CheckGivenStep(const std::vector<SeriesStamp>& stamps, const std::string& file) const;
  void FillGaps(const std::vector<SeriesStamp>& stamps, const std::string& place);

  StampMeaning meaning_ = StampMeaning::Instant;
  std::optional<Days> step_;
  std::int64_t step_before_ = 0;  // of rows before the first and after the last one, in microseconds
  std::int64_t step_after_ = 0;
  std::vector<Stamp> ends_;           // of all rows, gaps included
  std::vector<std::int64_t> source_;  // same length as ends_
  std::vector<std::string> gaps_;
};

}  // namespace openmi
