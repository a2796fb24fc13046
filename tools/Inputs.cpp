#include "tools/Inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "composition/results/NetcdfResults.hpp"
#include "fmi-bridge/fmi/ssp/ImportSystemStructure.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::tools {
namespace {

// The local name of the first element in the start of an XML file; empty if there is none.
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

/// "bench-2:8080", "127.0.0.1:8080".
bool IsAddress(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  return colon != std::string::npos && colon + 1 < text.size() && text.find('/') == std::string::npos &&
         text.find_first_not_of("0123456789", colon + 1) == std::string::npos;
}

}  // namespace

void VariableOptions::AddTo(CLI::App& app) {
  AddValue(app, "--data", data, "DIR", "Folder that replaces ${data} in the composition");
  AddRepeated(app, "--set", settings, "NAME=VALUE", "Value that replaces ${NAME} in the composition; may be repeated");
}

Variables VariableOptions::Values() const {
  Variables variables;
  if (!data.empty()) {
    ExpectFolder(data);
    variables["data"] = std::filesystem::absolute(data).lexically_normal().string();
  }
  for (const std::string& setting : settings) {
    auto [name, value] = ParseSetting(setting, "--set");
    variables[std::move(name)] = std::move(value);
  }
  return variables;
}

Problems VariableOptions::Unused(const std::string& file) const {
  Problems problems;
  if (settings.empty()) return problems;
  if (ssp::IsSystemStructure(file)) {
    for (const std::string& setting : settings) {
      AddWarning(problems, {.file = file},
                 "expected a composition with --set " + setting +
                     ", found a system structure, which has no variables: the option has no effect",
                 "give start values with --start, or make a composition of it with openmi new composition");
    }
    return problems;
  }
  std::ifstream stream(file, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  for (const std::string& setting : settings) {
    const std::string name = ParseSetting(setting, "--set").first;
    if (text.find("${" + name + "}") != std::string::npos || text.find("${" + name + ":") != std::string::npos)
      continue;
    AddWarning(problems, {.file = file}, "expected ${" + name + "} in the composition, found it nowhere",
               "--set " + setting + " has no effect; to set an argument of a component use an Argument element");
  }
  return problems;
}

std::vector<std::string> VariableOptions::Arguments() const {
  std::vector<std::string> arguments;
  if (!data.empty()) arguments.push_back("--data=" + data);
  for (const std::string& setting : settings) arguments.push_back("--set=" + setting);
  return arguments;
}

double ParseNumber(const std::string& text, const std::string& option, double least) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(number >= least)) {
    throw UsageFault{"expected a number " + std::string(least == 0.0 ? "from 0 on " : "") + "after " + option +
                     ", found '" + text + "'"};
  }
  return number;
}

std::pair<std::string, std::string> ParseSetting(const std::string& text, const std::string& option) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw UsageFault{"expected NAME=VALUE after " + option + ", found '" + text + "'"};
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

CLI::Validator OneOf(std::vector<std::string> words) {
  return CLI::Validator(
      [words = std::move(words)](const std::string& word) -> std::string {
        if (std::find(words.begin(), words.end(), word) != words.end()) return "";
        std::string list;
        for (const std::string& one : words) list += (list.empty() ? "" : ", ") + one;
        return "expected one of " + list + ", found '" + word + "'";
      },
      "");
}

CLI::Option* AddRepeated(CLI::App& app, const char* names, std::vector<std::string>& values, const char* kind,
                         const std::string& text) {
  return AddValue(app, names, values, kind, text)->allow_extra_args(false);
}

CLI::Option* AddChoice(CLI::App& app, const char* names, std::string& value, const std::vector<std::string>& words,
                       const std::string& text) {
  return AddShown(app, names, value, fmt::format("{}", fmt::join(words, "|")).c_str(), text)->check(OneOf(words));
}

void AddChildFlag(CLI::App& app, bool& in_child) {
  app.add_flag("--in-child", in_child)->group("");
}

namespace {

std::string ThisProgram() {
  std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  constexpr std::string_view kGone = " (deleted)";  // as Linux says it
  if (std::filesystem::exists(program) || !program.ends_with(kGone)) return program;
  program.resize(program.size() - kGone.size());
  throw FileError(
      {.file = program},
      fmt::format("expected the program '{}' as it was started, found that openmi was replaced or removed", program),
      "end what runs, such as the studio, and start it again");
}

}  // namespace

ChildAnswer AskThisProgram(const std::vector<std::string>& arguments, double seconds, ChildTime time) {
  std::vector<std::string> command = {ThisProgram()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.emplace_back("--in-child");
  return AskChild(command, seconds, time);
}

void AddTimeout(CLI::App& app, std::string& timeout) {
  AddShown(app, "--timeout", timeout, "S",
           "Seconds to wait for a library; if it takes longer, it is ended and reported");
}

void ExpectFile(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) throw MissingFile{path};
}

void ExpectSlaveDescription(const std::string& path) {
  if (!std::filesystem::exists(path) && IsAddress(path)) {
    throw UsageFault{
        fmt::format("FILE: expected a slave description (.dcpx or .dcp), found the address '{0}'; for the "
                    "state of the slave there: openmi dcp ping {0}",
                    path)};
  }
  ExpectFile(path);
}

void ExpectFolder(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) throw MissingFile{path, "a folder"};
  if (!std::filesystem::is_directory(path, error)) throw UsageFault{"expected a folder, found the file '" + path + "'"};
}

void ExpectResults(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(JournalOf(path), error)) ExpectFile(path);
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
