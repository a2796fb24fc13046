#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "fmi-bridge/common/archive/Archive.hpp"
#include "fmi-bridge/common/archive/UnpackedArchive.hpp"
#include "fmi-bridge/fmi/ssp/ExportSystemStructure.hpp"
#include "fmi-bridge/fmi/ssp/SystemStructure.hpp"
#include "openmi/omi/XmlText.hpp"
#include "openmi/system/TemporaryFolder.hpp"

namespace openmi::ssp {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kDocuments = {"SystemStructureDescription", "ParameterSet",
                                                        "ParameterMapping", "SignalDictionary"};

bool IsDocumentName(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".ssd" || ending == ".ssv" || ending == ".ssm" || ending == ".ssb";
}

bool IsOfSsp(const XmlElement& element) {
  const std::string& uri = element.namespace_uri;
  return uri == kSsd || uri == kSsc || uri == kSsv || uri == kSsm || uri == kSsb;
}

/// Changes a document to another version of SSP.
class Translator {
 public:
  Translator(SspVersion version, Problems& problems) : version_(version), problems_(problems) {}

  void Translate(XmlElement& element) {
    if (element.name == "Annotation" && IsOfSsp(element)) return;  // of other programs
    if (std::ranges::find(kDocuments, element.name) != kDocuments.end() && IsOfSsp(element)) {
      for (XmlAttribute& attribute : element.attributes) {
        if (attribute.name == "version" && attribute.namespace_uri.empty()) attribute.value = Text(version_);
      }
    }
    if (version_ == SspVersion::V1 && IsOfSsp(element)) {
      Narrow(element);
      std::erase_if(element.children, [&](const XmlElement& child) { return IsLeftOut(child); });
    }
    for (XmlElement& child : element.children) Translate(child);
  }

 private:
  /// What 1.0 does not have and no value depends on.
  bool IsLeftOut(const XmlElement& child) {
    if (!IsOfSsp(child) || (child.name != "MetaData" && child.name != "Signature")) return false;
    AddWarning(problems_, child.Place(),
               fmt::format("expected an element of SSP 1.0, found {}, which is left out", Quoted(child.name)),
               "write version 2.0 to keep it");
    return true;
  }

  void Narrow(XmlElement& element) {
    const bool has_type =
        element.name == "Connector" || element.name == "DictionaryEntry" || element.name == "Parameter";
    if (has_type) {
      for (XmlElement& child : element.children) NarrowType(child);
      const std::string kind = element.Get("kind");
      if (element.name == "Connector" &&
          (kind == "structuralParameter" || kind == "constant" || kind == "local" || kind == "unspecified")) {
        Refuse(element, fmt::format("a connector of the kind {}", kind));
      }
    }
    if (element.name == "Component" && element.Get("implementation") == "ScheduledExecution") {
      Refuse(element, "the implementation ScheduledExecution");
    }
    for (const char* indices : {"startIndices", "endIndices"}) {
      if (element.Attribute(indices) != nullptr) Refuse(element, fmt::format("the attribute {}", indices));
    }
  }

  /// Source: SSP 2.0, 4.5.1, types: Float64 is Real and Int32 is Integer by another name.
  void NarrowType(XmlElement& type) {
    if (!IsOfSsp(type)) return;
    if (type.name == "Float64") type.name = "Real";
    if (type.name == "Int32") type.name = "Integer";
    if (type.name == "Clock" || type.name == "Dimension" || type.name == "Float32" || type.name.starts_with("UInt") ||
        (type.name.starts_with("Int") && type.name != "Integer")) {
      Refuse(type, type.name);
    }
    if (!type.Children("Value").empty()) Refuse(type, "Value elements");
  }

  void Refuse(const XmlElement& element, const std::string& found) {
    AddError(problems_, element.Place(), fmt::format("expected what SSP 1.0 has, found {}", found),
             "write version 2.0");
  }

  SspVersion version_;
  Problems& problems_;
};

/// Copies the files of a package into another folder, with translated documents.
class PackageWriter {
 public:
  /// \param from   folder of the package, canonical
  /// \param root   canonical; sources may lead to files in it
  /// \param named  path of `from`, as the user knows it
  PackageWriter(fs::path from, fs::path root, fs::path to, fs::path named, SspVersion version, Problems& problems)
      : from_(std::move(from)),
        root_(std::move(root)),
        to_(std::move(to)),
        named_(std::move(named)),
        version_(version),
        problems_(problems) {}

