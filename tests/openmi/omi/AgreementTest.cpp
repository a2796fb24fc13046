#include <gtest/gtest.h>
#include <libxml/parser.h>
#include <libxml/xmlschemas.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "openmi/omi/OmiFile.hpp"
#include "openmi/omi/Platform.hpp"
#include "openmi/omi/SchemaValidator.hpp"

namespace openmi {
namespace {

/// Makes OMI files, most of them with a fault or two somewhere.
class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::string File() {
    std::vector<std::string> children;
    if (Chance(0.75)) children.push_back(Arguments());
    if (Chance(0.55)) children.push_back(Platforms());
    if (Chance(0.03) && !children.empty()) children.push_back(children.front());
    if (Chance(0.02)) children.emplace_back("<Other/>");
    std::shuffle(children.begin(), children.end(), random_);
    std::string text = "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\"";
    if (Chance(0.9)) text += " Type=\"" + Value() + "\"";
    if (Chance(0.7)) text += " Assembly=\"" + Value() + "\"";
    if (Chance(0.1)) text += " JavaArchive=\"x.jar\"";
    if (Chance(0.02)) text += " Version=\"2\"";
    text += ">";
    for (const std::string& child : children) text += (Chance(0.01) ? "words" : "\n") + child;
    return text + "\n</LinkableComponent>\n";
  }

 private:
  bool Chance(double probability) { return std::uniform_real_distribution<>(0.0, 1.0)(random_) < probability; }
  std::size_t Below(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }
  std::string Pick(std::initializer_list<const char*> texts) { return *(texts.begin() + Below(texts.size())); }
  std::string Value() { return Pick({"", "1", "a &amp; b", "x&lt;y", "\xC3\xA4\xC3\xB6", "2.5", " lead", "a&#9;b"}); }

  std::string Argument() {
    std::string text = "<Argument";
    if (!Chance(0.03)) text += (Chance(0.01) ? " key=\"" : " Key=\"") + Value() + "\"";
    if (!Chance(0.03)) text += " Value=\"" + Value() + "\"";
    if (Chance(0.4))
      text +=
          " ReadOnly=\"" + (Chance(0.1) ? Pick({"yes", "True", "", "2"}) : Pick({"true", "false", "1", " 0 "})) + "\"";
    if (Chance(0.02)) text += " Unit=\"m\"";
    if (Chance(0.01)) text += " xml:lang=\"en\"";
    if (Chance(0.85)) return text + "/>";
    text += ">";
    text += Pick({"", "", "<!-- c -->", "text", "<x/>", " "});
    return text + "</Argument>";
  }

  std::string Arguments() {
    std::string text = Chance(0.01) ? "<Arguments Count=\"1\">" : "<Arguments>";
    for (std::size_t i = Below(4); i > 0; --i) text += (Chance(0.01) ? "words" : "\n") + Argument();
    if (Chance(0.01)) text += "<f:x xmlns:f=\"urn:f\"/>";
    return text + "</Arguments>";
  }

  std::string Platforms() {
    std::string text = "<Platforms>";
    for (std::size_t i = Chance(0.06) ? 0 : 1 + Below(3); i > 0; --i) {
      std::string name(kPlatforms[Below(kPlatforms.size())]);
      if (Chance(0.05)) name = Pick({"linux", "Windows", "", "Linux128", "Linux 64"});
      if (Chance(0.03)) name.insert(0, 1, ' ');
      text += (Chance(0.01) ? "<Platform x=\"1\">" : "<Platform>") + name + "</Platform>";
    }
    return text + "</Platforms>";
  }

  std::mt19937 random_;
};

TEST(OmiReader, AcceptsAndRefusesWhatTheSchemaDoes) {
  constexpr unsigned kSeed = 20151201;
  Generator generator(kSeed);
  int accepted = 0;
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string text = generator.File();
    const bool valid = ValidateXml(ReadXml(text, "g.omi"), "LinkableComponent.xsd").empty();
    Problems problems;
    ReadOmiText(text, "g.omi", &problems);
    EXPECT_EQ(!HasErrors(problems), valid) << "seed " << kSeed << ", file " << i << "\n"
                                           << text << (problems.empty() ? "" : FormatProblem(problems.front()));
    ++(valid ? accepted : refused);
  }
  EXPECT_GT(accepted, 500);
  EXPECT_GT(refused, 500);
}

void IgnoreXmlError(void*, xmlErrorPtr) {}

/// A schema in a file, and the validator of libxml2: another one than the reader's.
class OtherValidator {
 public:
  explicit OtherValidator(const std::string& schema)
      : parser_(xmlSchemaNewParserCtxt(schema.c_str()), xmlSchemaFreeParserCtxt) {
    if (parser_ != nullptr) schema_.reset(xmlSchemaParse(parser_.get()));
    if (schema_ == nullptr) throw std::runtime_error("no schema: " + schema);
  }
  bool Accepts(const std::string& text) const {
    const std::unique_ptr<xmlDoc, decltype(&xmlFreeDoc)> document(
        xmlReadMemory(text.data(), static_cast<int>(text.size()), "g.omi", nullptr,
                      XML_PARSE_NOERROR | XML_PARSE_NONET),
        xmlFreeDoc);
    if (document == nullptr) return false;
    const std::unique_ptr<xmlSchemaValidCtxt, decltype(&xmlSchemaFreeValidCtxt)> validator(
        xmlSchemaNewValidCtxt(schema_.get()), xmlSchemaFreeValidCtxt);
    xmlSchemaSetValidStructuredErrors(validator.get(), IgnoreXmlError, nullptr);
    return xmlSchemaValidateDoc(validator.get(), document.get()) == 0;
  }

 private:
  std::unique_ptr<xmlSchemaParserCtxt, decltype(&xmlSchemaFreeParserCtxt)> parser_;
  std::unique_ptr<xmlSchema, decltype(&xmlSchemaFree)> schema_{nullptr, xmlSchemaFree};
};

// OPENMI_OMI_SCHEMA names the schema that the OpenMI Association publishes, or another one that ours has to agree with;
// without it, ours alone is held against the reader, by a validator that the reader does not use.
TEST(OmiReader, AcceptsAndRefusesWhatAnotherValidatorDoesWithTheOfficialSchema) {
  const char* given = std::getenv("OPENMI_OMI_SCHEMA");
  const std::string official = given == nullptr ? OPENMI_SOURCE_DIR "/schemas/LinkableComponent.xsd" : given;
  const OtherValidator other(official);
  int accepted = 0;
  int refused = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const std::string text = Generator(seed).File();
    const bool valid = other.Accepts(text);
    Problems problems;
    const OmiFile file = ReadOmiText(text, "g.omi", &problems);
    EXPECT_EQ(!HasErrors(problems), valid) << "seed " << seed << ", " << official << "\n" << text;
    EXPECT_EQ(ValidateXml(ReadXml(text, "g.omi"), "LinkableComponent.xsd").empty(), valid)
        << "seed " << seed << ", " << official << "\n"
        << text;
    ++(valid ? accepted : refused);
    // And in the other direction: what we write is what the schema accepts.
    if (valid) {
      EXPECT_TRUE(other.Accepts(OmiText(file))) << "seed " << seed << "\n" << OmiText(file);
    }
  }
  EXPECT_GE(accepted, 50);
  EXPECT_GE(refused, 50);
  RecordProperty("accepted", accepted);
  RecordProperty("refused", refused);
}

}  // namespace
}  // namespace openmi
