#include "openmi/omi/Script.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <mutex>
#include <optional>
#include <utility>

#include "openmi/omi/CLibrary.hpp"
#include "openmi/omi/LibraryCopy.hpp"
#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {
namespace {

constexpr char kEntryPoint[] = "openmi_c_language_1";
constexpr std::string_view kEnding = ".py";
constexpr std::string_view kModule = "python:";
constexpr char kPlugin[] = "openmi-python";

/// The plug-in of the language. It stays in memory: an interpreter cannot be unloaded.
const openmi_language& Language(const Where& where) {
  static std::mutex mutex;
  static const openmi_language* language = nullptr;
  const std::scoped_lock lock(mutex);
  if (language != nullptr) return *language;
  const std::string path = Script::PluginPath(where);
  auto plugin = std::make_unique<std::shared_ptr<SharedLibrary>>(SharedLibrary::Open(path, where));
  auto* const entry_point = (*plugin)->FunctionNamed<const openmi_language*()>(kEntryPoint);
  const openmi_language* const found = entry_point != nullptr ? entry_point() : nullptr;
  if (found == nullptr || found->size < sizeof(openmi_language)) {
    throw LoadError(where, fmt::format("expected {} in '{}', found none that gives a language", kEntryPoint, path),
                    "install the plug-in of this release");
  }
  static_cast<void>(plugin.release());
  return *(language = found);
}

std::vector<std::string> ListOf(const char* const* texts) {
  std::vector<std::string> list;
  for (; *texts != nullptr; ++texts) list.emplace_back(*texts);
  return list;
}

void Keep(void* to, const openmi_report* report) {
  const auto text = [](const char* given) { return std::string(given != nullptr ? given : ""); };
  *static_cast<std::optional<Problem>*>(to) =
      Problem{.where = {.file = text(report->file), .line = report->line, .item = text(report->item)},
              .problem = text(report->message),
              .remedy = text(report->remedy)};
}

void ThrowIf(const std::optional<Problem>& complaint, const Where& where) {
  if (!complaint) return;
  Where there = complaint->where;
  there.component = where.component;
  if (there.file.empty()) there = where;
  throw LoadError(there, complaint->problem, complaint->remedy);
}

/// The name as the language takes it.
std::string NameIn(const std::string& path) {
  return Script::IsModule(path) ? path.substr(kModule.size()) : path;
}

}  // namespace

bool Script::IsModule(std::string_view assembly) {
  return assembly.starts_with(kModule);
}

bool Script::IsNamedBy(std::string_view assembly) {
  return assembly.ends_with(kEnding) || IsModule(assembly);
}

std::string Script::PluginPath(const Where& where) {
  try {
    return LibrarySearch().Find(kPlugin);
  } catch (const LoadError&) {
    throw LoadError(where,
                    fmt::format("expected the plug-in '{}' for components in Python, found none beside the SDK's own "
                                "libraries",
                                kPlugin),
                    "install it (the package python3-openmi2), or build with OPENMI_WITH_PYTHON");
  }
}

std::vector<std::string> Script::PackageFiles(const Where& where) {
  return ListOf(Language(where).support());
}

Script::Script(std::string path, LibraryFile file, FileStamp stamp, const openmi_language& language)
    : SharedLibrary(std::move(path), std::move(file), stamp), language_(language) {}

std::shared_ptr<Script> Script::Open(const std::string& name, const Where& where) {
  std::error_code error;
  const bool is_module = IsModule(name);
  const std::string path = is_module ? name : std::filesystem::canonical(name, error).string();
  LibraryFile file = InspectLibrary(path, where);
  FileStamp stamp{.size = file.size};
  stamp.hash = HashOfLibrary(path, where);
  const std::shared_ptr<Script> script(new Script(path, std::move(file), stamp, Language(where)));
  std::optional<Problem> complaint;
  script->table_ = script->language_.open(NameIn(path).c_str(), is_module ? 1 : 0, &Keep, &complaint);
  ThrowIf(complaint, where);
  const std::string place = fmt::format("'{}'", path);
  script->types_ = CTypesOf(script->table_, "the plug-in for " + place, place, where);
  return script;
}

void Script::Fill(const std::string& interface, const std::string& name, const std::string& type, void* table,
                  const Where& where) {
  std::optional<Problem> complaint;
  Language(where).fill(interface.c_str(), NameIn(name).c_str(), IsModule(name) ? 1 : 0, type.c_str(), table, &Keep,
                       &complaint);
  ThrowIf(complaint, where);
}

std::vector<std::string> Script::Files() const {
  return ListOf(language_.files(table_));
}

Script::~Script() {
  if (table_ != nullptr) language_.close(table_);
}

}  // namespace openmi