  /// Writes every file of the package.
  void CopyAll() {
    for (const auto& entry : fs::recursive_directory_iterator(from_)) {
      if (entry.is_regular_file()) Copy(entry.path(), fs::path(entry.path()).lexically_relative(from_), false);
    }
  }
  /// Writes a document and the files that it names.
  /// \param name  in the new package
  void CopyDocument(const fs::path& file, const fs::path& name) {
    places_.emplace(file, name);
    Copy(file, name, true);
  }

 private:
  /// \param has_sources  whether the files that a document names are written, too
  void Copy(const fs::path& file, const fs::path& name, bool has_sources) {
    const fs::path target = to_ / name;
    fs::create_directories(target.parent_path());
    if (fs::is_directory(file)) return WriteArchive(file, target, kTimeOfFiles);  // an unpacked FMU
    if (!IsDocumentName(file)) {
      fs::copy_file(file, target);
      return;
    }
    const fs::path here = file.lexically_relative(from_);
    const fs::path shown = here.string().starts_with("..") ? file : named_ / here;  // as the user knows it
    XmlDocument document = ReadXml(ReadXmlBytes(file, kDocumentLimits), shown.string(), kDocumentLimits);
    if (has_sources) CopySources(document.root, file.parent_path(), name.parent_path());
    Translator(version_, problems_).Translate(document.root);
    WriteXmlText(target, DocumentText(document.root));
  }

  /// Writes the files that a document names, and names them as they are in the new package.
  /// \param folder  of the document
  /// \param inside  folder of the document in the new package
  void CopySources(XmlElement& element, const fs::path& folder, const fs::path& inside) {
    const bool is_icon = element.name == "ElementGeometry";
    const bool names_file = element.name != "MapEntry" && element.name != "MappingEntry";
    for (XmlAttribute& attribute : element.attributes) {
      if (attribute.name != (is_icon ? "iconSource" : "source") || attribute.value.empty()) continue;
      if (!names_file || !IsOfSsp(element) || element.Get("sourceBase") == "component") continue;
      const auto [named, fragment] = element.name == "Component"
                                         ? SplitSource(attribute.value)
                                         : std::pair(std::string_view(attribute.value), std::string_view());
      if (named.empty()) continue;  // a system of this document
      try {
        const fs::path place = PlaceOf(FileInside(root_, folder, named)).lexically_relative(inside);
        if (fs::path(named).lexically_normal() != place && named.find('%') == std::string::npos) {
          attribute.value = place.string() + (fragment.empty() ? "" : "#" + std::string(fragment));
        }
      } catch (const Error& error) {
        if (is_icon) {
          AddNote(problems_, element.Place(attribute), "expected an icon in the package, found none there");
        } else {
          AddError(problems_, element.Place(attribute), error.Problem(), error.Remedy());
        }
      }
    }
    for (XmlElement& child : element.children) CopySources(child, folder, inside);
  }

  /// The name of a file in the new package, which it is written to: its place in the old one, or in `resources`.
  fs::path PlaceOf(const fs::path& file) {
    if (const auto known = places_.find(file); known != places_.end()) return known->second;
    fs::path name = file.lexically_relative(from_);
    if (name.string().starts_with("..")) {
      name = fs::path("resources") / file.filename();
      const auto is_taken = [&](const auto& one) { return one.second == name; };
      for (int i = 2; std::ranges::any_of(places_, is_taken); ++i) {
        name = fs::path("resources") / fmt::format("{}-{}{}", file.stem().string(), i, file.extension().string());
      }
    }
    places_.emplace(file, name);
    Copy(file, name, true);
    return name;
  }

  fs::path from_;
  fs::path root_;
  fs::path to_;
  fs::path named_;
  SspVersion version_;
  Problems& problems_;
  std::map<fs::path, fs::path> places_;  // of files of the old package in the new one
};

}  // namespace

void RewriteSystemStructure(const fs::path& source, SspVersion version, const fs::path& package, Problems& problems,
                            const fs::path& within) {
  const TemporaryFolder folder;
  const bool is_description = source.extension() == ".ssd";
  const auto from = UnpackedArchive::Open(is_description ? fs::absolute(source).parent_path() : source);
  const fs::path inside = fs::canonical(from->Folder());
  const fs::path named = is_description ? source.parent_path() : source;
  PackageWriter writer(inside, within.empty() ? inside : fs::canonical(within), folder.Path(), named, version,
                       problems);
  WithFileErrors([&] {
    if (is_description) {
      writer.CopyDocument(inside / source.filename(), "SystemStructure.ssd");
    } else {
      writer.CopyAll();
    }
  });
  if (!HasErrors(problems)) WriteArchive(folder.Path(), package, kTimeOfFiles);
}

}  // namespace openmi::ssp
