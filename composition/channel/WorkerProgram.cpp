#include "composition/channel/WorkerProgram.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

void InThisLibrary() {}

}  // namespace

std::string WorkerProgram::Find() const {
  if (const char* named = std::getenv(variable); named != nullptr && *named != '\0') return named;
  std::vector<std::filesystem::path> places;
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&InThisLibrary), &info) != 0 && info.dli_fname != nullptr) {
    std::error_code error;
    const auto folder = std::filesystem::canonical(info.dli_fname, error).parent_path();
    places = {folder / ".." / "bin" / name, folder / name, folder / ".." / ".." / "bin" / name};
  }
  for (const auto& place : places) {
    if (access(place.c_str(), X_OK) == 0) return place.lexically_normal().string();
  }
  throw FileError({.file = name}, fmt::format("expected {}, found none beside the runtime", what),
                  fmt::format("{}, or name it in the environment variable {}", remedy, variable));
}

}  // namespace openmi
