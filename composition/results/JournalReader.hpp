#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <limits>
#include <span>
#include <vector>

#include "composition/results/ResultSeries.hpp"
#include "openmi/system/FileDescriptor.hpp"

namespace openmi {

/// Reads a journal up to its last complete block.
class JournalReader {
 public:
  struct Row {
    double begin = 0.0;  ///< Modified Julian Day, UTC
    double end = 0.0;
    std::uint64_t offset = 0;  ///< of the values, in bytes
  };

  /// \param limit  number of bytes to read at most
  /// \throws FileError    the file cannot be read
  /// \throws FormatError  the file is not a journal
  explicit JournalReader(const std::filesystem::path& path,
                         std::uint64_t limit = std::numeric_limits<std::uint64_t>::max());

  /// Whether the journal lists its series; false if the run ended before it wrote them.
  bool IsBegun() const { return is_begun_; }
  /// Whether there are bytes after the last good block.
  bool IsCut() const { return is_cut_; }
  const RunInfo& Info() const { return info_; }
  const std::vector<ResultSeries>& Series() const { return series_; }
  /// The rows of a series, ascending, one for each time (of several, the last one in the file).
  const std::vector<Row>& Rows(std::size_t series) const { return rows_[series]; }
  /// \param values  out; shape [width of the series]
  /// \throws FileError  the file cannot be read
  void ReadValues(const Row& row, std::span<double> values) const;
  /// Calls `take` for the rows of all series in the order in which they were written; reads the file once.
  /// \throws FileError  the file cannot be read
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
