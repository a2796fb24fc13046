#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <limits>
#include <span>
#include <vector>

#include "composition/results/FileDescriptor.hpp"
#include "composition/results/ResultSeries.hpp"
#include "composition/results/RunInfo.hpp"

namespace openmi {

/// Reads a journal up to where it was cut.
class JournalReader {
 public:
  struct Row {
    double begin = 0.0;  ///< Modified Julian Day, UTC
    double end = 0.0;
    std::uint64_t offset = 0;  ///< of the values, in bytes
  };

  /// \throws FileError    the file cannot be read
  /// \throws FormatError  it is no journal
  /// \param limit  how many bytes to look at
  explicit JournalReader(const std::filesystem::path& path,
                         std::uint64_t limit = std::numeric_limits<std::uint64_t>::max());

  /// False where the run was ended before it could say what it was going to write: there are no series then.
  bool IsBegun() const { return is_begun_; }
  /// Whether something stands behind the last good block.
  bool IsCut() const { return is_cut_; }
  const RunInfo& Info() const { return info_; }
  const std::vector<ResultSeries>& Series() const { return series_; }
  /// The rows of a series, ascending, one at a time (of two the later one in the file).
  const std::vector<Row>& Rows(std::size_t series) const { return rows_[series]; }
  /// \param values  out; shape [width of the series]
  /// \throws FileError
  void ReadValues(const Row& row, std::span<double> values) const;
  /// Calls `take` for the rows of all series in the order in which they were written: one way through the file.
  /// \throws FileError
  void ForEachRow(
      const std::function<void(std::size_t series, const Row& row, std::span<const double> values)>& take) const;

 private:
  void ReadBlocks(std::istream& file, std::uint64_t limit);

  std::filesystem::path path_;
  FileDescriptor file_;
  RunInfo info_;
  std::vector<ResultSeries> series_;
  std::vector<std::vector<Row>> rows_;
  std::uint64_t end_ = 0;  // of the last good block
  bool is_begun_ = false;
  bool is_cut_ = false;
};

}  // namespace openmi
