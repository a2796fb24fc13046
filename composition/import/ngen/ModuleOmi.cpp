#include "composition/import/ngen/ModuleOmi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "composition/import/ngen/CatchmentGroups.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"

namespace openmi::ngen {
namespace {

namespace fs = std::filesystem;

/// Whether a configuration names a file or folder by a path that starts in `root`.
bool NamesRelativePath(const fs::path& config, const fs::path& root) {
  constexpr std::size_t kMost = 1 << 20;
  std::error_code error;
  if (!fs::is_regular_file(config, error)) return false;
  std::ifstream stream(config, std::ios::binary);
  std::string text(kMost, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  for (const std::string& word : Split(text, " \t\r\n\"'=,;")) {
    if (word.find('/') == std::string::npos || word.front() == '/' || word.size() > 1000) continue;
    if (fs::exists(root / word, error)) return true;
  }
  return false;
}

}  // namespace

std::string NameOf(const Module& module) {
  std::string name = module.model;
  for (const std::string_view prefix : {"bmi_c++_", "bmi_c_", "bmi_fortran_", "bmi_python_", "bmi_"}) {
    if (name.starts_with(prefix) && name.size() > prefix.size()) {
      name.erase(0, prefix.size());
      break;
    }
  }
  if (!name.empty()) return name;
  return module.python.empty() ? fs::path(module.library).stem().string() : module.python;
}

std::string ModuleOmi::LibraryOf(const Module& module) {
  if (!module.python.empty()) {
    const std::string name = module.python.substr(0, module.python.rfind('.'));
    // Python searches the folder in which ngen runs first.
    std::string file = name;
    std::ranges::replace(file, '.', '/');
    const fs::path path = options_.root / (file + ".py");
    std::error_code error;
    return fs::is_regular_file(path, error) ? fs::absolute(path).lexically_normal().string() : "python:" + name;
  }
  const auto named = options_.libraries.find(module.library);
  const fs::path path = named != options_.libraries.end() ? named->second : options_.root / module.library;
  if (named != options_.libraries.end()) used_.insert(module.library);
  fs::path without = path;
  without.replace_extension();
  // As ngen: with the ending of this platform.
  for (const fs::path& one : {path, fs::path(path.string() + ".so"), fs::path(without.string() + ".so")}) {
    std::error_code error;
    if (fs::is_regular_file(one, error)) return fs::absolute(one).lexically_normal().string();
  }
  if (missing_.insert(module.library).second) {
    AddError(problems_, Place(module.place + ".library_file"),
             fmt::format("expected the library {}, found none", Quoted(path.lexically_normal().string())),
             fmt::format("build it, state the folder in which ngen runs (--root), or import again with --library "
                         "'{}=FILE.so'",
                         module.library));
  }
  return {};
}

OmiFile ModuleOmi::Of(const Module& module, const std::string& library, const std::string& catchment) {
  OmiFile omi;
  omi.type = "openmi.bmi.Model";
  omi.assembly = "openmi-bmi-bridge";
  const auto add = [&omi](const char* key, const std::string& value) {
    if (!value.empty()) omi.arguments.push_back({.key = key, .value = value});
  };
  add("library", library);
  std::string entry = module.entry;
  if (const std::size_t dot = module.python.rfind('.'); dot != std::string::npos) entry = module.python.substr(dot + 1);
  const bool is_usual = entry.empty() || (module.kind == "bmi_c++" && entry == "bmi_model_create") ||
                        (module.kind == "bmi_fortran" && entry == "register_bmi");
  if (!is_usual && module.kind == "bmi_c++") {
    AddWarning(problems_, Place(module.place + ".create_function"),
               fmt::format("left out: {}; the bridge looks for bmi_model_create", Quoted(entry)),
               "export a function of that name, too");
  } else if (!is_usual) {
    add("register", entry);
  }
  if (NamesRelativePath(ConfigOf(module, catchment, options_.root), options_.root)) {
    add("working-directory", fs::absolute(options_.root).lexically_normal().string());
  }
  return omi;
}

void ModuleOmi::RequireUse() const {
  for (const auto& [written, path] : options_.libraries) {
    if (used_.contains(written)) continue;
    throw ArgumentError(Place("library_file"),
                        fmt::format("expected a library of the realization after --library, found {}", Quoted(written)),
                        "write it as the realization does");
  }
}

}  // namespace openmi::ngen
