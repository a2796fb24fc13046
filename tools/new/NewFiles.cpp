#include "tools/new/NewFiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <system_error>

#include "composition/model/CompositionFile.hpp"
#include "tools/Inputs.hpp"
#include "tools/OutputFile.hpp"

namespace openmi::tools {

namespace fs = std::filesystem;

void NewPlace::AddTo(CLI::App& app, const std::string& standard) {
  AddValue(app, "-o,--output,--output-dir", folder, "DIR", "Folder to write into (default: " + standard + ")");
  app.add_flag("--overwrite", overwrite, "Replace existing files");
}

std::string Filled(std::string_view text, const TemplateValues& values) {
  std::string filled;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(text.find('@', at), text.size());
    filled += text.substr(at, open - at);
    if (open == text.size()) break;
    const std::size_t close = text.find('@', open + 1);
    const auto value = values.find(text.substr(open + 1, close - open - 1));
    if (value == values.end()) throw std::logic_error("a template names what has no value");
    filled += value->second;
    at = close + 1;
  }
  return filled;
}

void WriteNewFiles(const NewPlace& place, const std::vector<NewFile>& files) {
  const fs::path folder = place.folder.empty() ? fs::path(".") : fs::path(place.folder);
  std::error_code error;
  for (const NewFile& file : files) {
    const fs::path path = folder / file.name;
    if (place.overwrite || !fs::exists(path, error)) continue;
    throw CannotWrite{
        fmt::format("{}: expected no file of that name, found one; choose another folder with -o, or add --overwrite",
                    path.lexically_normal().string())};
  }
  for (const NewFile& file : files) {
    const fs::path path = (folder / file.name).lexically_normal();
    fs::create_directories(path.has_parent_path() ? path.parent_path() : fs::path("."), error);
    WriteOutput(path.string(), file.text);
  }
}

std::string NewId(std::string_view text, std::vector<std::string>& taken) {
  const std::string first = AsComponentId(text);
  std::string id = first;
  for (int number = 2; std::ranges::find(taken, id) != taken.end(); ++number) id = fmt::format("{}-{}", first, number);
  return taken.emplace_back(id);
}

std::string InComment(std::string text) {
  for (std::size_t at = 0; (at = text.find("--", at)) != std::string::npos;) text.insert(at + 1, " ");
  if (text.ends_with('-')) text += ' ';
  return text;
}

std::string NamedFrom(const fs::path& folder, const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, error), error);
  const fs::path base = fs::weakly_canonical(fs::absolute(folder.empty() ? fs::path(".") : folder, error), error);
  const fs::path relative = whole.lexically_relative(base);
  const auto up = std::ranges::count(relative, fs::path(".."));
  const auto depth = std::distance(base.begin(), base.end()) - 1;  // without the root
  return relative.empty() || up >= depth ? whole.string() : relative.string();
}

}  // namespace openmi::tools
