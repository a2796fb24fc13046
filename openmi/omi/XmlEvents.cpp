#include "openmi/omi/XmlEvents.hpp"

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
#include <utility>
#include <vector>

#include "openmi/sdk/Lists.hpp"

namespace openmi {

namespace {

std::string_view View(const xmlChar* text) {
  return text == nullptr ? std::string_view() : std::string_view(reinterpret_cast<const char*>(text));
}

/// The remedy for the libxml2 error number `code`.
std::string RemedyFor(int code) {
  static constexpr std::pair<int, const char*> kRemedies[] = {
      {XML_ERR_TAG_NAME_MISMATCH, "close every element by its own name, innermost first"},
      {XML_ERR_TAG_NOT_FINISHED, "the file seems cut short here; get a whole copy, or close what is open"},
      {XML_ERR_GT_REQUIRED, "the file seems cut short here; get a whole copy, or close what is open"},
      {XML_ERR_DOCUMENT_END, "keep one root element and nothing after it"},
      {XML_ERR_DOCUMENT_EMPTY, "this is no XML file; check that it is the right one"},
      {XML_ERR_ATTRIBUTE_REDEFINED, "keep one of the two attributes"},
      {XML_ERR_ATTRIBUTE_NOT_STARTED, "put the value of the attribute between two quotes; the file may be cut short"},
      {XML_ERR_ATTRIBUTE_NOT_FINISHED, "put the value of the attribute between two quotes; the file may be cut short"},
      {XML_ERR_ATTRIBUTE_WITHOUT_VALUE, "put the value of the attribute between two quotes; the file may be cut short"},
      {XML_ERR_LT_IN_ATTRIBUTE, "write '&lt;' for '<' inside a value, or close the quotes before"},
      {XML_ERR_NAME_REQUIRED, "write '&amp;' for '&' and '&lt;' for '<'"},
      {XML_ERR_ENTITYREF_SEMICOL_MISSING, "write '&amp;' for '&' and '&lt;' for '<'"},
      {XML_ERR_UNDECLARED_ENTITY,
       "write the character itself; only &lt; &gt; &amp; &quot; &apos; and &#number; are read"},
      {XML_WAR_UNDECLARED_ENTITY,
       "write the character itself; only &lt; &gt; &amp; &quot; &apos; and &#number; are read"},
      {XML_ERR_INVALID_CHAR, "remove the control character"},
      {XML_ERR_INVALID_CHARREF, "remove the control character"},
      {XML_NS_ERR_UNDEFINED_NAMESPACE, "declare the prefix with xmlns:prefix=\"...\", or remove it"},
      {XML_ERR_RESERVED_XML_NAME, "let the declaration <?xml ...?> begin the file, with nothing before it"},
  };
  const auto* found = std::ranges::find(kRemedies, code, &std::pair<int, const char*>::first);
  return found != std::end(kRemedies) ? found->second : "correct the text at this place";
}

/// Passes the parser's events on. No exception may pass libxml2, so an error is stored and the parser stopped.
class Parser {
 public:
  Parser(std::string_view text, const std::string& file, const XmlLimits& limits, IXmlEvents& events, Problems& notes)
      : text_(text), file_(file), limits_(limits), events_(events), notes_(notes) {}

  /// \returns the offset where a DOCTYPE starts, or npos
  std::size_t Parse();

 private:
  static Parser& Of(void* context) { return *static_cast<Parser*>(context); }

  /// Lets libxml2 report its events to this object.
  static void Listen(xmlSAXHandler& events);
  void OnError(const xmlError& error);
  void Start(std::string_view name, std::string_view uri, int attribute_count, const xmlChar** attributes);
  void Refuse(int line, std::string problem, std::string remedy);
  /// Bytes of the text that the parser has read. The text is already UTF-8, so no conversion changes the count.
  std::size_t Consumed() const {
    const xmlParserInput* input = parser_->input;
    if (input == nullptr) return 0;
    return std::min(input->consumed + static_cast<std::size_t>(input->cur - input->base), text_.size());
  }
  int CurrentLine() const { return parser_->input == nullptr ? 0 : parser_->input->line; }

  /// Runs `action(parser)` for an event; an exception becomes the stored error.
  template <class Action>
  static void Guarded(void* context, Action action) noexcept {
    Parser& parser = Of(context);
    if (parser.stopped_) return;
    try {
      action(parser);
    } catch (...) {
      parser.failure_ = std::current_exception();
      parser.Stop();
    }
  }
  void Stop() {
    stopped_ = true;
    xmlStopParser(parser_);
  }

