#include "fmi-bridge/fmi/compile/CompileFmu.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include "composition/results/FileHash.hpp"
#include "fmi-bridge/fmi/compile/SourceSets.hpp"
#include "fmi-bridge/fmi/run/FmuLibrary.hpp"
#include "openmi/omi/SafeProbe.hpp"
#include "openmi/omi/XmlText.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/system/TemporaryFolder.hpp"

namespace openmi {

std::string_view FmiHeader(std::string_view name);  // embedded

namespace fmi {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

/// The headers under the names of the standard. FMI 2.0 (2.3) and 3.0 leave them to the importer.
constexpr std::pair<const char*, std::string_view> kHeaders[] = {
    {"fmi2Functions.h",
     "#pragma once\n#include \"Fmi2Functions.h\"\n#define fmi2True 1\n#define fmi2False 0\n"
     "#define fmi2TypesPlatform \"default\"\n#define fmi2Version \"2.0\"\n#define FMI2_Export FMI2_EXPORT\n"
     "#define fmi2FullName(name) name\n"},
    {"fmi2FunctionTypes.h", "#include \"fmi2Functions.h\"\n"},
    {"fmi2TypesPlatform.h", "#include \"fmi2Functions.h\"\n"},
    {"fmi3Functions.h",
     "#pragma once\n#include \"Fmi3Functions.h\"\n#define fmi3True true\n#define fmi3False false\n"
     "#define fmi3Version \"3.0\"\n#define FMI3_Export FMI3_EXPORT\n#define fmi3FullName(name) name\n"},
    {"fmi3FunctionTypes.h", "#include \"fmi3Functions.h\"\n"},
    {"fmi3PlatformTypes.h", "#include \"fmi3Functions.h\"\n"}};
constexpr const char* kInterfaces[] = {"Fmi2.h", "Fmi2Functions.h", "Fmi3.h", "Fmi3Functions.h"};

void Write(const fs::path& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!out.flush()) throw FileError({.file = file.string()}, "expected space for a file, found none", "free some");
}

/// The first lines of what a compiler says.
std::string FirstLines(const std::string& text) {
  constexpr int kMostLines = 8;
  constexpr std::size_t kMostBytes = 1500;
  std::size_t end = 0;
  for (int line = 0; line < kMostLines && end < text.size(); ++line) {
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  }
  std::string first = text.substr(0, std::min(end, kMostBytes));
  while (!first.empty() && first.back() == '\n') first.pop_back();
  return first;
}

/// Makes a folder, unless it exists, that no other user may write to: code is loaded from it.
void MakePrivate(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (!error && mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) error.assign(errno, std::generic_category());
  if (!error && !fs::is_directory(folder, error) && !error) error = std::make_error_code(std::errc::not_a_directory);
  struct stat status {};
  if (!error && stat(folder.c_str(), &status) == 0 && status.st_uid == geteuid()) {
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) == 0 || chmod(folder.c_str(), S_IRWXU) == 0) return;
  }
  throw FileError({.file = folder.string()},
                  fmt::format("expected a folder of this user that keeps compiled FMUs, found {}",
                              error ? error.message() : "that of another user"),
                  "set XDG_CACHE_HOME to a folder of yours");
}

/// The folder of all compiled FMUs.
fs::path CacheFolder(const CompileOptions& options) {
  fs::path folder = options.cache;
  if (!folder.empty()) {
    folder = fs::absolute(folder);
  } else {
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    const char* const home = std::getenv("HOME");
    if (cache != nullptr && *cache == '/') {
      folder = fs::path(cache) / "openmi" / "fmus";
    } else if (home != nullptr && *home == '/') {
      folder = fs::path(home) / ".cache" / "openmi" / "fmus";
    } else {
      throw FileError({}, "expected a home folder that keeps compiled FMUs, found none", "set XDG_CACHE_HOME");
    }
  }
  MakePrivate(folder);
  return folder;
}

