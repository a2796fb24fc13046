#include "components/population/MemberMaker.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>

#include "components/population/RowProblems.hpp"
#include "openmi/omi/LoadOmi.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/sdk/ReadableFile.hpp"

namespace openmi::population {
namespace {

constexpr std::string_view kTemplate = "template:";

/// Replaces the content of a file. A file for each member, or one that is emptied for each, would cost a file system
/// far more time than the members take. \throws FileError  not writable
void WriteOver(const std::filesystem::path& path, const std::string& content) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  std::size_t written = 0;
  while (file >= 0 && written < content.size()) {
    const ssize_t count = ::write(file, content.data() + written, content.size() - written);
    if (count <= 0) break;
    written += static_cast<std::size_t>(count);
  }
  const bool is_whole =
      file >= 0 && written == content.size() && ::ftruncate(file, static_cast<off_t>(content.size())) == 0;
  if (file >= 0) ::close(file);
  if (!is_whole) {
    throw FileError({.file = path.string()}, "expected to write the filled template, found that the disk refuses",
                    "set TMPDIR to a folder with space");
  }
}

[[noreturn]] void ThrowFirst(const Problems& problems) {
  for (const Problem& problem : problems) {
    if (problem.severity == Problem::Error) throw ArgumentError(problem.where, problem.problem, problem.remedy);
  }
  throw ArgumentError({}, "expected a component, found none");
}

}  // namespace

MemberMaker::MemberMaker(const std::filesystem::path& file) : omi_(ReadOmiFile(file)) {}

MemberMaker::~MemberMaker() {
  RemoveFiles();
}

LoadedComponent MemberMaker::MakePrototype() {
  return LoadOmi(loader_, omi_);
}

void MemberMaker::Begin(const RowTable& table, const std::vector<Setting>& settings,
                        const std::filesystem::path& folder) {
  RemoveFiles();
  table_ = &table;
  folder_ = folder.empty() ? "." : folder;
  std::error_code error;
  is_other_folder_ = !std::filesystem::equivalent(omi_.Folder(), folder_, error);
  arguments_.clear();
  const auto find = [&](std::string_view name) { return table.ColumnOf(name); };
  RowProblems problems("arguments");
  for (const Setting& setting : settings) {
    std::string file;
    try {
      if (!setting.text.starts_with(kTemplate)) {
        arguments_.push_back({setting.key, RowText(setting.text, find, table.Columns()), {}, setting.is_path});
        continue;
      }
      const std::filesystem::path named(setting.text.substr(kTemplate.size()));
      std::filesystem::path path = named.is_absolute() ? named : folder_ / named;
      if (!std::filesystem::exists(path)) path = omi_.Resolve(named.string());
      file = path.string();
      arguments_.push_back({setting.key,
                            RowText(ReadWholeFile(path.string(), path.string(), "a template"), find, table.Columns()),
                            path.filename().string(), false});
    } catch (const Error& problem) {
      problems.Add(setting.key, setting.key, Error::Format({.file = file}, problem.Problem(), {}), problem.Remedy(),
                   setting.key);
    }
  }
  problems.ThrowIfAny({});
}

std::vector<std::pair<std::string, std::string>> MemberMaker::MissingOf(std::size_t row) const {
  std::vector<std::pair<std::string, std::string>> missing;
  std::vector<int> columns;
  for (const Filled& argument : arguments_) {
    columns.clear();
    argument.text.For([&](int column) -> const std::string& { return table_->Cell(row, column); }, columns);
    for (const int column : columns) {
      missing.emplace_back(argument.key, table_->Columns()[static_cast<std::size_t>(column)]);
    }
  }
  return missing;
}

std::string MemberMaker::ValueFor(const Filled& argument, std::size_t row) {
  std::vector<int> missing;
  std::string value =
      argument.text.For([&](int column) -> const std::string& { return table_->Cell(row, column); }, missing);
  std::error_code error;
  if (argument.template_name.empty()) {
    if (!argument.is_path || !is_other_folder_ || value.empty() || value.find('\n') != std::string::npos) return value;
    const std::filesystem::path here = folder_ / value;
    return std::filesystem::is_regular_file(here, error) ? std::filesystem::absolute(here).string() : value;
  }
  if (copies_.empty()) {
    std::string name = (std::filesystem::temp_directory_path() / "openmi-population-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw FileError({.file = name}, "expected a folder for filled templates, found that none can be made",
                      "set TMPDIR to a folder with space");
    }
    copies_ = name;
  }
  // The copy keeps the name of the template, because some components look at its ending.
  const std::filesystem::path folder = copies_ / argument.key;
  std::filesystem::create_directories(folder, error);
  const std::filesystem::path path = folder / argument.template_name;
  WriteOver(path, value);
  return path.string();
}

LoadedComponent MemberMaker::Make(std::size_t row, const std::string& caption) {
  LoadedComponent loaded = LoadOmi(loader_, omi_);
  loaded.component->SetCaption(caption);
  std::vector<OmiArgument> arguments;
  for (const Filled& argument : arguments_) {
    arguments.push_back({.key = argument.key, .value = ValueFor(argument, row)});
  }
  Problems problems;
  SetArguments(*loaded.component, arguments, {.component = caption}, problems, omi_.arguments);
  if (HasErrors(problems)) ThrowFirst(problems);
  return loaded;
}

void MemberMaker::RemoveFiles() {
  if (copies_.empty()) return;
  std::error_code error;
  std::filesystem::remove_all(copies_, error);
  copies_.clear();
}

}  // namespace openmi::population
