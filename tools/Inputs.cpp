#include "tools/Inputs.hpp"

#include <filesystem>
#include <fstream>

#include "openmi/sdk/Error.hpp"

namespace openmi::tools {
namespace {

// The local name of the first element in the beginning of an XML file; empty where there is none.
std::string RootName(std::string_view text) {
  std::size_t at = 0;
  while ((at = text.find('<', at)) != std::string_view::npos) {
    if (text.compare(at, 4, "<!--") == 0) {
      at = text.find("-->", at);
      if (at == std::string_view::npos) return "";
    } else if (text.compare(at, 2, "<?") == 0 || text.compare(at, 2, "<!") == 0) {
      at += 2;
    } else {
      const std::size_t end = text.find_first_of(" \t\r\n/>", at);
      std::string_view name = text.substr(at + 1, end == std::string_view::npos ? end : end - at - 1);
      if (const std::size_t colon = name.find(':'); colon != std::string_view::npos) name.remove_prefix(colon + 1);
      return std::string(name);
    }
  }
  return "";
}

}  // namespace

void VariableOptions::AddTo(CLI::App& app) {
  app.add_option("--data", data, "Folder that stands for ${data} in the composition")->type_name("DIR");
  app.add_option("--set", settings, "Value that stands for ${NAME} in the composition; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

Variables VariableOptions::Values() const {
  Variables variables;
  if (!data.empty()) variables["data"] = std::filesystem::absolute(data).lexically_normal().string();
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw ArgumentError({}, "expected NAME=VALUE after --set, found '" + setting + "'");
    }
    variables[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  return variables;
}

std::vector<std::string> VariableOptions::Arguments() const {
  std::vector<std::string> arguments;
  if (!data.empty()) arguments.push_back("--data=" + data);
  for (const std::string& setting : settings) arguments.push_back("--set=" + setting);
  return arguments;
}

void ExpectFile(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) throw MissingFile{path};
}

InputKind KindOf(const std::string& path) {
  ExpectFile(path);
  std::ifstream file(path, std::ios::binary);
  std::string begin(65536, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  const std::string root = RootName(begin);
  if (root == "Composition") return InputKind::Composition;
  if (root == "LinkableComponent") return InputKind::Omi;
  return std::filesystem::path(path).extension() == ".omi" ? InputKind::Omi : InputKind::Composition;
}

}  // namespace openmi::tools
