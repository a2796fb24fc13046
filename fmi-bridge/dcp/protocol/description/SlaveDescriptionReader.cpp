#include <algorithm>

#include "fmi-bridge/dcp/protocol/description/DescriptionParts.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "openmi/omi/XmlEvents.hpp"
#include "openmi/omi/XmlReader.hpp"
#include "openmi/omi/XmlText.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {

namespace {

/// Finds the content of each Tool of VendorAnnotations and Annotations, unchanged.
class ToolTexts final : public IXmlEvents {
 public:
  /// \param text  the document; borrowed
  ToolTexts(std::string_view text, std::vector<Annotation>& whole, std::vector<Variable>& variables)
      : text_(text), whole_(whole), variables_(variables) {}

  void OnStart(const XmlEventTag& tag) override {
    const std::size_t depth = ++depth_;
    if (depth == 3 && tag.name == "Variable") ++variable_;
    if (list_ != nullptr && depth == list_depth_ + 1 && tag.name == "Tool") {
      const XmlEventAttribute* name = tag.Attribute("name");
      list_->push_back({name == nullptr ? std::string() : std::string(name->value), {}});
      const std::size_t close = text_.find('>', tag.end);
      begin_ = close == std::string_view::npos || text_[close - 1] == '/' ? std::string_view::npos : close + 1;
    }
    if (list_ != nullptr) return;
    if (depth == 2 && tag.name == "VendorAnnotations") list_ = &whole_;
    if (depth == 4 && tag.name == "Annotations" && variable_ > 0 && variable_ <= variables_.size()) {
      list_ = &variables_[variable_ - 1].annotations;
    }
    list_depth_ = depth;
  }
  void OnEnd(std::size_t end) override {
    const std::size_t depth = depth_--;
    if (list_ == nullptr) return;
    if (depth == list_depth_) {
      list_ = nullptr;
    } else if (depth == list_depth_ + 1 && !list_->empty() && begin_ != std::string_view::npos) {
      const std::size_t close = text_.rfind("</", end == 0 ? 0 : end - 1);
      if (close != std::string_view::npos && close > begin_) {
        list_->back().content = described::Collapsed(text_.substr(begin_, close - begin_));
      }
    }
  }
  void OnText(std::string_view /*piece*/) override {}

 private:
  std::string_view text_;
  std::vector<Annotation>& whole_;
  std::vector<Variable>& variables_;
  std::vector<Annotation>* list_ = nullptr;
  std::size_t depth_ = 0;
  std::size_t list_depth_ = 0;
  std::size_t variable_ = 0;
  std::size_t begin_ = std::string_view::npos;
};

}  // namespace

SlaveDescription ReadSlaveDocument(const XmlDocument& document, const std::string& file, Problems& problems) {
  problems.insert(problems.end(), document.notes.begin(), document.notes.end());
  const XmlElement& root = document.root;
  if (root.name != "dcpSlaveDescription") {
    throw FormatError(root.Place(),
                      fmt::format("expected the root element dcpSlaveDescription, found {}", Quoted(root.name)),
                      root.name == "fmiModelDescription" ? "this is an FMU's description; use it as an FMU"
                                                         : "check that this is the .dcpx of a DCP slave");
  }
  SlaveDescription description;
  description.file = file;
  {
    described::Report report(file, problems);
    if (!root.namespace_uri.empty()) {
      report.Error(root.line, {},
                   fmt::format("expected no namespace of a slave description, found {}", Quoted(root.namespace_uri)),
                   "remove the xmlns");
    }
    ReadHead(root, description, report);
    ReadTypesAndVariables(root, description, report);
    CheckSlaveDescription(description, report);
    report.Close();
  }
  if (description.variables.size() <= 1'000'000) {
    ToolTexts texts(document.text, description.annotations, description.variables);
    Problems ignored;
    ReadXmlEvents(document.text, file, XmlLimits(), texts, ignored);
  }
  return description;
}

SlaveDescription LoadOwnDescription(const std::filesystem::path& path, Problems& problems) {
  if (path.extension() == ".dcp") {
    throw FormatError({.file = path.string()}, "expected the description of a slave, found an archive",
                      "unpack it and name v1.0/dcpSlaveDescription.dcpx in it");
  }
  const std::string bytes = ReadXmlBytes(path);
  return ReadSlaveDocument(ReadXml(bytes, path.string(), XmlLimits()), path.string(), problems);
}

}  // namespace openmi::dcp
