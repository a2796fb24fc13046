#include "openmi/omi/SchemaValidator.hpp"

#include <fmt/format.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <xercesc/framework/MemBufInputSource.hpp>
#include <xercesc/framework/XMLGrammarPoolImpl.hpp>
#include <xercesc/parsers/SAX2XMLReaderImpl.hpp>
#include <xercesc/sax2/DefaultHandler.hpp>
#include <xercesc/util/PlatformUtils.hpp>
#include <xercesc/util/SecurityManager.hpp>
#include <xercesc/util/TransService.hpp>
#include <xercesc/util/XMLUni.hpp>

namespace openmi {

namespace {

using namespace xercesc;

std::string Utf8(const XMLCh* text) {
  if (text == nullptr) return {};
  const TranscodeToStr converted(text, "UTF-8");
  return std::string(reinterpret_cast<const char*>(converted.str()), converted.length());
}

/// Answers every request for another document with an empty document.
class NoEntities final : public EntityResolver {
 public:
  InputSource* resolveEntity(const XMLCh* /*public_id*/, const XMLCh* /*system_id*/) override {
    static const XMLByte kNothing = 0;
    return new MemBufInputSource(&kNothing, 0, "nothing");  // the parser takes ownership
  }
};

/// Collects the messages of the validator.
class Listener final : public ErrorHandler {
 public:
  Listener(Problems& problems, std::string file, std::string schema)
      : problems_(problems), file_(std::move(file)), schema_(std::move(schema)) {}

  void warning(const SAXParseException& e) override { Add(Problem::Warning, e); }
  void error(const SAXParseException& e) override { Add(Problem::Error, e); }
  void fatalError(const SAXParseException& e) override { Add(Problem::Error, e); }
  void resetErrors() override {}

 private:
  void Add(Problem::Severity severity, const SAXParseException& e) {
    constexpr std::size_t kMost = 200;  // more is of no use to a reader, and a hostile file could give millions
    if (problems_.size() > kMost) return;
    if (problems_.size() == kMost) {
      AddNote(problems_, {.file = file_}, fmt::format("found more than {} violations of {}", kMost, schema_),
              "correct the first ones and check again");
      return;
    }
    problems_.push_back({severity,
                         {.file = file_, .line = static_cast<int>(e.getLineNumber())},
                         fmt::format("expected a document that {} accepts, found at column {}: {}", schema_,
                                     e.getColumnNumber(), Utf8(e.getMessage())),
                         "correct it as the sentence says"});
  }

  Problems& problems_;
  std::string file_;
  std::string schema_;
};

/// Grammars by the names of their schemas.
class Grammars {
 public:
  static Grammars& Instance() {
    // Never destroyed: plug-ins may use the same validator library until the very end of the process.
    static Grammars* const grammars = new Grammars();
    return *grammars;
  }

  /// Hold it from `Pool()` until the last parse with its result: a grammar builds parts of itself on first use, and the
  /// validator library does not document which parts.
  std::mutex& Mutex() { return mutex_; }

  XMLGrammarPool& Pool(const std::string& schema) {
    std::unique_ptr<XMLGrammarPool>& pool = pools_[schema];
    if (!pool) pool = Compile(schema);
    return *pool;
  }

  static std::unique_ptr<SAX2XMLReader> Reader(XMLGrammarPool& pool, EntityResolver& resolver,
                                               SecurityManager& security) {
    auto reader = std::make_unique<SAX2XMLReaderImpl>(XMLPlatformUtils::fgMemoryManager, &pool);
    reader->setFeature(XMLUni::fgSAX2CoreNameSpaces, true);
    reader->setFeature(XMLUni::fgSAX2CoreValidation, true);
    reader->setFeature(XMLUni::fgXercesDynamic, false);
    reader->setFeature(XMLUni::fgXercesSchema, true);
    reader->setFeature(XMLUni::fgXercesSchemaFullChecking, true);
    reader->setFeature(XMLUni::fgXercesIdentityConstraintChecking, true);
    reader->setFeature(XMLUni::fgXercesLoadSchema, false);
    reader->setFeature(XMLUni::fgXercesLoadExternalDTD, false);
    reader->setFeature(XMLUni::fgXercesDisableDefaultEntityResolution, true);
    reader->setFeature(XMLUni::fgXercesUseCachedGrammarInParse, true);
    reader->setProperty(XMLUni::fgXercesSecurityManager, &security);
    reader->setEntityResolver(&resolver);
    return reader;
  }

 private:
  Grammars() { XMLPlatformUtils::Initialize(); }

  static std::unique_ptr<XMLGrammarPool> Compile(const std::string& schema) {
    const std::string_view text = EmbeddedSchema(schema);
    if (text.empty()) {
      throw RangeError(
          {}, fmt::format("expected the name of an embedded schema, found '{}'", schema),
          "there are: LinkableComponent.xsd, Composition.xsd, CompliancyInfo.xsd, DcpSlaveDescription.xsd, Study.xsd");
    }
    auto pool = std::make_unique<XMLGrammarPoolImpl>(XMLPlatformUtils::fgMemoryManager);
    NoEntities resolver;
    SecurityManager security;
    security.setEntityExpansionLimit(0);
    Problems problems;
    Listener listener(problems, schema, "XML Schema 1.0");
    const auto reader = Reader(*pool, resolver, security);
    reader->setErrorHandler(&listener);
    const MemBufInputSource source(reinterpret_cast<const XMLByte*>(text.data()), text.size(), schema.c_str());
    reader->loadGrammar(source, Grammar::SchemaGrammarType, true);
    ThrowIfErrors(problems);
    pool->lockPool();
    return pool;
  }

  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<XMLGrammarPool>> pools_;
};

}  // namespace

namespace {

std::atomic<bool> is_trusted = false;

}  // namespace

void TrustDocuments() {
  is_trusted = true;
}

Problems ValidateXml(const XmlDocument& document, std::string_view schema) {
  if (is_trusted) return {};
  const std::string name(schema);
  const std::lock_guard lock(Grammars::Instance().Mutex());
  XMLGrammarPool& pool = Grammars::Instance().Pool(name);
  const std::string file = document.root.Place().file;
  Problems problems;
  NoEntities resolver;
  SecurityManager security;
  security.setEntityExpansionLimit(0);
  Listener listener(problems, file, name);
  try {
    const auto reader = Grammars::Reader(pool, resolver, security);
    reader->setErrorHandler(&listener);
    MemBufInputSource source(reinterpret_cast<const XMLByte*>(document.text.data()), document.text.size(), "document");
    source.setEncoding(XMLUni::fgUTF8EncodingString);  // the text is UTF-8 whatever its declaration says
    reader->parse(source);
  } catch (const XMLException& e) {
    AddError(problems, {.file = file, .line = static_cast<int>(e.getSrcLine())},
             fmt::format("expected a document that {} accepts; the validator gave up: {}", name, Utf8(e.getMessage())));
  } catch (const SAXException& e) {
    AddError(problems, {.file = file},
             fmt::format("expected a document that {} accepts; the validator gave up: {}", name, Utf8(e.getMessage())));
  }
  return problems;
}

}  // namespace openmi
