#include <string>
#include <vector>

#include "composition/results/JournalBlock.hpp"
#include "composition/results/JournalReader.hpp"
#include "composition/results/ReadResults.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"
#include "tests/fuzz/JournalSums.hpp"

namespace openmi::fuzz {
namespace {

void ReadWhole(const std::string& path) {
  try {
    const JournalReader journal(path);
    std::vector<double> values;
    for (std::size_t i = 0; i < journal.Series().size(); ++i) {
      values.resize(journal.Series()[i].Width());
      for (const JournalReader::Row& row : journal.Rows(i)) journal.ReadValues(row, values);
    }
    journal.ForEachRow([&](std::size_t series, const JournalReader::Row&, std::span<const double> row) {
      Require(row.size() == journal.Series()[series].Width());
    });
  } catch (const Error&) {
  }
  try {
    const ResultTable table = ReadResults(path);
    for (const ResultRows& rows : table.series) {
      Require(rows.values.size() == rows.ends.size() * rows.series.Width());
    }
  } catch (const Error&) {
  }
}

}  // namespace

// Any bytes are a journal up to where it is cut, or an error.
OPENMI_FUZZ_TARGET(journal) {
  ReadWhole(FileOf(input, ".journal"));
  ReadWhole(FileOf(WithRightSums(std::string(input)), ".journal"));
}

}  // namespace openmi::fuzz
