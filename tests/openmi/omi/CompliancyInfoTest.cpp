#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "openmi/omi/CompliancyInfo.hpp"
#include "openmi/omi/SchemaValidator.hpp"
#include "openmi/omi/XmlReader.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

CompliancyInfo Example() {
  CompliancyInfo info;
  info.component_name = "Reservoir <test>";
  info.component_version = "1.2";
  info.component_description = "A level pool & its spillway";
  info.component_url = "https://example.org/reservoir";
  info.supplier_name = "A \"supplier\"";
  info.component_free = false;
  info.inputs = {{.id = "inflow", .quantity = "discharge", .unit = "m3 s-1", .dimension = "L3 T-1"}};
  info.outputs = {{.id = "outflow",
                   .quantity = "discharge",
                   .elements = CompliancyItem::Elements{.id = "outlet", .type = "Point", .count = 1},
                   .adaptors = {"linear", "mean-over-span"}},
                  {.id = "level", .quantity = "level", .adaptors = {"linear", "mean-over-span"}},
                  {.id = "volume", .quantity = "volume"}};
  return info;
}

TEST(CompliancyInfo, IsValidAndHoldsEverything) {
  const std::string text = CompliancyText(Example());
  const XmlDocument document = ReadXml(text, "c.xml");
  EXPECT_TRUE(ValidateXml(document, "CompliancyInfo.xsd").empty());
  const XmlElement& general = *document.root.Child("generalSoftwareInfo");
  EXPECT_EQ(general.Child("component")->Get("name"), "Reservoir <test>");
  EXPECT_EQ(general.Child("component")->Child("description")->text, "A level pool & its spillway");
  EXPECT_EQ(general.Child("contactInfo")->Child("supplierName")->text, "A \"supplier\"");
  EXPECT_EQ(general.Child("availability")->Get("component"), "restricted");
  const XmlElement& items = *document.root.Child("supportForOpenMI")->Child("exchangeItems");
  EXPECT_EQ(items.Children("dataOperations").size(), 1U);  // shared by two outputs
  EXPECT_EQ(items.Children("inputExchangeItem").size(), 1U);
  const auto outputs = items.Children("outputExchangeItem");
  ASSERT_EQ(outputs.size(), 3U);
  EXPECT_EQ(outputs[0]->Get("dataOperationsSetId"), "operations-1");
  EXPECT_EQ(outputs[1]->Get("dataOperationsSetId"), "operations-1");
  EXPECT_EQ(outputs[2]->Get("dataOperationsSetId"), "");
  EXPECT_EQ(outputs[0]->Child("elementSet")->Get("count"), "1");
  EXPECT_EQ(outputs[1]->Child("elementSet"), nullptr);
}

TEST(CompliancyInfo, SaysThatItIsNoCertificate) {
  EXPECT_THAT(CompliancyText(Example()), AllOf(HasSubstr("1.4"), HasSubstr("no certificate")));
}

TEST(CompliancyInfo, NamesWhatIsMissing) {
  CompliancyInfo info = Example();
  info.supplier_name.clear();
  EXPECT_THAT([&] { CompliancyText(info); }, ThrowsMessage<FormatError>(HasSubstr("the supplier's name")));
  info = Example();
  info.outputs[0].id.clear();
  EXPECT_THAT([&] { CompliancyText(info); }, ThrowsMessage<FormatError>(HasSubstr("the Id of an exchange item")));
}

TEST(CompliancyInfo, WritesAFileWithoutItemsToo) {
  CompliancyInfo info = Example();
  info.inputs.clear();
  info.outputs.clear();
  EXPECT_TRUE(ValidateXml(ReadXml(CompliancyText(info), "info"), "CompliancyInfo.xsd").empty());
}

TEST(CompliancySchema, RefusesAnUnknownAvailability) {
  std::string text = CompliancyText(Example());
  text.replace(text.find("\"restricted\""), 12, "\"sometimes\"");
  EXPECT_TRUE(HasErrors(ValidateXml(ReadXml(text, "c.xml"), "CompliancyInfo.xsd")));
}

}  // namespace
}  // namespace openmi
