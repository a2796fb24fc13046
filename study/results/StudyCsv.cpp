#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>

#include "composition/results/CsvText.hpp"
#include "openmi/sdk/Error.hpp"
#include "study/results/StudyRows.hpp"

namespace openmi {
namespace {

/// A file that replaces an earlier one when it is complete.
class WholeFile {
 public:
  explicit WholeFile(const std::filesystem::path& path) : path_(path), part_(path) {
    part_ += ".part";
    file_.open(part_, std::ios::binary | std::ios::trunc);
  }
  void Write(std::string_view text) { file_.write(text.data(), static_cast<std::streamsize>(text.size())); }
  void Close() {
    file_.flush();
    std::error_code error(file_ ? 0 : errno, std::generic_category());
    file_.close();
    if (!error) std::filesystem::rename(part_, path_, error);
    if (!error) return;
    std::error_code ignored;
    std::filesystem::remove(part_, ignored);
    throw FileError({.file = path_.string()}, "expected to write results, found: " + error.message(),
                    "check that the folder may be written to and has room");
  }

 private:
  std::filesystem::path path_;
  std::filesystem::path part_;
  std::ofstream file_;
};

}  // namespace

void WriteWhole(const std::filesystem::path& path, const std::string& text) {
  WholeFile file(path);
  file.Write(text);
  file.Close();
}

void WriteStudyCsv(const StudyJournalReader& journal, SeriesColumns& columns, std::uint64_t members,
                   const std::filesystem::path& path) {
  WholeFile file(path);
  std::string line = "member,time";
  for (const SeriesColumn& column : columns.Columns()) {
    for (std::size_t element = 0; element < column.series.Width(); ++element) {
      line += ',';
      AppendCsvField(line, CsvHeading(column.series, element));
    }
  }
  file.Write(line + '\n');
  // Lines are the times of any column; a column without such a time leaves its fields empty. Rows of a column that end
  // at the same time are lines of their own, numbered from 0.
  std::map<std::pair<double, std::size_t>, std::string> lines;
  for (std::uint64_t member = 0; member < members; ++member) {
    const auto result = journal.Read(member);
    if (!result) continue;
    lines.clear();
    std::size_t before = 0;
    std::size_t number = 0;
    for (const SeriesColumn& column : columns.Columns()) {
      const std::size_t width = column.series.Width();
      for (const MemberSeries& series : result->series) {
        if (columns.ColumnOf(series.shape) != number) continue;
        const std::vector<double>& values = columns.Placed(series);
        std::size_t same = 0;
        for (std::size_t row = 0; row < column.times.size(); ++row) {
          same = row > 0 && column.times[row] == column.times[row - 1] ? same + 1 : 0;
          std::string& text = lines[{column.times[row], same}];
          text.append(before - static_cast<std::size_t>(std::ranges::count(text, ',')), ',');
          for (std::size_t k = 0; k < width; ++k) {
            text += ',';
            AppendNumber(text, values[row * width + k]);
          }
        }
      }
      before += width;
      ++number;
    }
    for (auto& [place, text] : lines) {
      text.append(before - static_cast<std::size_t>(std::ranges::count(text, ',')), ',');
      file.Write(fmt::format("{},{}{}\n", member + 1, ResultTimeText(place.first), text));
    }
  }
  file.Close();
}

}  // namespace openmi
