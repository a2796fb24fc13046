#include "fmi-bridge/export/fmu/RuntimeFiles.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "openmi/omi/LibraryFile.hpp"
#include "openmi/omi/SafeProbe.hpp"
#include "openmi/omi/Script.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::fmu {
namespace {

namespace fs = std::filesystem;

#if defined(__x86_64__)
constexpr char kTuple[] = "x86_64-linux";
constexpr char kFmi2Folder[] = "linux64";
constexpr char kLoader[] = "/lib64/ld-linux-x86-64.so.2";
#elif defined(__aarch64__)
constexpr char kTuple[] = "aarch64-linux";
constexpr char kFmi2Folder[] = "aarch64-linux";
constexpr char kLoader[] = "/lib/ld-linux-aarch64.so.1";
#else
#error "expected a platform that an FMU has a name for"
#endif

/// The folder of the runtime library.
fs::path OwnFolder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&OwnFolder), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  return fs::canonical(info.dli_fname, error).parent_path();
}

fs::path FindProgram(const std::string& name) {
  const fs::path own = OwnFolder();
  for (const fs::path& place : {own / ".." / "bin" / name, own / name, own / ".." / ".." / "bin" / name}) {
    if (access(place.c_str(), X_OK) == 0) return place.lexically_normal();
  }
  throw FileError({.file = name}, "expected the program of exported FMUs beside the runtime, found none", "install it");
}

void Copy(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to.parent_path(), error);
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  if (error) {
    throw FileError({.file = from.string()},
                    fmt::format("expected a file that can be copied into the FMU, found: {}", error.message()));
  }
}

/// Whether a library belongs to the C library, which must be that of the importer's machine.
bool IsOfSystem(std::string_view name) {
  constexpr std::array kNames = {"libc.so",      "libm.so",    "libdl.so",   "libpthread.so",     "librt.so",
                                 "libresolv.so", "libutil.so", "libanl.so",  "libmvec.so",        "libnss_",
                                 "libnsl.so",    "ld-linux",   "linux-vdso", "libBrokenLocale.so"};
  return std::ranges::any_of(kNames, [name](std::string_view one) { return name.starts_with(one); });
}

using LibraryPaths = std::map<std::string, fs::path>;

/// Adds all libraries that a library or program is linked with, by the names under which it needs them.
/// \param first  folders that are searched first, separated by colons; may be empty
void AddNeeded(const fs::path& file, const std::string& first, LibraryPaths& needed) {
  std::vector<std::string> words = {kLoader, "--list", file.string()};
  if (!first.empty()) words.insert(words.begin() + 1, {"--library-path", first});
  const ChildResult listed = RunInChild(words, {.time = std::chrono::seconds(30)});
  if (!listed.Succeeded()) {
    throw LoadError(
        {.file = file.string()},
        fmt::format("expected the libraries it needs, found that listing them {}: {}", listed.Sentence(), listed.err));
  }
  std::istringstream lines(listed.out);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t arrow = line.find(" => ");
    if (arrow == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t");
    const std::string name = fs::path(line.substr(begin, arrow - begin)).filename().string();
    if (IsOfSystem(name)) continue;
    std::string path = line.substr(arrow + 4);
    if (const std::size_t end = path.rfind(" (0x"); end != std::string::npos) path.resize(end);
    if (path.starts_with("not found")) {
      throw LoadError({.file = file.string()}, fmt::format("expected all libraries it needs, found no {}", name),
                      "install it, or put it where the library looks");
    }
    needed.insert_or_assign(name, path);
  }
}

/// The folders of placeholders that may replace libraries, separated by colons.
std::string PlaceholderFolders(const RuntimeChoice& choice) {
  if (choice.lean || choice.complete) return {};
  std::string folders;
  for (const auto& [name, is_needed] :
       {std::pair("schemas", false), std::pair("network", false), std::pair("encodings", choice.encodings),
        std::pair("netcdf", choice.netcdf), std::pair("proj", choice.proj)}) {
    if (is_needed) continue;
    if (!folders.empty()) folders += ':';
    folders += (OwnFolder() / "openmi2" / "fmu" / "placeholders" / name).string();
  }
  return folders;
}

/// Adds the libraries that a library of a component needs in addition to ours; no placeholder may replace them.
/// \param ours  folders of our own libraries
/// \param base  libraries of the host program, which is the same for all FMUs
void AddOwnNeeds(const fs::path& library, const std::set<fs::path>& ours, const LibraryPaths& base,
                 LibraryPaths& needed) {
  LibraryPaths all;
  AddNeeded(library, {}, all);
  for (const std::string& name : InspectLibrary(library).needed) {
    const auto found = all.find(name);
    if (found == all.end()) continue;  // part of the C library
    std::error_code error;
    if (!ours.contains(fs::canonical(found->second, error).parent_path())) {
      needed.insert_or_assign(name, found->second);
      AddNeeded(found->second, {}, needed);
    } else if (!base.contains(name)) {
      AddOwnNeeds(found->second, ours, base, needed);
    }
  }
}

