#include "openmi/omi/OmiFile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "openmi/omi/Platform.hpp"
#include "openmi/omi/SchemaValidator.hpp"
#include "openmi/omi/XmlForm.hpp"
#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi {

namespace {

/// Namespaces other than the standard's that occur in OMI files in use.
constexpr std::array<std::string_view, 3> kOldNamespaces{"http://www.openmi.org",
                                                         "http://www.openmi.org/LinkableComponent.xsd",
                                                         "http://www.OpenMI.org/LinkableComponent.xsd"};

std::string Slashes(std::string_view path_text) {
  std::string slashes(path_text);
  std::replace(slashes.begin(), slashes.end(), '\\', '/');
  return slashes;
}

/// Reads one document; `tolerant_` records whether it accepted something that the schema forbids.
class OmiReader {
 public:
  OmiReader(OmiFile& file, Problems& problems) : file_(file), problems_(problems), form_(problems) {}

  void Read(const XmlDocument& document) {
    problems_.insert(problems_.end(), document.notes.begin(), document.notes.end());
    const XmlElement& root = document.root;
    file_.line = root.line;
    if (!ReadRoot(root)) return;
    // The checks above give better messages. The validator finds the rest; it would refuse the accepted variants.
    if (tolerant_ || HasErrors(problems_)) return;
    const Problems further = ValidateXml(document, "LinkableComponent.xsd");
    problems_.insert(problems_.end(), further.begin(), further.end());
  }

 private:
  bool ReadRoot(const XmlElement& root) {
    if (root.name != "LinkableComponent") {
      AddError(problems_, root.Place(),
               fmt::format("expected the root element LinkableComponent of an OMI file, found {}", Quoted(root.name)),
               RemedyForRoot(root.name));
      return false;
    }
    CheckNamespace(root);
    form_.OnlyAttributes(root, {"Type", "Assembly", "JavaArchive"});
    form_.OnlyChildren(root, {"Arguments", "Platforms"});
    form_.AtMostOne(root, "Arguments");
    form_.AtMostOne(root, "Platforms");
    form_.NoText(root);
    file_.type = root.Get("Type");
    file_.assembly = Path(root, "Assembly");
    file_.java_archive = Path(root, "JavaArchive");
    const XmlAttribute* type = root.Attribute("Type");
    const XmlAttribute* assembly = root.Attribute("Assembly");
    file_.type_line = type == nullptr ? root.line : type->line;
    file_.assembly_line = assembly == nullptr ? root.line : assembly->line;
    if (file_.type.empty()) {
      AddWarning(
          problems_, root.Place(),
          "expected the attribute 'Type' in LinkableComponent, found none; the schema allows that, but no component "
          "can be made",
          "write Type=\"...\", the name of the class");
    }
    if (file_.assembly.empty() && !file_.java_archive.empty()) {
      AddWarning(
          problems_, root.Place(),
          fmt::format("expected an Assembly, found the JavaArchive {} alone: a component in Java cannot be loaded",
                      Quoted(file_.java_archive)),
          "port the component, or take an FMU of its model");
    }
    for (const XmlElement* arguments : root.Children("Arguments")) ReadArguments(*arguments);
    for (const XmlElement* platforms : root.Children("Platforms")) ReadPlatforms(*platforms);
    return true;
  }

  static std::string RemedyForRoot(const std::string& name) {
    if (name == "Composition") return "this is a composition; give it where a composition is expected";
    if (name == "opr" || name == "guiComposition") {
      return "this is a project of the OpenMI configuration editor; turn it into a composition with openmi import";
    }
    return Suggest(name, std::array<std::string, 1>{"LinkableComponent"});
  }

