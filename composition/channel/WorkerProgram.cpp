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
  const char* const named = std::getenv(variable);
  const bool is_named = named != nullptr && *named != '\0';
  std::vector<std::filesystem::path> places;
  Dl_info info{};
  if (is_named) {
    places = {named};
  } else if (dladdr(reinterpret_cast<const void*>(&InThisLibrary), &info) != 0 && info.dli_fname != nullptr) {
    std::error_code error;
    const auto folder = std::filesystem::canonical(info.dli_fname, error).parent_path();
    places = {folder / ".." / "bin" / name, folder / name, folder / ".." / ".." / "bin" / name};
  }
  for (const auto& place : places) {
    if (access(place.c_str(), X_OK) == 0) return place.lexically_normal().string();
  }
  throw FileError({.file = is_named ? named : name},
                  fmt::format("expected {}, found none {}", what, is_named ? "there" : "beside the runtime"),
                  fmt::format("{}, or name it in the environment variable {}", remedy, variable));
}

}  // namespace openmi
