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
      // The folder is not writable, or the disk is full: the rows can still be read.
    }
    // A remaining journal belongs to a run in progress (its NetCDF file is made at the end), or could not be turned
    // into a file.
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
