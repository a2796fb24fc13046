#include "composition/results/RunFolder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "composition/results/AppendFile.hpp"
#include "composition/results/CsvResults.hpp"
#include "composition/results/FileProblem.hpp"
#include "composition/results/NetcdfResults.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

std::filesystem::path Made(std::filesystem::path folder) {
  if (folder.empty()) folder = ".";
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) ThrowFileProblem(folder, "create the results folder", problem.value());
  if (!std::filesystem::is_directory(folder, problem)) ThrowFileProblem(folder, "write results", ENOTDIR);
  return folder;
}

std::string Checked(std::string name) {
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos ||
      name.find('\0') != std::string::npos) {
    throw FileError({.file = name}, fmt::format("expected a name for the results, found '{}'", name),
                    "name them without a folder and without an ending: upper-creek");
  }
  return name;
}

}  // namespace

RunFolder::RunFolder(std::filesystem::path folder, std::string name, Existing existing)
    : folder_(Made(std::move(folder))), name_(Checked(std::move(name))), lock_(folder_ / ("." + name_ + ".lock")) {
  if (existing != Existing::Refuse) return;
  RebuildFromJournal(Netcdf());
  RepairCsv(Csv());
  for (const auto& file : {Csv(), Netcdf(), Report()}) {
    if (IsTaken(file)) RefuseEarlierResults(file);
  }
}

std::filesystem::path RunFolder::File(std::string_view ending) const {
  return folder_ / (name_ + std::string(ending));
}

}  // namespace openmi
