#include "openmi/omi/XmlReader.hpp"

#include <fmt/format.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <limits>
#include <mutex>
#include <new>

#include "openmi/omi/XmlForm.hpp"

namespace openmi {

namespace {

std::string_view View(const xmlChar* text) {
  return text == nullptr ? std::string_view() : std::string_view(reinterpret_cast<const char*>(text));
}

bool IsSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

/// Turns byte offsets that only grow into lines and columns.
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

/// What the user can do about an error that libxml2 numbers `code`.
std::string RemedyFor(int code) {
  switch (code) {
    case XML_ERR_TAG_NAME_MISMATCH:
      return "close every element by its own name, innermost first";
    case XML_ERR_TAG_NOT_FINISHED:
    case XML_ERR_GT_REQUIRED:
      return "the file seems cut short here; get a whole copy, or close what is open";
    case XML_ERR_DOCUMENT_END:
      return "keep one root element and nothing behind it";
    case XML_ERR_DOCUMENT_EMPTY:
      return "this is no XML file; check that it is the right one";
    case XML_ERR_ATTRIBUTE_REDEFINED:
      return "keep one of the two attributes";
    case XML_ERR_ATTRIBUTE_NOT_STARTED:
    case XML_ERR_ATTRIBUTE_NOT_FINISHED:
    case XML_ERR_ATTRIBUTE_WITHOUT_VALUE:
      return "put the value of the attribute between two quotes; the file may be cut short";
    case XML_ERR_LT_IN_ATTRIBUTE:
      return "write '&lt;' for '<' inside a value, or close the quotes before";
    case XML_ERR_NAME_REQUIRED:
    case XML_ERR_ENTITYREF_SEMICOL_MISSING:
      return "write '&amp;' for '&' and '&lt;' for '<'";
    case XML_ERR_UNDECLARED_ENTITY:
    case XML_WAR_UNDECLARED_ENTITY:
      return "write the character itself; only &lt; &gt; &amp; &quot; &apos; and &#number; are read";
    case XML_ERR_INVALID_CHAR:
    case XML_ERR_INVALID_CHARREF:
      return "remove the control character";
    case XML_NS_ERR_UNDEFINED_NAMESPACE:
      return "declare the prefix with xmlns:prefix=\"...\", or remove it";
    case XML_ERR_RESERVED_XML_NAME:
      return "let the declaration <?xml ...?> begin the file, with nothing before it";
    default:
      return "correct the text at this place";
  }
}

/// Receives the parser's events and builds the tree. Nothing may be thrown through libxml2, so a refusal is kept and
/// the parser stopped.
class Builder {
 public:
  Builder(std::string_view text, const std::string& file, const XmlLimits& limits)
      : text_(text), file_(std::make_shared<const std::string>(file)), limits_(limits), position_(text) {}

  XmlDocument Parse();

 private:
  static Builder& Of(void* context) { return *static_cast<Builder*>(context); }

  static void OnStart(void* context, const xmlChar* name, const xmlChar* prefix, const xmlChar* uri,
                      int namespace_count, const xmlChar** namespaces, int attribute_count, int defaulted,
                      const xmlChar** attributes);
  static void OnEnd(void* context, const xmlChar* name, const xmlChar* prefix, const xmlChar* uri);
  static void OnText(void* context, const xmlChar* text, int length);
  static void OnReference(void* context, const xmlChar* name);
  static void OnDoctype(void* context, const xmlChar* name, const xmlChar* public_id, const xmlChar* system_id);
  static void OnEntity(void* context, const xmlChar* name, int type, const xmlChar* public_id, const xmlChar* system_id,
                       xmlChar* content);
  static void OnAttributeDeclaration(void* context, const xmlChar* element, const xmlChar* name, int type, int kind,
                                     const xmlChar* value, xmlEnumerationPtr tree);
  static void OnError(void* context, xmlErrorPtr error);

