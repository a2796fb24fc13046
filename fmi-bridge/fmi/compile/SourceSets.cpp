#include "fmi-bridge/fmi/compile/SourceSets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::fmi {
namespace {

constexpr std::size_t kMostFiles = 10'000;

/// The languages of FMI 3.0 and what compilers call them: with their extensions, which many FMUs use.
constexpr std::array<std::pair<std::string_view, const char*>, 14> kLanguages = {{{"C89", "gnu90"},
                                                                                  {"C90", "gnu90"},
                                                                                  {"C99", "gnu99"},
                                                                                  {"C11", "gnu11"},
                                                                                  {"C17", "gnu17"},
                                                                                  {"C18", "gnu17"},
                                                                                  {"C23", "gnu2x"},
                                                                                  {"C++98", "gnu++98"},
                                                                                  {"C++03", "gnu++03"},
                                                                                  {"C++11", "gnu++11"},
                                                                                  {"C++14", "gnu++14"},
                                                                                  {"C++17", "gnu++17"},
                                                                                  {"C++20", "gnu++20"},
                                                                                  {"C++23", "gnu++2b"}}};

/// Whether a name stays inside sources/ and has no sign that could mean anything else.
bool IsInside(std::string_view name) {
  if (name.empty() || name.front() == '/') return false;
  if (std::ranges::any_of(name, [](char c) { return c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }))
    return false;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find('/'), name.size());
    if (name.substr(0, end) == "..") return false;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return true;
}

class BuildReader {
 public:
  BuildReader(std::string identifier, Problems& problems) : identifier_(std::move(identifier)), problems_(problems) {}

  std::vector<SourceSet> Read(const XmlElement& root) {
    if (root.name != "fmiBuildDescription") {
      AddError(problems_, root.Place(),
               fmt::format("expected the root element fmiBuildDescription, found {}", Quoted(root.name)),
               "export the FMU again");
      return {};
    }
    const XmlElement* const configuration = Choose(root);
    if (configuration == nullptr) return {};
    for (const XmlElement* library : configuration->Children("Library")) {
      AddError(problems_, library->Place(),
               fmt::format("expected sources that need no library, found {}", Quoted(library->Get("name"))),
               "compile the FMU with that library yourself, and put the result into its folder binaries");
    }
    std::vector<SourceSet> sets;
    for (const XmlElement* set : configuration->Children("SourceFileSet")) sets.push_back(ReadSet(*set));
    if (files_ == 0) {
      AddError(problems_, configuration->Place(), "expected a SourceFile in the BuildConfiguration, found none",
               "export the FMU again");
    }
    return sets;
  }

 private:
  /// The configuration for this machine, else one for any. The only one is taken under another name, too.
  const XmlElement* Choose(const XmlElement& root) {
    std::vector<const XmlElement*> fitting;  // this machine first
    std::vector<std::string> others;
    const auto ours = PlatformFolders(FmiMajor::Fmi3);
    for (const XmlElement* one : root.Children("BuildConfiguration")) {
      const std::string name = one->Get("modelIdentifier"), platform = one->Get("platform");
      const bool is_here = std::ranges::find(ours, platform) != ours.end();
      if (is_here || platform.empty()) fitting.insert(is_here ? fitting.begin() : fitting.end(), one);
      if (others.size() < 20) others.push_back(platform.empty() ? name : name + " on " + platform);
    }
    const auto found = std::ranges::find_if(
        fitting, [&](const XmlElement* one) { return one->Get("modelIdentifier") == identifier_; });
    if (found != fitting.end()) return *found;
    const XmlElement* const only = fitting.size() == 1 ? fitting.front() : nullptr;
    const auto add = only != nullptr ? AddWarning : AddError;
    add(problems_, only != nullptr ? only->Place() : root.Place(),
        fmt::format("expected a BuildConfiguration with modelIdentifier {} for this machine, found {}{}",
                    Quoted(identifier_), others.empty() ? "none" : Quoted(others.front()),
                    only != nullptr ? "; it is taken as the only one" : ""),
        "export the FMU again");
    return only;
  }