/// The first of `places` that exists.
fs::path FirstOf(const std::vector<fs::path>& places) {
  for (const fs::path& place : places) {
    std::error_code error;
    if (!place.empty() && fs::is_regular_file(place, error)) return place;
  }
  return {};
}

fs::path Named(const char* variable, const char* file) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return {};
  return *file == '\0' ? fs::path(value) : fs::path(value) / file;
}

void CopyData(const fs::path& resources, bool has_proj) {
  const fs::path units = FirstOf({Named("UDUNITS2_XML_PATH", ""), "/usr/share/xml/udunits/udunits2.xml",
                                  "/usr/share/udunits/udunits2.xml", "/usr/local/share/udunits/udunits2.xml"});
  if (units.empty()) {
    throw FileError({.file = "udunits2.xml"}, "expected the unit database of UDUNITS-2, found none",
                    "name it in the environment variable UDUNITS2_XML_PATH");
  }
  for (const auto& entry : fs::directory_iterator(units.parent_path())) {
    if (entry.path().extension() == ".xml") Copy(entry.path(), resources / "udunits" / entry.path().filename());
  }
  if (!has_proj) return;
  const fs::path systems = FirstOf({Named("PROJ_DATA", "proj.db"), Named("PROJ_LIB", "proj.db"),
                                    "/usr/share/proj/proj.db", "/usr/local/share/proj/proj.db"});
  if (!systems.empty()) Copy(systems, resources / "proj" / "proj.db");
}

/// Copies what runs components in Python: the plug-in and its package, to the same places as in an installed tree.
/// \param libraries  receives their libraries
void CopyLanguage(const fs::path& runtime, LibraryPaths& libraries) {
  const fs::path plugin = Script::PluginPath({});
  Copy(plugin, runtime / "lib" / "openmi2" / plugin.filename());
  libraries.emplace(plugin.filename(), plugin);
  for (const std::string& file : Script::PackageFiles({})) {
    const fs::path copy = runtime / "lib" / "python3" / "dist-packages" / "openmi" / fs::path(file).filename();
    Copy(file, copy);
    if (copy.extension() == ".so") libraries.emplace(copy.filename(), file);
  }
}

}  // namespace

std::string PlatformTuple() {
  return kTuple;
}

std::string BinaryFolder(int version) {
  return version == 2 ? kFmi2Folder : kTuple;
}

fs::path ShimLibrary() {
  const fs::path path = OwnFolder() / "openmi2" / "fmu" / "openmi_fmu.so";
  if (access(path.c_str(), R_OK) == 0) return path;
  throw FileError({.file = path.string()}, "expected the library of exported FMUs, found none", "install it");
}

std::vector<std::string> CopyRuntime(const fs::path& resources, const std::map<std::string, fs::path>& components,
                                     const RuntimeChoice& choice) {
  const fs::path runtime = resources / kTuple;
  const std::string placeholders = PlaceholderFolders(choice);
  std::set<fs::path> ours = {OwnFolder()};
  LibraryPaths needed;
  for (const char* name : {"openmi-fmu-host", "openmi-component-host"}) {
    const fs::path program = FindProgram(name);
    Copy(program, runtime / "bin" / name);
    AddNeeded(program, placeholders, needed);
  }
  const LibraryPaths base = needed;
  LibraryPaths libraries;
  for (const auto& [name, path] : components) {
    Copy(path, runtime / "lib" / "openmi2" / name);
    if (!Script::IsNamedBy(name)) libraries.emplace(name, path);
  }
  if (choice.python) CopyLanguage(runtime, libraries);
  for (const auto& [name, path] : libraries) {
    AddNeeded(path, placeholders, needed);
    ours.insert(path.parent_path());
  }
  for (const auto& [name, path] : libraries) AddOwnNeeds(path, ours, base, needed);
  // The interpreter is that of the importer's machine, like its packages.
  std::erase_if(needed, [](const auto& one) { return one.first.starts_with("libpython"); });
  std::vector<std::string> left;
  for (const auto& [name, path] : needed) {
    std::error_code error;
    const bool is_ours = ours.contains(fs::canonical(path, error).parent_path());
    if (is_ours || !choice.lean) {
      Copy(path, runtime / "lib" / name);
    } else {
      left.push_back(name);
    }
  }
  const auto proj = std::ranges::find_if(needed, [](const auto& one) { return one.first.starts_with("libproj."); });
  CopyData(resources, !choice.lean && proj != needed.end() && proj->second.parent_path().filename() != "proj");
  return left;
}

}  // namespace openmi::fmu
