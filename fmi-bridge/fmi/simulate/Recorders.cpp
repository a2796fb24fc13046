
#include "composition/results/CsvText.hpp"
#include "fmi-bridge/fmi/simulate/Simulation.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::fmi {
namespace {
constexpr std::size_t kBlock = 1U << 16U;
}

void CsvRecorder::Begin(std::span<const RecordedColumn> columns) {
  columns_.assign(columns.begin(), columns.end());
  text_.reserve(2 * kBlock);
  text_ = "time";
  for (const RecordedColumn& column : columns_) {
    text_ += ',';
    AppendCsvField(text_, column.name);
  }
  text_ += '\n';
}

void CsvRecorder::Row(double time, std::span<const double> numbers, std::span<const std::string> texts) {
  AppendNumber(text_, time);
  for (const RecordedColumn& column : columns_) {
    text_ += ',';
    if (column.is_text) {
      AppendCsvField(text_, texts[column.position]);
    } else {
      AppendNumber(text_, numbers[column.position]);
    }
  }
  text_ += '\n';
  if (text_.size() >= kBlock) End();
}

void CsvRecorder::End() {
  write_(text_);
  text_.clear();
}

void MemoryRecorder::Begin(std::span<const RecordedColumn> recorded) {
  columns.assign(recorded.begin(), recorded.end());
  std::size_t number_count = 0;
  for (const RecordedColumn& column : columns) number_count += column.is_text ? 0 : 1;
  numbers.assign(number_count, {});
  texts.assign(columns.size() - number_count, {});
  times.clear();
}

void MemoryRecorder::Row(double time, std::span<const double> row, std::span<const std::string> text_row) {
  times.push_back(time);
  for (std::size_t i = 0; i < row.size(); ++i) numbers[i].push_back(row[i]);
  for (std::size_t i = 0; i < text_row.size(); ++i) texts[i].push_back(text_row[i]);
}

const std::vector<double>& MemoryRecorder::Column(const std::string& name) const {
  for (const RecordedColumn& column : columns) {
    if (column.name == name && !column.is_text) return numbers[column.position];
  }
  throw RangeError({.item = name}, "expected a recorded column of numbers, found none of that name");
}

}  // namespace openmi::fmi
