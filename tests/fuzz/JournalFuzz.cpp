#include <cstring>
#include <string>
#include <vector>

#include "composition/results/JournalBlock.hpp"
#include "composition/results/JournalReader.hpp"
#include "composition/results/ReadResults.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

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

/// The same journal with the right check sums: a block with a wrong one ends a journal, and what reads the bodies would
/// never see a wrong one.
std::string WithRightSums(std::string bytes) {
  for (std::size_t at = kJournalMagic.size(); at + sizeof(JournalBlock) <= bytes.size();) {
    JournalBlock head;
    std::memcpy(&head, bytes.data() + at, sizeof head);
    const std::size_t body = at + sizeof head;
    if (head.length % 8 != 0 || head.length > bytes.size() - body) break;
    head.check = JournalCheck(head, std::string_view(bytes).substr(body, head.length));
    std::memcpy(bytes.data() + at, &head, sizeof head);
    at = body + head.length;
  }
  return bytes;
}

}  // namespace

// Any bytes are a journal up to where it is cut, or an error.
OPENMI_FUZZ_TARGET(journal) {
  ReadWhole(FileOf(input, ".journal"));
  ReadWhole(FileOf(WithRightSums(std::string(input)), ".journal"));
}

}  // namespace openmi::fuzz
