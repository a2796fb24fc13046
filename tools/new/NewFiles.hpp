#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// The text of a file of templates/, as it was when this program was built; empty for an unknown name.
/// \param name  such as "component/composition.xml.in"
std::string_view EmbeddedTemplate(std::string_view name);

}  // namespace openmi

namespace openmi::tools {

/// A file to write: its name, which may contain folders, and its text.
struct NewFile {
  std::string name;
  std::string text;
};

/// Where files are written, and whether they may replace others.
struct NewPlace {
  std::string folder;
  bool overwrite = false;

  /// Adds the options -o and --overwrite.
  /// \param app  the sub-command
  /// \param standard  what the help states about the default folder
  void AddTo(CLI::App& app, const std::string& standard);
};

/// What the names in a template stand for.
using TemplateValues = std::map<std::string, std::string, std::less<>>;

/// A template with each `@Name@` replaced.
/// \pre  every name in the template has a value
std::string Filled(std::string_view text, const TemplateValues& values);

/// Writes all files into the folder, creates it if necessary, and reports them on standard error.
/// \throws CannotWrite  a file exists already (then none is written), or one cannot be written
void WriteNewFiles(const NewPlace& place, const std::vector<NewFile>& files);

/// `text` as the id of a component (AsComponentId). A used id gets a number at its end.
/// \param text  the wanted name
/// \param taken  the ids used so far; gets this one
std::string NewId(std::string_view text, std::vector<std::string>& taken);

/// `text` as the content of an XML comment, which must not hold "--" nor end with '-'.
std::string InComment(std::string text);

/// `path` as it is written in a file in `folder`: relative if they share more than the root.
std::string NamedFrom(const std::filesystem::path& folder, const std::filesystem::path& path);

}  // namespace openmi::tools