  void Start(std::string_view name, std::string_view uri, int attribute_count, const xmlChar** attributes);
  void PlaceAttributes(std::size_t tag, std::size_t end, XmlElement& element);
  void Refuse(int line, std::string problem, std::string remedy);
  /// Bytes of the text that the parser has read. The text is UTF-8 already, so nothing is converted between it and us.
  std::size_t Consumed() const {
    const xmlParserInput* input = parser_->input;
    if (input == nullptr) return 0;
    return std::min(input->consumed + static_cast<std::size_t>(input->cur - input->base), text_.size());
  }
  int CurrentLine() const { return parser_->input == nullptr ? 0 : parser_->input->line; }

  /// Runs `action` and turns whatever it throws into a refusal.
  template <class Action>
  void Guarded(Action action) noexcept {
    if (stopped_) return;
    try {
      action();
    } catch (...) {
      failure_ = std::current_exception();
      Stop();
    }
  }
  void Stop() {
    stopped_ = true;
    xmlStopParser(parser_);
  }

  std::string_view text_;
  std::shared_ptr<const std::string> file_;
  XmlLimits limits_;
  Position position_;
  xmlParserCtxtPtr parser_ = nullptr;
  XmlDocument document_;
  bool has_root_ = false;
  std::size_t doctype_ = std::string_view::npos;  ///< where the DOCTYPE begins
  std::size_t root_ = 0;                          ///< where the root element begins
  std::vector<XmlElement> open_;                  ///< the elements that are not closed yet, outermost first
  std::size_t nodes_ = 0;
  bool stopped_ = false;
  bool refused_ = false;
  Problem refusal_;
  std::exception_ptr failure_;
};

void Builder::Refuse(int line, std::string problem, std::string remedy) {
  if (!refused_) {
    refused_ = true;
    refusal_ = {Problem::Error, {.file = *file_, .line = line}, std::move(problem), std::move(remedy)};
  }
  Stop();
}

void Builder::OnStart(void* context, const xmlChar* name, const xmlChar* /*prefix*/, const xmlChar* uri,
                      int /*namespace_count*/, const xmlChar** /*namespaces*/, int attribute_count, int /*defaulted*/,
                      const xmlChar** attributes) {
  Builder& builder = Of(context);
  builder.Guarded([&] { builder.Start(View(name), View(uri), attribute_count, attributes); });
}

void Builder::Start(std::string_view name, std::string_view uri, int attribute_count, const xmlChar** attributes) {
  // The parser stands behind the attributes. '<' is not allowed inside a tag, so the last one before is the tag's
  // begin.
  const std::size_t end = Consumed();
  const std::size_t tag = end == 0 ? 0 : text_.rfind('<', end - 1);
  if (tag != std::string_view::npos) position_.MoveTo(tag);
  if (open_.empty() && tag != std::string_view::npos) root_ = tag;

  nodes_ += 1 + static_cast<std::size_t>(attribute_count);
  if (open_.size() >= limits_.depth) {
    Refuse(position_.Line(), fmt::format("expected at most {} elements inside each other, found more", limits_.depth),
           "check that this is the right file; no file of this kind is nested so deeply");
    return;
  }
  if (nodes_ > limits_.nodes) {
    Refuse(position_.Line(), fmt::format("expected at most {} elements and attributes, found more", limits_.nodes),
           "check that this is the right file, or split it");
    return;
  }
  XmlElement element;
  element.name = name;
  element.namespace_uri = uri;
  element.line = position_.Line();
  element.column = position_.Column();
  element.file = file_;
  element.attributes.reserve(static_cast<std::size_t>(attribute_count));
  for (int i = 0; i < attribute_count; ++i) {
    // libxml2 gives five pointers an attribute: name, prefix, namespace, begin and end of the value.
    const xmlChar** at = attributes + 5 * static_cast<std::ptrdiff_t>(i);
    XmlAttribute& attribute = element.attributes.emplace_back();
    attribute.name = View(at[0]);
    attribute.namespace_uri = View(at[2]);
    attribute.value.assign(reinterpret_cast<const char*>(at[3]), static_cast<std::size_t>(at[4] - at[3]));
    attribute.line = element.line;
    attribute.column = element.column;
  }
  if (tag != std::string_view::npos) PlaceAttributes(tag, end, element);
  open_.push_back(std::move(element));
}

void Builder::PlaceAttributes(std::size_t tag, std::size_t end, XmlElement& element) {
  // The parser has accepted this text, so a plain scan finds name="value" pairs, in the order of the events.
  constexpr std::string_view kBlank = " \t\r\n";
  std::size_t at = std::min(text_.find_first_of(" \t\r\n/>", tag), end);
  for (XmlAttribute& attribute : element.attributes) {
    std::string_view written;
    do {
      at = text_.find_first_not_of(kBlank, at);
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

void Builder::OnEnd(void* context, const xmlChar* /*name*/, const xmlChar* /*prefix*/, const xmlChar* /*uri*/) {
  Builder& builder = Of(context);
  builder.Guarded([&] {
    if (builder.open_.empty()) return;
    XmlElement element = std::move(builder.open_.back());
    builder.open_.pop_back();
    if (!builder.open_.empty()) {
      builder.open_.back().children.push_back(std::move(element));
    } else {
      builder.document_.root = std::move(element);
      builder.has_root_ = true;
    }
  });
}

void Builder::OnText(void* context, const xmlChar* text, int length) {
  Builder& builder = Of(context);
  builder.Guarded([&] {
    if (!builder.open_.empty() && length > 0) {
      builder.open_.back().text.append(reinterpret_cast<const char*>(text), static_cast<std::size_t>(length));
    }
  });
}

void Builder::OnReference(void* context, const xmlChar* name) {
  Builder& builder = Of(context);
  builder.Guarded([&] {
    builder.Refuse(builder.CurrentLine(),
                   fmt::format("expected text without entities, found {}", Quoted(fmt::format("&{};", View(name)))),
                   RemedyFor(XML_ERR_UNDECLARED_ENTITY));
  });
}

void Builder::OnDoctype(void* context, const xmlChar* name, const xmlChar* /*public_id*/, const xmlChar* system_id) {
  Builder& builder = Of(context);
  builder.Guarded([&] {
    std::string found = fmt::format("found a DOCTYPE {}", Quoted(View(name)));
    if (system_id != nullptr) found += fmt::format(" that points to {}", Quoted(View(system_id)));
    builder.doctype_ = builder.text_.rfind("<!DOCTYPE", builder.Consumed());
    AddWarning(builder.document_.notes, {.file = *builder.file_, .line = builder.CurrentLine()},
               found + "; it was not followed", "remove the DOCTYPE");
  });
}

void Builder::OnEntity(void* context, const xmlChar* name, int /*type*/, const xmlChar* /*public_id*/,
                       const xmlChar* system_id, xmlChar* /*content*/) {
  Builder& builder = Of(context);
  builder.Guarded([&] {
    builder.Refuse(builder.CurrentLine(),
                   system_id == nullptr
                       ? fmt::format("expected no entity declarations, found entity {}", Quoted(View(name)))
                       : fmt::format("expected no entity declarations, found external entity {} that points to {}",
                                     Quoted(View(name)), Quoted(View(system_id))),
                   "remove the DOCTYPE and write the text itself");
  });
}

void Builder::OnAttributeDeclaration(void* context, const xmlChar* element, const xmlChar* name, int /*type*/,
                                     int /*kind*/, const xmlChar* /*value*/, xmlEnumerationPtr tree) {
  xmlFreeEnumeration(tree);  // it belongs to whoever receives the event
  Builder& builder = Of(context);
  builder.Guarded([&] {
    builder.Refuse(builder.CurrentLine(),
                   fmt::format("expected no attribute declarations, found one for {} of {}", Quoted(View(name)),
                               Quoted(View(element))),
                   "remove the DOCTYPE and write the attribute where it belongs");
  });
}

void Builder::OnError(void* context, xmlErrorPtr error) {
  Builder& builder = Of(context);
  if (builder.refused_ || builder.failure_ || error == nullptr || error->code == XML_ERR_USER_STOP) return;
  try {
    std::string sentence(Trimmed(error->message == nullptr ? "" : error->message));
    const Where where{.file = *builder.file_, .line = error->line};
    if (error->level == XML_ERR_WARNING) {
      AddWarning(builder.document_.notes, where, fmt::format("the XML parser says '{}'", sentence),
                 RemedyFor(error->code));
      return;
    }
    // libxml2 counts columns in bytes and in field int2.
    if (error->int2 > 0)
      sentence += fmt::format("' (column {})", error->int2);
    else
      sentence += "'";
    builder.refused_ = true;
    builder.refusal_ = {Problem::Error, where, "expected well-formed XML, found '" + sentence, RemedyFor(error->code)};
  } catch (...) {
    builder.failure_ = std::current_exception();
  }
  builder.Stop();
}

XmlDocument Builder::Parse() {
  static std::once_flag initialised;
  std::call_once(initialised, [] { xmlInitParser(); });

  struct Owner {
    xmlParserCtxtPtr parser;
    ~Owner() {
      if (parser == nullptr) return;
      // Declarations make libxml2 keep a document of its own, which a context does not free.
      if (parser->myDoc != nullptr) xmlFreeDoc(parser->myDoc);
      parser->myDoc = nullptr;
      xmlFreeParserCtxt(parser);
    }
  } owner{xmlNewParserCtxt()};
  if (owner.parser == nullptr) throw std::bad_alloc();
  parser_ = owner.parser;
  parser_->userData = this;
  xmlSAXHandler& events = *parser_->sax;
  std::memset(&events, 0, sizeof events);  // in particular: nothing resolves an entity, nothing loads a subset
  events.initialized = XML_SAX2_MAGIC;
  events.startElementNs = &Builder::OnStart;
  events.endElementNs = &Builder::OnEnd;
  events.characters = &Builder::OnText;
  events.ignorableWhitespace = &Builder::OnText;
  events.cdataBlock = &Builder::OnText;
  events.reference = &Builder::OnReference;
  events.internalSubset = &Builder::OnDoctype;
  events.entityDecl = &Builder::OnEntity;
  events.attributeDecl = &Builder::OnAttributeDeclaration;
  events.serror = &Builder::OnError;

  const std::string& file = *file_;
  // NOENT does not open a door: without it the parser hands '&amp;' of a value over as '&#38;', and as any declaration
  // ends the parse there is no other entity that it could replace.
  xmlDocPtr none = xmlCtxtReadMemory(parser_, text_.data(), static_cast<int>(text_.size()), nullptr, nullptr,
                                     XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_IGNORE_ENC);
  if (none != nullptr) xmlFreeDoc(none);
  if (failure_) std::rethrow_exception(failure_);
  if (refused_) throw FormatError(refusal_.where, refusal_.problem, refusal_.remedy);
  if (!has_root_ || parser_->wellFormed == 0) {
    throw FormatError({.file = file, .line = CurrentLine()},
                      "expected a well-formed XML document with one root element", RemedyFor(XML_ERR_TAG_NOT_FINISHED));
  }
  document_.text = text_;
  // Whoever reads the text after us has no DOCTYPE to follow, and finds every line where it was.
  for (std::size_t i = doctype_; i < root_ && doctype_ != std::string_view::npos; ++i) {
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
  // libxml2 counts in int.
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw FormatError({.file = file}, "expected less than 2 GiB of XML, found more", "split the file");
  }
  return Builder(text, file, limits).Parse();
}

XmlDocument ReadXmlFile(const std::filesystem::path& path, const XmlLimits& limits) {
  return ReadXml(ReadXmlBytes(path, limits), path.string(), limits);
}

}  // namespace openmi