/// Puts a copy of a library where others look for it, at once.
void Publish(const fs::path& made, const fs::path& library, std::error_code& error) {
  // A name of its own: another thread, or another host with the same folder, may put the same library there.
  std::string copy = library.string() + "-XXXXXX";
  const int file = mkstemp(copy.data());
  if (file < 0) return error.assign(errno, std::generic_category());
  close(file);
  fs::copy_file(made, copy, fs::copy_options::overwrite_existing, error);
  if (!error) fs::rename(copy, library, error);
  if (std::error_code ignored; error) fs::remove(copy, ignored);
}

/// Removes the compiled FMUs that were not used for 90 days.
void RemoveUnused(const fs::path& cache) {
  constexpr std::chrono::hours kLongest{24 * 90};
  constexpr std::size_t kHashLength = 64;
  std::error_code error;
  for (fs::directory_iterator entry(cache, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code gone;  // by another run
    const auto used = entry->last_write_time(gone);
    const bool is_ours = entry->path().filename().string().size() == kHashLength;
    if (!gone && is_ours && used < fs::file_time_type::clock::now() - kLongest) fs::remove_all(entry->path(), gone);
  }
}

/// One compilation of an FMU.
class Compilation {
 public:
  Compilation(const fs::path& folder, const ModelDescription& description, InterfaceKind kind,
              const CompileOptions& options)
      : sources_(fs::absolute(folder) / "sources"),
        description_(description),
        identifier_(description.Of(kind)->model_identifier),
        line_(description.Of(kind)->line),
        options_(options),
        compiler_(options.compiler.empty() ? "cc" : options.compiler) {
    Problems problems;
    std::string build;
    if (std::error_code error; fs::is_regular_file(folder / kBuildDescription, error)) {
      build = ReadXmlBytes(folder / kBuildDescription);
    }
    sets_ = SourceSetsOf(description, kind, build, problems);
    ThrowIfErrors(problems);
    for (const SourceSet& set : sets_) {
      is_cxx_ = is_cxx_ || IsCxx(set);
      for (const std::string& file : set.files) {
        if (std::error_code error; fs::is_regular_file(sources_ / file, error)) continue;
        throw FormatError({.file = description.file, .line = line_},
                          fmt::format("expected the source {}, which is to be compiled, found none", Quoted(file)),
                          "export the FMU again");
      }
    }
  }

  fs::path Library() {
    const fs::path cache = CacheFolder(options_);
    const fs::path kept = cache / Hash();
    const fs::path library = kept / (identifier_ + ".so");
    std::error_code error;
    // When it was used; first, as another run may be about to remove it.
    fs::last_write_time(kept, fs::file_time_type::clock::now(), error);
    if (fs::is_regular_file(library, error)) {
      MakePrivate(kept);
      if (fs::is_regular_file(library, error)) return library;
    }
    const fs::path made = Make();
    MakePrivate(kept);
    RemoveUnused(cache);
    error.clear();
    Publish(made, library, error);
    if (!error) return library;
    throw FileError({.file = library.string()},
                    fmt::format("expected a place for a compiled library, found {}", error.message()),
                    "free some space");
  }

 private:
  std::vector<std::string> Arguments(const SourceSet& set) const {
    // The names of functions have no prefix in a library, whatever the sources define (FMI 2.0, 2.1.1).
    std::vector<std::string> all = {"-c", "-O2", "-fPIC", "-DFMI2_OVERRIDE_FUNCTION_PREFIX",
                                    "-DFMI3_OVERRIDE_FUNCTION_PREFIX"};
    if (!set.standard.empty()) {
      all.push_back("-std=" + set.standard);
      all.insert(all.end(), {"-x", set.standard.starts_with("gnu++") ? "c++" : "c"});
    }
    for (const auto& [name, value] : set.defines) all.push_back("-D" + name + "=" + value);
    for (const std::string& include : set.includes) all.push_back("-I" + (sources_ / include).string());
    all.push_back("-I" + sources_.string());
    return all;
  }

  std::string Hash() {
    Sha256 hash;
    const auto add = [&hash](std::string_view text) {
      hash.Add(std::to_string(text.size()) + ":");
      hash.Add(text);
    };
    add(compiler_);
    add(Call({compiler_, "--version"}, {}).out);
    add(identifier_);
    for (const char* header : kInterfaces) add(FmiHeader(header));
    for (const auto& [name, text] : kHeaders) add(text);
    for (const SourceSet& set : sets_) {
      for (const std::string& file : set.files) add(file);
      const std::string place = "-I" + sources_.string();  // where it is unpacked does not matter
      for (std::string one : Arguments(set)) add(one.starts_with(place) ? one.substr(place.size()) : one);
    }
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(sources_)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::ranges::sort(files);
    for (const fs::path& file : files) {
      add(file.lexically_relative(sources_).generic_string());
      add(HashFile(file));
    }
    return hash.Finish();
  }

  fs::path Make() {
    for (const char* header : kInterfaces) Write(work_.Path() / header, FmiHeader(header));
    for (const auto& [name, text] : kHeaders) Write(work_.Path() / name, text);
    std::vector<std::string> objects;
    for (const SourceSet& set : sets_) {
      std::vector<std::string> command = Arguments(set);
      command.insert(command.begin(), compiler_);
      command.insert(command.end(), {"-I" + work_.Path().string(), "-o", {}, {}});
      for (const std::string& file : set.files) {
        if (file.ends_with(".h") || file.ends_with(".hpp")) continue;
        objects.push_back((work_.Path() / fmt::format("{}.o", objects.size())).string());
        command[command.size() - 2] = objects.back();
        command.back() = (sources_ / file).string();
        Call(command, file);
      }
    }
    const fs::path library = work_.Path() / (identifier_ + ".so");
    std::vector<std::string> link = {compiler_, "-shared", "-Wl,--no-undefined", "-o", library.string()};
    link.insert(link.end(), objects.begin(), objects.end());
    if (is_cxx_) link.emplace_back("-lstdc++");
    link.insert(link.end(), {"-lm", "-lpthread", "-ldl"});
    Call(link, {});
    return library;
  }

  /// \param file  the source, for messages; empty: all
  ChildResult Call(const std::vector<std::string>& command, const std::string& file) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now());
    ChildResult result;
    try {
      result = RunInChild(command, {.time = std::max(left, std::chrono::milliseconds(1)), .memory = options_.memory});
    } catch (const FileError& error) {
      throw LoadError({.file = description_.file, .line = line_},
                      fmt::format("expected a compiler '{}' for the sources of the FMU, found none ({})", compiler_,
                                  error.Problem()),
                      "install one (package gcc; g++ for C++), or name one (argument compiler, option --compiler)");
    }
    if (result.Succeeded()) return result;
    const std::string said = FirstLines(result.err);
    throw LoadError({.file = description_.file, .line = line_},
                    fmt::format("expected {} that '{}' compiles, found that it {}{}{}",
                                file.empty() ? "sources" : "sources/" + file, compiler_, result.Sentence(),
                                said.empty() ? "" : ":\n", said),
                    result.timed_out ? "compile the FMU yourself, and put the library into its folder binaries"
                                     : "export the FMU again, or take another compiler");
  }

  fs::path sources_;
  const ModelDescription& description_;
  std::string identifier_;
  int line_;
  const CompileOptions& options_;
  std::string compiler_;
  std::vector<SourceSet> sets_;
  bool is_cxx_ = false;
  TemporaryFolder work_;
  Clock::time_point end_ = Clock::now() + options_.time;
};

}  // namespace

fs::path LibraryFor(const fs::path& folder, const ModelDescription& description, InterfaceKind kind,
                    const CompileOptions& options) {
  std::error_code error;
  const bool can = options.is_allowed && description.Of(kind).has_value() && description.version != FmiMajor::Fmi1 &&
                   fs::is_directory(folder / "sources", error);
  try {
    const fs::path file = LibraryFileOf(folder, description, kind);
    if (!can || file.extension() != ".dll") return file;  // what is compiled here is faster than Wine
  } catch (const LoadError&) {
    if (!can) throw;
  }
  return Compilation(folder, description, kind, options).Library();
}

}  // namespace fmi
}  // namespace openmi
