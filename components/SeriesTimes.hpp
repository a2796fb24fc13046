#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "timespace/Stamp.hpp"

namespace openmi {

/// What the stamp of a row in a file means.
enum class StampMeaning {
  Instant,  ///< the value holds at the stamp
  Begin,    ///< the value stands for the span that begins at the stamp
  End       ///< the value stands for the span that ends at the stamp
};

/// A stamp of a file and the line (or index) it stands at, for messages.
struct SeriesStamp {
  Stamp stamp;
  int line = 0;
};

/// The times of a series: the rows of a file, gaps filled where the step is regular, and going on before and after them
/// for ever with rows that are missing.
///
/// Row k ends at At(k); a span begins at At(k - 1). Rows 0 to Count() - 1 are those between the first and the last of
/// the file, all others lie outside.
class SeriesTimes {
 public:
  SeriesTimes() = default;

  /// \param step  the step of the rows; nothing: found out. Needed for spans where there is one row
  /// \param file  for messages, as is `place`: what a stamp's number is, "line" or "row"
  /// \param first  the length of the first span, where it is not that of the second; nothing: it is
  /// \throws FormatError  a stamp is not after the one before, or not on the given step; names file and lines
  SeriesTimes(StampMeaning meaning, const std::vector<SeriesStamp>& stamps, std::optional<Days> step,
              const std::string& file, const std::string& place = "line", std::optional<Days> first = {});

  bool AreSpans() const { return meaning_ != StampMeaning::Instant; }
  std::int64_t Count() const { return static_cast<std::int64_t>(source_.size()); }
  /// The end of row `row`, or its instant; any row.
  Stamp At(std::int64_t row) const;
  /// The first row that ends after `time`.
  std::int64_t FirstAfter(Stamp time) const;
  /// Which row of the file row `row` is; -1 where it is missing: in a gap, or outside.
  std::int64_t Source(std::int64_t row) const {
    return row < 0 || row >= Count() ? -1 : source_[static_cast<std::size_t>(row)];
  }

  /// Where the data begin and end; spans from their begin.
  Stamp Begin() const { return AreSpans() ? At(-1) : At(0); }
  Stamp End() const { return At(Count() - 1); }
  /// The step where it is regular.
  std::optional<Days> Step() const { return step_; }
  /// A sentence for each gap.
  const std::vector<std::string>& Gaps() const { return gaps_; }

 private:
  void FindStep(const std::vector<SeriesStamp>& stamps);
  void CheckGivenStep(const std::vector<SeriesStamp>& stamps, const std::string& file) const;
  void FillGaps(const std::vector<SeriesStamp>& stamps, const std::string& place);

  StampMeaning meaning_ = StampMeaning::Instant;
  std::optional<Days> step_;
  std::int64_t step_before_ = 0;  // of rows before the first and after the last, in microseconds
  std::int64_t step_after_ = 0;
  std::vector<Stamp> ends_;           // of all rows, gaps included
  std::vector<std::int64_t> source_;  // as long
  std::vector<std::string> gaps_;
};

}  // namespace openmi
