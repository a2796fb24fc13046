#include "fmi-bridge/fmi/FmuExtras.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "fmi-bridge/common/archive/Archive.hpp"
#include "fmi-bridge/common/archive/UnpackedArchive.hpp"
#include "openmi/omi/IconType.hpp"
#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::fmi {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 24;
constexpr char kTerminals[] = "terminalsAndIcons/terminalsAndIcons.xml";

/// The root of a document; null if the text is not XML, which is a warning.
std::optional<XmlDocument> Read(std::string_view bytes, const std::string& file, Problems& problems) {
  try {
    return ReadXml(bytes, file, {.bytes = kMostBytes, .depth = 64, .nodes = 1'000'000});
  } catch (const FormatError& error) {
    Where where = error.Place();
    if (where.file.empty()) where.file = file;
    AddWarning(problems, where, error.Problem(), error.Remedy());
    return std::nullopt;
  }
}

/// The content of a file of an FMU; nothing if it is too large or damaged, which is a warning.
std::optional<std::string> BytesOf(const std::filesystem::path& fmu, const std::string& file, Problems& problems) {
  try {
    return ReadFromArchive(fmu, file, kMostBytes);
  } catch (const Error& error) {
    AddWarning(problems, error.Place(), error.Problem(), error.Remedy());
    return std::nullopt;
  }
}

class TerminalReader {
 public:
  TerminalReader(const ModelDescription& description, Problems& problems)
      : description_(description), names_(description), problems_(problems) {}

  std::vector<Terminal> ReadAll(const XmlElement& parent) {
    std::vector<Terminal> terminals;
    std::set<std::string> names;
    for (const XmlElement* element : parent.Children("Terminal")) {
      Terminal terminal;
      terminal.name = Text(*element, "name");
      terminal.rule = Text(*element, "matchingRule");
      terminal.kind = element->Get("terminalKind");
      terminal.description = element->Get("description");
      terminal.line = element->line;
      if (!names.insert(terminal.name).second) {
        AddWarning(problems_, element->Place(),
                   fmt::format("expected every terminal once, found {} again", Quoted(terminal.name)),
                   "give it another name");
      }
      ReadMembers(*element, terminal);
      terminal.terminals = ReadAll(*element);
      terminals.push_back(std::move(terminal));
    }
    return terminals;
  }

 private:
  std::string Text(const XmlElement& element, const char* attribute) {
    std::string text = element.Get(attribute);
    if (text.empty()) {
      AddWarning(problems_, element.Place(),
                 fmt::format("expected the attribute {} of {}, found none", attribute, element.name), "write it");
    }
    return text;
  }

  void ReadMembers(const XmlElement& element, Terminal& terminal) {
    members_.clear();
    for (const XmlElement& child : element.children) {
      if (child.name == "TerminalMemberVariable") {
        Add(child, Text(child, "variableName"), child.Get("memberName"), Text(child, "variableKind"), terminal);
      } else if (child.name == "TerminalStreamMemberVariable") {
        Add(child, Text(child, "inStreamVariableName"), Text(child, "inStreamMemberName"), "inStream", terminal);
        Add(child, Text(child, "outStreamVariableName"), Text(child, "outStreamMemberName"), "outStream", terminal);
      }
    }
  }

  /// Names like that of an unknown variable; of the first ones only, as each is compared with all variables.
  std::string RemedyFor(const std::string& variable) {
    constexpr int kMostSuggested = 10;
    if (++suggested_ > kMostSuggested) return "name a variable of the model description";
    if (known_.empty()) {
      for (const Variable& one : description_.variables) known_.push_back(one.name);
    }
    return Suggest(variable, known_);
  }

  void Add(const XmlElement& element, const std::string& variable, std::string name, std::string kind,
           Terminal& terminal) {
    if (variable.empty()) return;
    const Index index = names_.Find(variable);
    if (index == kNowhere) {
      AddWarning(problems_, element.Place(),
                 fmt::format("expected a variable of the FMU in terminal {}, found no variable {}",
                             Quoted(terminal.name), Quoted(variable)),
                 RemedyFor(variable));
      return;
    }
    if (!name.empty() && !members_.insert(name).second) {
      AddWarning(
          problems_, element.Place(),
          fmt::format("expected every member of terminal {} once, found {} again", Quoted(terminal.name), Quoted(name)),
          "give it another memberName");
    }
    terminal.members.push_back({index, std::move(name), std::move(kind), element.line});
  }

