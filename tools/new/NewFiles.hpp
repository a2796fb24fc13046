#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace openmi::tools {

/// A file to be written: its name, which may have folders before it, and its text.
struct NewFile {
  std::string name;
  std::string text;
};

/// Where files are written, and whether over others.
struct NewPlace {
  std::string folder;
  bool overwrite = false;

  /// The options -o and --overwrite. \param standard  what the help says of the folder where none is given
  void AddTo(CLI::App& app, const std::string& standard);
};

/// A template with each ${NAME} replaced. \pre  every name in it has a value
std::string Filled(std::string_view text, const std::map<std::string, std::string, std::less<>>& values);

/// Writes all files into the folder, which is made where there is none, and says so on standard error.
/// \throws CannotWrite  one is there already (then none is written), or one cannot be written
void WriteNewFiles(const NewPlace& place, const std::vector<NewFile>& files);

/// `text` as the id of a component: blanks, dots and what is not printed become '-'. A number is put behind where it is
/// taken. \param taken  the ids given so far, to which this one is added
std::string NewId(std::string_view text, std::vector<std::string>& taken);

/// `text` as the content of an XML comment, which must not hold "--" nor end with '-'.
std::string InComment(std::string text);

/// `path` as a file in `folder` names it: relative where they share more than the root.
std::string NamedFrom(const std::filesystem::path& folder, const std::filesystem::path& path);

}  // namespace openmi::tools
