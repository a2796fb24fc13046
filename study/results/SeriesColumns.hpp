#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "study/run/StudyJournal.hpp"

namespace openmi {

/// An observed series of all members: one description, and all times that any member has.
struct SeriesColumn {
  ResultSeries series;
  std::vector<double> begins;  ///< Modified Julian Day, UTC
  std::vector<double> times;   ///< Modified Julian Day, UTC, ascending
};

/// Puts the series of members together: those of one description are a column, whose times are those of all members.
///
/// Members of most studies have the same series and times, so nothing is moved.
class SeriesColumns {
 public:
  /// \param journal  borrowed
  explicit SeriesColumns(const StudyJournalReader& journal);

  const std::vector<SeriesColumn>& Columns() const { return columns_; }
  /// The column of a shape.
  /// \throws FormatError  the journal has no such shape
  std::size_t ColumnOf(std::uint64_t shape) const;
  /// The rows of a member at the times of its column, NaN where it has none; shape [times * width].
  const std::vector<double>& Placed(const MemberSeries& series);

 private:
  struct Place {
    std::size_t column = 0;
    std::vector<std::size_t> rows;  // row of the column for each row of the shape; empty: the same ones
  };
  const Place& PlaceOf(std::uint64_t shape) const;

  std::vector<SeriesColumn> columns_;
  std::map<std::uint64_t, Place> places_;
  std::vector<double> placed_;
};

}  // namespace openmi
