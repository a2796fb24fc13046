#include "openmi/omi/LibrarySearch.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "openmi/omi/LibraryFile.hpp"
#include "openmi/omi/Script.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostListed = 10'000;  // entries of one folder that are compared for suggestions

bool EndsWithIgnoringCase(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && std::equal(end.rbegin(), end.rend(), text.rbegin(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

bool IsWindowsAbsolute(const std::string& name) {
  return name.size() > 2 && std::isalpha(static_cast<unsigned char>(name[0])) != 0 && name[1] == ':' && name[2] == '/';
}

bool NamesSharedObject(const std::string& name) {
  return name.ends_with(".so") || name.find(".so.") != std::string::npos;
}

bool IsFile(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// The part after the last slash is the name; the rest, with the slash, precedes every form of the name.
std::pair<std::string, std::string> FolderAndName(std::string assembly) {
  std::replace(assembly.begin(), assembly.end(), '\\', '/');
  const std::size_t slash = assembly.rfind('/');
  if (slash == std::string::npos) return {"", assembly};
  if (IsWindowsAbsolute(assembly)) return {"", assembly.substr(slash + 1)};
  return {assembly.substr(0, slash + 1), assembly.substr(slash + 1)};
}

// Libraries, or files of components in Python.
std::vector<std::string> LibrariesIn(const std::string& folder, bool are_scripts = false) {
  std::vector<std::string> names;
  std::error_code error;
  std::size_t seen = 0;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (++seen > kMostListed) break;
    const std::string name = entry->path().filename().string();
    const bool is_one = are_scripts ? Script::IsNamedBy(name) : NamesSharedObject(name);
    if (is_one && !name.starts_with('.')) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// The nearest name, compared without lib and .so, which the user may omit.
std::string BareName(const std::string& file_name) {
  std::string bare = file_name.substr(0, file_name.find(".so"));
  if (bare.starts_with("lib")) bare.erase(0, 3);
  return bare;
}

std::string NearestLibrary(const std::string& name, const std::vector<std::string>& folders) {
  std::vector<std::string> bare;
  std::vector<std::string> paths;
  for (const std::string& folder : folders) {
    for (const std::string& file : LibrariesIn(folder, Script::IsNamedBy(name))) {
      bare.push_back(BareName(file));
      paths.push_back((fs::path(folder) / file).string());
    }
  }
  const std::string nearest = Nearest(BareName(name), bare);
  if (nearest.empty()) return {};
  return paths[static_cast<std::size_t>(std::find(bare.begin(), bare.end(), nearest) - bare.begin())];
}

// The address of any function of this library gives the file that it was loaded from.
std::string OwnFolder() {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(&OwnFolder), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const fs::path self = fs::canonical(info.dli_fname, error);
  return error ? std::string() : self.parent_path().string();
}

}  // namespace

std::vector<std::string> LibrarySearch::Names(const std::string& assembly) {
  auto [folder, name] = FolderAndName(assembly);
  std::vector<std::string> names;
  const auto add = [&names, &prefix = folder](const std::string& form) {
    if (std::find(names.begin(), names.end(), prefix + form) == names.end()) names.push_back(prefix + form);
  };
  if (name.empty()) return names;
  if (Script::IsNamedBy(name)) {
    add(name);
    return names;
  }
  if (NamesSharedObject(name)) {
    add(name);
    add("lib" + name);
    return names;
  }
  // The name of an assembly of .NET may come with its version and key.
  name = name.substr(0, name.find(", Version="));
  const std::string as_given = name;
  if (EndsWithIgnoringCase(name, ".dll") || EndsWithIgnoringCase(name, ".exe")) name.resize(name.size() - 4);
  add("lib" + name + ".so");
  add(name + ".so");
  add(as_given);
  if (as_given == name) add(name + ".dll");
  return names;
}

std::vector<std::string> LibrarySearch::Folders(const std::string& omi_path) {
  std::vector<std::string> folders;
  const auto add = [&folders](const std::string& folder) {
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(folder);
  };
  const std::string beside = fs::path(omi_path).parent_path().string();
  add(beside.empty() ? "." : beside);
  if (const char* variable = std::getenv("OPENMI_PATH"); variable != nullptr) {
    std::string_view rest = variable;
    while (!rest.empty()) {
      const std::size_t colon = rest.find(':');
      if (const std::string_view folder = rest.substr(0, colon); !folder.empty()) add(std::string(folder));
      rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
    }
  }
  for (const std::string& folder : OwnFolders()) add(folder);
  return folders;
}

std::vector<std::string> LibrarySearch::OwnFolders() {
  static const std::string own = OwnFolder();
  if (own.empty()) return {};
  const std::string beside = own + "/openmi2";
  const std::string common = (fs::path(own).parent_path() / "lib" / "openmi2").string();
  return beside == common ? std::vector{beside} : std::vector{beside, common};
}

std::string LibrarySearch::Find(const std::string& assembly, const std::string& omi_path, int line) const {
  if (Script::IsModule(assembly)) return assembly;
  const Where where{.file = omi_path, .line = line};
  const std::vector<std::string> names = Names(assembly);
  if (names.empty()) {
    throw LoadError(where, fmt::format("expected the name of a library as Assembly, found '{}'", assembly),
                    "write the file name of the library, with or without 'lib' and '.so'");
  }
  const bool absolute = names.front().starts_with('/');
  const std::vector<std::string> folders = absolute ? std::vector<std::string>{""} : Folders(omi_path);
  for (const std::string& folder : folders) {
    for (const std::string& name : names) {
      const std::string path = folder.empty() || folder == "." ? name : folder + "/" + name;
      if (IsFile(path)) return path;
    }
  }

  // Nothing found: report the searched places and what they contain.
  std::vector<std::string> places;
  for (const std::string& folder : folders) {
    places.push_back(fs::path(folder.empty() || folder == "." ? names.front() : folder + "/" + names.front())
                         .parent_path()
                         .string());
    if (places.back().empty()) places.back() = ".";
  }
  std::vector<std::string> forms;
  for (const std::string& name : names) forms.push_back(fs::path(name).filename().string());
  const std::string nearest = NearestLibrary(forms.front(), places);
  const std::string beside =
      "put the library beside the OMI file, or add its folder to the environment variable OPENMI_PATH";
  throw LoadError(where,
                  fmt::format("expected the library '{}', found none; searched {} for {}", assembly,
                              fmt::join(places, ", "), fmt::join(forms, ", ")),
                  nearest.empty() ? (absolute ? "check the path in the OMI file" : beside)
                                  : fmt::format("did you mean '{}'? Otherwise {}", nearest, beside));
}

std::vector<std::string> LibrarySearch::Libraries(const std::string& omi_path) {
  std::vector<std::string> libraries;
  for (const std::string& folder : Folders(omi_path)) {
    for (const std::string& name : LibrariesIn(folder)) {
      const std::string path = folder == "." ? name : folder + "/" + name;
      try {
        if (InspectLibrary(path).has_entry_point) libraries.push_back(path);
      } catch (const LoadError&) {
        // Not a library for this machine: a listing omits it; loading it by name reports the reason.
      }
    }
  }
  return libraries;
}

}  // namespace openmi