  std::string_view text_;
  const std::string& file_;
  XmlLimits limits_;
  IXmlEvents& events_;
  Problems& notes_;
  xmlParserCtxtPtr parser_ = nullptr;
  std::vector<XmlEventAttribute> attributes_;
  std::size_t doctype_ = std::string_view::npos;  ///< offset where the DOCTYPE starts
  std::size_t depth_ = 0;
  std::size_t nodes_ = 0;
  bool has_root_ = false;
  bool stopped_ = false;
  bool refused_ = false;
  Problem refusal_;
  std::exception_ptr failure_;
};

void Parser::Refuse(int line, std::string problem, std::string remedy) {
  if (!refused_) {
    refused_ = true;
    refusal_ = {Problem::Error, {.file = file_, .line = line}, std::move(problem), std::move(remedy)};
  }
  Stop();
}

void Parser::Start(std::string_view name, std::string_view uri, int attribute_count, const xmlChar** attributes) {
  // The parser is after the attributes. A tag cannot contain '<', so the last '<' before this position starts the tag.
  XmlEventTag tag;
  tag.name = name;
  tag.namespace_uri = uri;
  tag.end = Consumed();
  tag.begin = tag.end == 0 ? 0 : text_.rfind('<', tag.end - 1);
  if (tag.begin == std::string_view::npos) tag.begin = 0;
  const std::string_view written = text_.substr(tag.begin, tag.end - tag.begin);
  tag.line = CurrentLine() - static_cast<int>(std::count(written.begin(), written.end(), '\n'));

  nodes_ += 1 + static_cast<std::size_t>(attribute_count);
  if (depth_ >= limits_.depth) {
    Refuse(tag.line, fmt::format("expected at most {} elements inside each other, found more", limits_.depth),
           "check that this is the right file; no file of this kind is nested so deeply");
    return;
  }
  if (nodes_ > limits_.nodes) {
    Refuse(tag.line, fmt::format("expected at most {} elements and attributes, found more", limits_.nodes),
           "check that this is the right file, or split it");
    return;
  }
  attributes_.clear();
  for (int i = 0; i < attribute_count; ++i) {
    // libxml2 gives five pointers for each attribute: name, prefix, namespace, start and end of the value.
    const xmlChar** at = attributes + 5 * static_cast<std::ptrdiff_t>(i);
    attributes_.push_back(
        {.name = View(at[0]),
         .namespace_uri = View(at[2]),
         .value = std::string_view(reinterpret_cast<const char*>(at[3]), static_cast<std::size_t>(at[4] - at[3]))});
  }
  tag.attributes = attributes_;
  ++depth_;
  events_.OnStart(tag);
}

void Parser::Listen(xmlSAXHandler& events) {
  std::memset(&events, 0, sizeof events);  // in particular: no handler resolves an entity or loads a subset
  events.initialized = XML_SAX2_MAGIC;
  events.startElementNs = [](void* context, const xmlChar* name, const xmlChar*, const xmlChar* uri, int,
                             const xmlChar**, int attribute_count, int, const xmlChar** attributes) {
    Guarded(context, [&](Parser& parser) { parser.Start(View(name), View(uri), attribute_count, attributes); });
  };
  events.endElementNs = [](void* context, const xmlChar*, const xmlChar*, const xmlChar*) {
    Guarded(context, [](Parser& parser) {
      if (parser.depth_ == 0) return;
      if (--parser.depth_ == 0) parser.has_root_ = true;
      parser.events_.OnEnd(parser.Consumed());
    });
  };
  events.characters = [](void* context, const xmlChar* text, int length) {
    Guarded(context, [&](Parser& parser) {
      if (parser.depth_ > 0 && length > 0) {
        parser.events_.OnText({reinterpret_cast<const char*>(text), static_cast<std::size_t>(length)});
      }
    });
  };
  events.ignorableWhitespace = events.characters;
  events.cdataBlock = events.characters;
  events.reference = [](void* context, const xmlChar* name) {
    Guarded(context, [&](Parser& parser) {
      parser.Refuse(parser.CurrentLine(),
                    fmt::format("expected text without entities, found {}", Quoted(fmt::format("&{};", View(name)))),
                    RemedyFor(XML_ERR_UNDECLARED_ENTITY));
    });
  };
  events.internalSubset = [](void* context, const xmlChar* name, const xmlChar*, const xmlChar* system_id) {
    Guarded(context, [&](Parser& parser) {
      std::string found = fmt::format("found a DOCTYPE {}", Quoted(View(name)));
      if (system_id != nullptr) found += fmt::format(" that points to {}", Quoted(View(system_id)));
      parser.doctype_ = parser.text_.rfind("<!DOCTYPE", parser.Consumed());
      AddWarning(parser.notes_, {.file = parser.file_, .line = parser.CurrentLine()}, found + "; it was not followed",
                 "remove the DOCTYPE");
    });
  };
  events.entityDecl = [](void* context, const xmlChar* name, int, const xmlChar*, const xmlChar* system_id, xmlChar*) {
    Guarded(context, [&](Parser& parser) {
      parser.Refuse(parser.CurrentLine(),
                    system_id == nullptr
                        ? fmt::format("expected no entity declarations, found entity {}", Quoted(View(name)))
                        : fmt::format("expected no entity declarations, found external entity {} that points to {}",
                                      Quoted(View(name)), Quoted(View(system_id))),
                    "remove the DOCTYPE and write the text itself");
    });
  };
  events.attributeDecl = [](void* context, const xmlChar* element, const xmlChar* name, int, int, const xmlChar*,
                            xmlEnumerationPtr tree) {
    xmlFreeEnumeration(tree);  // the receiver of the event owns it
    Guarded(context, [&](Parser& parser) {
      parser.Refuse(parser.CurrentLine(),
                    fmt::format("expected no attribute declarations, found one for {} of {}", Quoted(View(name)),
                                Quoted(View(element))),
                    "remove the DOCTYPE and write the attribute where it belongs");
    });
  };
  events.serror = [](void* context, xmlErrorPtr error) {
    if (error != nullptr) Of(context).OnError(*error);
  };
}

void Parser::OnError(const xmlError& error) {
  if (refused_ || failure_ || error.code == XML_ERR_USER_STOP) return;
  try {
    std::string sentence(Trimmed(error.message == nullptr ? "" : error.message));
    const Where where{.file = file_, .line = error.line};
    if (error.level == XML_ERR_WARNING) {
      AddWarning(notes_, where, fmt::format("the XML parser says '{}'", sentence), RemedyFor(error.code));
      return;
    }
    // libxml2 counts columns in bytes and in field int2.
    sentence += error.int2 > 0 ? fmt::format("' (column {})", error.int2) : "'";
    refused_ = true;
    refusal_ = {Problem::Error, where, "expected well-formed XML, found '" + sentence, RemedyFor(error.code)};
  } catch (...) {
    failure_ = std::current_exception();
  }
  Stop();
}

std::size_t Parser::Parse() {
  static std::once_flag initialised;
  std::call_once(initialised, [] { xmlInitParser(); });

  struct Owner {
    xmlParserCtxtPtr parser;
    ~Owner() {
      if (parser == nullptr) return;
      // Declarations make libxml2 create a document, which a context does not free.
      if (parser->myDoc != nullptr) xmlFreeDoc(parser->myDoc);
      parser->myDoc = nullptr;
      xmlFreeParserCtxt(parser);
    }
  } owner{xmlNewParserCtxt()};
  if (owner.parser == nullptr) throw std::bad_alloc();
  parser_ = owner.parser;
  parser_->userData = this;
  Listen(*parser_->sax);

  // NOENT is safe here. Without it the parser gives '&amp;' of a value as '&#38;'. Any declaration ends the parse, so
  // there is no other entity that it could replace.
  xmlDocPtr none = xmlCtxtReadMemory(parser_, text_.data(), static_cast<int>(text_.size()), nullptr, nullptr,
                                     XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_IGNORE_ENC);
  if (none != nullptr) xmlFreeDoc(none);
  if (failure_) std::rethrow_exception(failure_);
  if (refused_) throw FormatError(refusal_.where, refusal_.problem, refusal_.remedy);
  if (!has_root_ || parser_->wellFormed == 0) {
    throw FormatError({.file = file_, .line = CurrentLine()},
                      "expected a well-formed XML document with one root element", RemedyFor(XML_ERR_TAG_NOT_FINISHED));
  }
  return doctype_;
}

}  // namespace

std::size_t ReadXmlEvents(std::string_view text, const std::string& file, const XmlLimits& limits, IXmlEvents& events,
                          Problems& notes) {
  // libxml2 counts in int.
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw FormatError({.file = file}, "expected less than 2 GiB of XML, found more", "split the file");
  }
  return Parser(text, file, limits, events, notes).Parse();
}

}  // namespace openmi