  const ModelDescription& description_;
  const VariableNames names_;
  Problems& problems_;
  std::vector<std::string> known_;  // names to suggest; empty until one is needed
  int suggested_ = 0;
  std::set<std::string> members_;  // of the terminal that is read
};

}  // namespace

std::vector<Terminal> ReadTerminals(std::string_view bytes, const std::string& file,
                                    const ModelDescription& description, Problems& problems) {
  const std::optional<XmlDocument> document = Read(bytes, file, problems);
  if (!document) return {};
  if (document->root.name != "fmiTerminalsAndIcons") {
    AddWarning(problems, document->root.Place(),
               fmt::format("expected fmiTerminalsAndIcons, found {}", Quoted(document->root.name)),
               "export the FMU again, or remove the file");
    return {};
  }
  const XmlElement* terminals = document->root.Child("Terminals");
  return terminals != nullptr ? TerminalReader(description, problems).ReadAll(*terminals) : std::vector<Terminal>();
}

LayeredStandard ReadManifest(std::string_view bytes, const std::string& file, Problems& problems) {
  LayeredStandard standard;
  const std::optional<XmlDocument> document = Read(bytes, file, problems);
  if (!document) return standard;
  // The attributes are in a namespace of their own, which some files leave out.
  const auto text_of = [&](const char* name) {
    const auto found = std::ranges::find(document->root.attributes, name, &XmlAttribute::name);
    if (found != document->root.attributes.end() && !found->value.empty()) return found->value;
    AddWarning(problems, document->root.Place(), fmt::format("expected the attribute {}, found none", name),
               "write it, as FMI 3.0 wants it of the manifest of each layered standard");
    return std::string();
  };
  standard.name = text_of("fmi-ls-name");
  standard.version = text_of("fmi-ls-version");
  standard.description = text_of("fmi-ls-description");
  return standard;
}

std::vector<std::string> FilesOf(const std::filesystem::path& fmu) {
  std::vector<std::string> names;
  std::error_code problem;
  if (!std::filesystem::is_directory(fmu, problem)) {
    const Archive archive(fmu);
    for (const ArchiveEntry& entry : archive.Entries()) {
      if (!entry.is_folder) names.push_back(entry.name);
    }
    return names;
  }
  for (auto at = std::filesystem::recursive_directory_iterator(fmu, problem);
       !problem && at != std::filesystem::recursive_directory_iterator(); at.increment(problem)) {
    if (at->is_regular_file(problem)) names.push_back(at->path().lexically_relative(fmu).generic_string());
  }
  return names;
}

std::vector<Terminal> TerminalsOf(const std::filesystem::path& fmu, const std::vector<std::string>& files,
                                  const ModelDescription& description, Problems& problems) {
  if (std::ranges::find(files, kTerminals) == files.end()) return {};
  const std::optional<std::string> bytes = BytesOf(fmu, kTerminals, problems);
  return bytes ? ReadTerminals(*bytes, (fmu / kTerminals).string(), description, problems) : std::vector<Terminal>();
}

std::optional<FmuIcon> IconOf(const std::filesystem::path& fmu, const std::vector<std::string>& files,
                              Problems& problems) {
  for (const char* name : {"terminalsAndIcons/icon.svg", "terminalsAndIcons/icon.png", "model.png"}) {
    if (std::ranges::find(files, name) == files.end()) continue;
    std::optional<std::string> bytes = BytesOf(fmu, name, problems);
    if (!bytes) continue;
    try {
      static_cast<void>(IconType(*bytes, (fmu / name).string()));
      return FmuIcon{name, std::move(*bytes)};
    } catch (const FormatError& error) {
      AddWarning(problems, error.Place(), error.Problem(), error.Remedy());
    }
  }
  return std::nullopt;
}

std::vector<LayeredStandard> LayeredStandardsOf(const std::filesystem::path& fmu, const std::vector<std::string>& files,
                                                Problems& problems) {
  std::vector<LayeredStandard> standards;
  for (const std::string& file : files) {
    const bool is_manifest =
        file.starts_with("extra/") && file.ends_with("/fmi-ls-manifest.xml") && std::ranges::count(file, '/') == 2;
    if (!is_manifest) continue;
    const std::optional<std::string> bytes = BytesOf(fmu, file, problems);
    if (!bytes) continue;
    LayeredStandard standard = ReadManifest(*bytes, (fmu / file).string(), problems);
    if (standard.name.empty()) standard.name = file.substr(6, file.rfind('/') - 6);
    standards.push_back(std::move(standard));
  }
  std::ranges::sort(standards, {}, &LayeredStandard::name);
  return standards;
}

}  // namespace openmi::fmi
