#include "composition/results/ReadResults.hpp"

#include <array>
#include <cerrno>
#include <fstream>
#include <string_view>
#include <system_error>

#include "composition/results/CsvResults.hpp"
#include "composition/results/FileProblem.hpp"
#include "composition/results/JournalBlock.hpp"
#include "composition/results/NetcdfResults.hpp"
#include "composition/results/ReadCsvResults.hpp"
#include "composition/results/ReadNetcdfResults.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

std::string BeginOf(const std::filesystem::path& path) {
  if (std::error_code ignored; std::filesystem::is_directory(path, ignored)) {
    throw FileError({.file = path.string()}, "expected a file of results, found a folder", "name a file in it");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) ThrowFileProblem(path, "read results", errno);
  std::array<char, 8> bytes = {};
  file.read(bytes.data(), bytes.size());
  return std::string(bytes.data(), static_cast<std::size_t>(file.gcount()));
}

}  // namespace

ResultTable ReadResults(const std::filesystem::path& path) {
  std::error_code ignored;
  if (path.extension() != ".journal" && std::filesystem::exists(JournalOf(path), ignored)) {
    try {
      RebuildFromJournal(path);
    } catch (const FileError&) {
      // A folder that cannot be written to, or a full disk: the rows can still be read.
    }
    // What is left now is the journal of a run that goes on (its NetCDF file comes at the end), or one that could not
    // be turned into a file.
    if (std::filesystem::exists(JournalOf(path), ignored)) return ReadJournalResults(JournalOf(path));
  }
  const std::string begin = BeginOf(path);
  if (begin.starts_with(kJournalMagic) || begin.starts_with(kJournalMagicWithoutNotes)) return ReadJournalResults(path);
  if (begin.starts_with("CDF") || begin.starts_with("\x89HDF")) return ReadNetcdfResults(path);
  ResultTable table = ReadCsvResults(path);
  if (table.was_cut) RepairCsv(path);
  return table;
}

}  // namespace openmi