  void CheckNamespace(const XmlElement& root) {
    if (root.namespace_uri == kOmiNamespace) return;
    const std::string remedy = fmt::format("write xmlns=\"{}\"", kOmiNamespace);
    const bool old =
        std::find(kOldNamespaces.begin(), kOldNamespaces.end(), root.namespace_uri) != kOldNamespaces.end();
    if (root.namespace_uri.empty()) {
      tolerant_ = true;
      AddWarning(problems_, root.Place(),
                 fmt::format("expected the namespace '{}', found none; read nevertheless", kOmiNamespace), remedy);
    } else if (old) {
      tolerant_ = true;
      AddWarning(problems_, root.Place(),
                 fmt::format("expected the namespace '{}', found the older '{}'; read nevertheless", kOmiNamespace,
                             root.namespace_uri),
                 remedy);
    } else {
      AddError(problems_, root.Place(),
               fmt::format("expected the namespace '{}', found {}", kOmiNamespace, Quoted(root.namespace_uri)), remedy);
    }
  }

  std::string Path(const XmlElement& root, std::string_view name) {
    const XmlAttribute* attribute = root.Attribute(name);
    if (attribute == nullptr) return {};
    std::string slashes = Slashes(attribute->value);
    if (slashes != attribute->value) {
      AddWarning(problems_, root.Place(*attribute),
                 fmt::format("expected '/' in the path of '{}', found {}; read as {}", name, Quoted(attribute->value),
                             Quoted(slashes)),
                 "write the path with '/', which every system reads");
    }
    return slashes;
  }

  void ReadArguments(const XmlElement& arguments) {
    form_.Only(arguments, {}, {"Argument"});
    for (const XmlElement* argument : arguments.Children("Argument")) ReadArgument(*argument);
  }

  void ReadArgument(const XmlElement& element) {
    form_.OnlyChildren(element, {});
    form_.NoText(element);
    OmiArgument argument;
    argument.line = element.line;
    const XmlAttribute* id = element.Attribute("id");
    const XmlAttribute* key = element.Attribute("Key");
    if (key == nullptr && id != nullptr) {
      tolerant_ = true;
      AddWarning(problems_, element.Place(*id),
                 "expected the attribute 'Key' in Argument, found 'id'; read nevertheless",
                 "write 'Key' instead of 'id'");
      form_.OnlyAttributes(element, {"id", "Value", "ReadOnly"});
      key = id;
    } else {
      form_.OnlyAttributes(element, {"Key", "Value", "ReadOnly"});
      key = form_.Present(element, "Key", "write Key=\"...\", the Id of the argument");
    }
    const XmlAttribute* value = form_.Present(element, "Value");
    argument.read_only = form_.Boolean(element, "ReadOnly", false);
    if (key == nullptr || value == nullptr) return;
    argument.key = key->value;
    argument.value = value->value;
    if (argument.key.empty()) {
      AddWarning(problems_, element.Place(*key), "expected the Id of an argument in 'Key', found an empty one",
                 "write the Id, or remove the Argument");
    }
    if (const OmiArgument* before = file_.Argument(argument.key)) {
      AddWarning(
          problems_, element.Place(*key),
          fmt::format("expected the argument {} once, found it again; the first is on line {}, and the last counts",
                      Quoted(argument.key), before->line),
          "remove one of the two");
    }
    file_.arguments.push_back(std::move(argument));
  }

  void ReadPlatforms(const XmlElement& platforms) {
    form_.Only(platforms, {}, {"Platform"});
    file_.platforms_line = platforms.line;
    const std::vector<const XmlElement*> listed = platforms.Children("Platform");
    if (listed.empty()) {
      AddError(problems_, platforms.Place(), "expected at least one Platform in Platforms, found none",
               fmt::format("write <Platform>{}</Platform>, or remove Platforms", HostPlatform()));
    }
    for (const XmlElement* platform : listed) {
      form_.OnlyAttributes(*platform, {});
      form_.OnlyChildren(*platform, {});
      // The schema compares the names exactly: blanks around them are errors.
      if (std::find(kPlatforms.begin(), kPlatforms.end(), platform->text) == kPlatforms.end()) {
        const std::vector<std::string> names(kPlatforms.begin(), kPlatforms.end());
        AddError(problems_, platform->Place(),
                 fmt::format("expected one of the 12 platforms of the schema, found {}", Quoted(platform->text)),
                 Suggest(platform->text, names));
      } else {
        file_.platforms.push_back(platform->text);
      }
    }
  }