  SourceSet ReadSet(const XmlElement& element) {
    SourceSet set;
    if (const std::string language = element.Get("language"); !language.empty()) {
      const auto known = std::ranges::find(kLanguages, language, &decltype(kLanguages)::value_type::first);
      if (known != kLanguages.end()) {
        set.standard = known->second;
      } else {
        std::vector<std::string> names;
        for (const auto& [name, standard] : kLanguages) names.emplace_back(name);
        AddError(problems_, element.Place(),
                 fmt::format("expected a language that is compiled here, found {}", Quoted(language)),
                 Suggest(language, names));
      }
    }
    for (const char* ignored : {"compiler", "compilerOptions"}) {
      if (const XmlAttribute* one = element.Attribute(ignored); one != nullptr && !one->value.empty()) {
        AddWarning(problems_, element.Place(*one),
                   fmt::format("expected sources that any compiler takes, found {} {}, which is not used", ignored,
                               Quoted(one->value)),
                   "if they do not compile or run, compile the FMU yourself");
      }
    }
    for (const XmlElement& child : element.children) {
      if (child.name == "SourceFile") {
        if (++files_ == kMostFiles + 1) {
          AddError(problems_, child.Place(), fmt::format("expected at most {} source files, found more", kMostFiles),
                   "compile the FMU yourself");
        }
        if (files_ <= kMostFiles) Put(child, "file", set.files);
      } else if (child.name == "IncludeDirectory") {
        Put(child, "folder", set.includes);
      } else if (child.name == "PreprocessorDefinition") {
        PutDefinition(child, set);
      }
    }
    return set;
  }

  void Put(const XmlElement& element, const char* what, std::vector<std::string>& into) {
    const std::string name = element.Get("name");
    if (IsInside(name)) return into.push_back(name);
    AddError(problems_, element.Place(),
             fmt::format("expected the name of a {} in the folder sources, found {}", what, Quoted(name)),
             "export the FMU again");
  }

  void PutDefinition(const XmlElement& element, SourceSet& set) {
    const std::string name = element.Get("name"), value = element.Get("value", "1");
    const bool is_plain = std::ranges::none_of(value, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
    if (IsIdentifier(name) && is_plain) {
      if (element.Get("optional") != "true" || element.Attribute("value") != nullptr)
        set.defines.emplace_back(name, value);
      return;
    }
    AddError(
        problems_, element.Place(),
        fmt::format("expected a name and a value of the preprocessor, found {} and {}", Quoted(name), Quoted(value)),
        "export the FMU again");
  }

  std::string identifier_;
  Problems& problems_;
  std::size_t files_ = 0;
};

}  // namespace

bool IsCxx(const SourceSet& set) {
  if (!set.standard.empty()) return set.standard.starts_with("gnu++");
  return std::ranges::any_of(set.files, [](std::string_view file) {
    return std::ranges::any_of(std::array{".cpp", ".cc", ".cxx", ".C"},
                               [file](const char* ending) { return file.ends_with(ending); });
  });
}

std::vector<SourceSet> SourceSetsOf(const ModelDescription& description, InterfaceKind kind, std::string_view build,
                                    Problems& problems) {
  const std::optional<Interface>& one = description.Of(kind);
  if (!one) return {};
  const Where where{.file = description.file, .line = one->line};
  if (!one->source_files.empty()) {
    for (const std::string& file : one->source_files) {
      if (IsInside(file)) continue;
      AddError(problems, where,
               fmt::format("expected the name of a file in the folder sources, found {}", Quoted(file)),
               "export the FMU again");
    }
    return {{.standard = {}, .files = one->source_files}};
  }
  if (!build.empty()) {
    const XmlDocument document = ReadXml(build, kBuildDescription);
    return BuildReader(one->model_identifier, problems).Read(document.root);
  }
  AddError(problems, where,
           description.version == FmiMajor::Fmi3
               ? fmt::format("expected {}, which says what to compile, found none", kBuildDescription)
               : "expected SourceFiles, which say what to compile, found none",
           "compile the FMU yourself, and put the library into its folder binaries");
  return {};
}

}  // namespace openmi::fmi
