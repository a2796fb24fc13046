#include "timespace/ResultsFolder.hpp"

#include <filesystem>
#include <system_error>

#include "openmi/sdk/Error.hpp"

namespace openmi {

ResultsFolder::ResultsFolder(ArgumentList& arguments)
    : folder_(arguments.AddText(
          kResultsFolder,
          {.caption = "folder of written files",
           .description =
               "relative names of the files that it writes start in this folder; a run sets it to its results folder",
           .meaning = ArgumentMeaning::Path})) {}

std::string ResultsFolder::PathOf(const std::string& name, const std::string& beside) const {
  const std::filesystem::path given(name);
  if (name.empty() || given.is_absolute() || !folder_.HasValue() || folder_.Value().empty()) return beside;
  const std::filesystem::path path = (std::filesystem::path(folder_.Value()) / given).lexically_normal();
  std::error_code problem;
  std::filesystem::create_directories(path.parent_path(), problem);
  if (problem) {
    throw FileError({.file = path.parent_path().string()},
                    "expected a folder that can be made for results, found: " + problem.message(),
                    "name another folder for the results, or give the whole path of the file");
  }
  return path.string();
}

}  // namespace openmi