  OmiFile& file_;
  Problems& problems_;
  XmlForm form_;
  bool tolerant_ = false;
};

/// Runs `read` on an empty file; collects the problems or throws the first, as the caller wants.
template <class Read>
OmiFile Collect(const std::filesystem::path& path, Problems* problems, Read read) {
  OmiFile file;
  file.path = path;
  Problems found;
  try {
    read(file, found);
  } catch (const Error& e) {
    if (problems == nullptr) throw;
    AddError(found, e.Place(), e.Problem(), e.Remedy());
  }
  if (problems == nullptr) ThrowIfErrors(found);
  for (const Problem& problem : found) {
    if (problem.severity != Problem::Error) file.notes.push_back(problem);
  }
  if (problems != nullptr) problems->insert(problems->end(), found.begin(), found.end());
  return file;
}

}  // namespace

std::filesystem::path OmiFile::Folder() const {
  const std::filesystem::path folder = path.parent_path();
  return folder.empty() ? std::filesystem::path(".") : folder;
}

std::filesystem::path OmiFile::Resolve(std::string_view path_text) const {
  return (Folder() / Slashes(path_text)).lexically_normal();
}

const OmiArgument* OmiFile::Argument(std::string_view key) const {
  const auto found = std::find_if(arguments.rbegin(), arguments.rend(),
                                  [&](const OmiArgument& argument) { return argument.key == key; });
  return found == arguments.rend() ? nullptr : &*found;
}

OmiFile ReadOmiFile(const std::filesystem::path& path, Problems* problems) {
  return Collect(path, problems,
                 [&](OmiFile& file, Problems& found) { OmiReader(file, found).Read(ReadXmlFile(path)); });
}

OmiFile ReadOmiText(std::string_view bytes, const std::filesystem::path& path, Problems* problems) {
  return Collect(path, problems,
                 [&](OmiFile& file, Problems& found) { OmiReader(file, found).Read(ReadXml(bytes, path.string())); });
}

void CheckPlatform(const OmiFile& file, Problems& problems) {
  if (PlatformMatches(file.platforms)) return;
  AddError(problems, {.file = file.path.string(), .line = file.platforms_line},
           fmt::format("expected a platform that fits this machine, {}, found {}", HostPlatform(),
                       fmt::join(file.platforms, ", ")),
           fmt::format("add <Platform>{}</Platform> if the library runs here, or take a build for this machine",
                       HostPlatform()));
}

std::string OmiText(const OmiFile& file) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<LinkableComponent xmlns=\"{}\"", kOmiNamespace);
  const auto attribute = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) text += fmt::format(" {}=\"{}\"", name, EscapeXml(value));
  };
  attribute("Type", file.type);
  attribute("Assembly", file.assembly);
  attribute("JavaArchive", file.java_archive);
  if (file.arguments.empty() && file.platforms.empty()) return text + "/>\n";
  text += ">\n";
  if (!file.arguments.empty()) {
    text += "  <Arguments>\n";
    for (const OmiArgument& argument : file.arguments) {
      text += fmt::format("    <Argument Key=\"{}\" Value=\"{}\"{}/>\n", EscapeXml(argument.key),
                          EscapeXml(argument.value), argument.read_only ? " ReadOnly=\"true\"" : "");
    }
    text += "  </Arguments>\n";
  }
  if (!file.platforms.empty()) {
    text += "  <Platforms>\n";
    for (const std::string& platform : file.platforms) {
      if (std::find(kPlatforms.begin(), kPlatforms.end(), platform) == kPlatforms.end()) {
        throw FormatError({.file = file.path.string()},
                          fmt::format("expected one of the 12 platforms of the schema, found {}", Quoted(platform)),
                          Suggest(platform, std::vector<std::string>(kPlatforms.begin(), kPlatforms.end())));
      }
      text += fmt::format("    <Platform>{}</Platform>\n", platform);
    }
    text += "  </Platforms>\n";
  }
  return text + "</LinkableComponent>\n";
}

}  // namespace openmi
