#include "composition/import/OldComposition.hpp"

#include <fmt/format.h>

#include <array>

#include "composition/import/OldProjectReader.hpp"
#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi {

namespace {

/// Far above any project that people drew, and small enough for work that grows with the square of it.
constexpr XmlLimits kLimits{.bytes = std::size_t{16} << 20, .depth = 256, .nodes = 20'000};

[[noreturn]] void RefuseRoot(const XmlElement& root) {
  const std::array<std::string, 3> known{"guiComposition", "opr", "LinkableComponent"};
  throw FormatError(root.Place(),
                    fmt::format("expected guiComposition or opr, a project of the OpenMI configuration editor, or "
                                "LinkableComponent, an OMI file, as the root element, found {}",
                                Quoted(root.name)),
                    root.name == "Composition" ? "this is a composition already; run openmi check"
                    : root.name == "SystemStructureDescription"
                        ? "this is a system structure of SSP; use openmi new composition"
                        : Suggest(root.name, known));
}

OldComposition FromDocument(const XmlDocument& document, const std::filesystem::path& path, Problems& problems) {
  OldComposition old;
  old.path = path;
  problems.insert(problems.end(), document.notes.begin(), document.notes.end());
  const XmlElement& root = document.root;
  if (root.name == "LinkableComponent") {
    old.kind = OldComposition::Kind::Component;
    OldModel model;
    model.omi = path.filename().string();
    model.line = root.line;
    old.models.push_back(std::move(model));
  } else if (root.name == "guiComposition") {
    old.kind = OldComposition::Kind::Version1;
    OldProjectReader(old, problems).ReadVersion1(root);
  } else if (root.name == "opr") {
    old.kind = OldComposition::Kind::Version2;
    OldProjectReader(old, problems).ReadVersion2(root);
  } else {
    RefuseRoot(root);
  }
  return old;
}

}  // namespace

OldComposition ReadOldComposition(const std::filesystem::path& path, Problems& problems) {
  return FromDocument(ReadXmlFile(path, kLimits), path, problems);
}

OldComposition ReadOldText(std::string_view bytes, const std::filesystem::path& path, Problems& problems) {
  return FromDocument(ReadXml(bytes, path.string(), kLimits), path, problems);
}

}  // namespace openmi
