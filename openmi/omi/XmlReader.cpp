#include "openmi/omi/XmlReader.hpp"

#include <algorithm>

#include "openmi/omi/XmlEvents.hpp"
#include "openmi/omi/XmlForm.hpp"
#include "openmi/sdk/Lists.hpp"

namespace openmi {

namespace {

/// Converts increasing byte offsets to lines and columns.
class Position {
 public:
  explicit Position(std::string_view text) : text_(text) {}

  void MoveTo(std::size_t offset) {
    for (; at_ < offset && at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n') {
        ++line_;
        column_ = 1;
      } else if ((static_cast<unsigned char>(text_[at_]) & 0xC0U) != 0x80U) {
        ++column_;
      }
    }
  }

  int Line() const { return line_; }
  int Column() const { return column_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  int column_ = 1;
};

/// Builds the tree.
class Builder final : public IXmlEvents {
 public:
  Builder(std::string_view text, const std::string& file)
      : text_(text), file_(std::make_shared<const std::string>(file)), position_(text) {}

  XmlDocument Build(const XmlLimits& limits);

  void OnStart(const XmlEventTag& tag) override;
  void OnEnd(std::size_t end) override;
  void OnText(std::string_view piece) override { open_.back().text.append(piece); }

 private:
  void PlaceAttributes(std::size_t tag, std::size_t end, XmlElement& element);

  std::string_view text_;
  std::shared_ptr<const std::string> file_;
  Position position_;
  XmlDocument document_;
  std::size_t root_ = 0;          ///< offset where the root element starts
  std::vector<XmlElement> open_;  ///< the elements that are not closed yet, outermost first
};

void Builder::OnStart(const XmlEventTag& tag) {
  position_.MoveTo(tag.begin);
  if (open_.empty()) root_ = tag.begin;
  XmlElement element;
  element.name = tag.name;
  element.namespace_uri = tag.namespace_uri;
  element.line = position_.Line();
  element.column = position_.Column();
  element.file = file_;
  element.attributes.reserve(tag.attributes.size());
  for (const XmlEventAttribute& read : tag.attributes) {
    XmlAttribute& attribute = element.attributes.emplace_back();
    attribute.name = read.name;
    attribute.namespace_uri = read.namespace_uri;
    attribute.value = read.value;
    attribute.line = element.line;
    attribute.column = element.column;
  }
  PlaceAttributes(tag.begin, tag.end, element);
  open_.push_back(std::move(element));
}

void Builder::PlaceAttributes(std::size_t tag, std::size_t end, XmlElement& element) {
  // The parser has accepted this text, so a plain scan finds name="value" pairs, in the order of the events.
  std::size_t at = std::min(text_.find_first_of(" \t\r\n/>", tag), end);
  for (XmlAttribute& attribute : element.attributes) {
    std::string_view written;
    do {
      at = text_.find_first_not_of(kBlanks, at);
      if (at == std::string_view::npos || at >= end) return;
      const std::size_t name_end = text_.find_first_of(" \t\r\n=", at);
      const std::size_t quote = text_.find_first_of("\"'", at);
      if (name_end == std::string_view::npos || quote == std::string_view::npos || quote >= end) return;
      written = text_.substr(at, name_end - at);
      position_.MoveTo(at);
      at = text_.find(text_[quote], quote + 1);
      if (at == std::string_view::npos || at >= end) return;
      ++at;
    } while (written == "xmlns" || written.starts_with("xmlns:"));
    if (!written.ends_with(attribute.name)) return;
    attribute.line = position_.Line();
    attribute.column = position_.Column();
  }
}

void Builder::OnEnd(std::size_t /*end*/) {
  XmlElement element = std::move(open_.back());
  open_.pop_back();
  if (!open_.empty()) {
    open_.back().children.push_back(std::move(element));
  } else {
    document_.root = std::move(element);
  }
}

XmlDocument Builder::Build(const XmlLimits& limits) {
  const std::size_t doctype = ReadXmlEvents(text_, *file_, limits, *this, document_.notes);
  document_.text = text_;
  // Later readers of the text then find no DOCTYPE, and every line keeps its number.
  for (std::size_t i = doctype; i < root_ && doctype != std::string_view::npos; ++i) {
    if (document_.text[i] != '\n') document_.text[i] = ' ';
  }
  return std::move(document_);
}

}  // namespace

Where XmlElement::Place() const {
  return {.file = file ? *file : std::string(), .line = line};
}

Where XmlElement::Place(const XmlAttribute& attribute) const {
  return {.file = file ? *file : std::string(), .line = attribute.line};
}

const XmlAttribute* XmlElement::Attribute(std::string_view attribute_name) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(), [&](const XmlAttribute& attribute) {
    return attribute.name == attribute_name && attribute.namespace_uri.empty();
  });
  return found == attributes.end() ? nullptr : &*found;
}

std::string XmlElement::Get(std::string_view attribute_name, std::string_view otherwise) const {
  const XmlAttribute* attribute = Attribute(attribute_name);
  return attribute == nullptr ? std::string(otherwise) : attribute->value;
}

const std::string& XmlElement::Required(std::string_view attribute_name) const {
  if (const XmlAttribute* attribute = Attribute(attribute_name)) return attribute->value;
  Problems problems;
  XmlForm(problems).Required(*this, attribute_name);
  throw FormatError(problems.front().where, problems.front().problem, problems.front().remedy);
}

const XmlElement* XmlElement::Child(std::string_view child_name) const {
  const auto found =
      std::find_if(children.begin(), children.end(), [&](const XmlElement& child) { return child.name == child_name; });
  return found == children.end() ? nullptr : &*found;
}

std::vector<const XmlElement*> XmlElement::Children(std::string_view child_name) const {
  std::vector<const XmlElement*> found;
  for (const XmlElement& child : children) {
    if (child.name == child_name) found.push_back(&child);
  }
  return found;
}

std::string XmlElement::TrimmedText() const {
  return std::string(Trimmed(text));
}

XmlDocument ReadXml(std::string_view bytes, const std::string& file, const XmlLimits& limits) {
  const std::string text = XmlToUtf8(bytes, file, limits);
  return Builder(text, file).Build(limits);
}

XmlDocument ReadXmlFile(const std::filesystem::path& path, const XmlLimits& limits) {
  return ReadXml(ReadXmlBytes(path, limits), path.string(), limits);
}

}  // namespace openmi
