// What files and components are found to be without a run.

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "composition/check/CheckComposition.hpp"
#include "composition/check/DescribeComponent.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/run/RunFixture.hpp"

namespace openmi::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::ThrowsMessage;
using Json = nlohmann::ordered_json;

constexpr const char* kPlugin = OPENMI_BINARY_DIR "/lib/openmi2/libopenmi-components.so";

std::string TextOf(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    text += std::string(SeverityName(problem.severity)) + ": " + FormatProblem(problem) + "\n";
  }
  return text;
}

class Files : public ::testing::Test {
 protected:
  std::filesystem::path Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.Path() / name) << text;
    return folder_.Path() / name;
  }
  std::filesystem::path Omi(const std::string& type, const std::string& assembly = kPlugin,
                            const std::string& arguments = {}) const {
    return Write("it.omi", "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\"\n Type=\"" + type +
                               "\" Assembly=\"" + assembly + "\"><Arguments>" + arguments +
                               "</Arguments></LinkableComponent>");
  }
  std::filesystem::path Composition(const std::string& body) const {
    return Write("it.xml", "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"it\">\n" + body + "</Composition>");
  }
  static std::string Constant(const std::string& id, const std::string& value) {
    return "<Component Id=\"" + id + "\" Type=\"openmi.Constant\" Assembly=\"" + kPlugin + "\">" +
           ArgumentXml("value", value) + "</Component>\n";
  }

  Folder folder_;
};

TEST_F(Files, OmiThatNeedsMoreIsAWarningAndAWrongTypeAnError) {
  EXPECT_THAT(CheckOmi(Omi("openmi.Constant", kPlugin, ArgumentXml("value", "1"))), IsEmpty());
  EXPECT_THAT(TextOf(CheckOmi(Omi("openmi.Constant"))),
              AllOf(HasSubstr("warning: "), HasSubstr("it.omi:"), HasSubstr("needs more arguments to initialize"),
                    HasSubstr("'value'")));
  EXPECT_THAT(TextOf(CheckOmi(Omi("openmi.Constant", kPlugin, ArgumentXml("value", "much")))),
              AllOf(HasSubstr("error: "), HasSubstr("it.omi:"), HasSubstr(".value: "), HasSubstr("'much'")));
  EXPECT_THAT(TextOf(CheckOmi(Omi("openmi.CsvSeries", kPlugin, ArgumentXml("file", "none.csv")))),
              AllOf(HasSubstr("error: "), HasSubstr("it.omi:"), HasSubstr("none.csv"), HasSubstr(".file: ")));
  EXPECT_THAT(TextOf(CheckOmi(Omi("openmi.Konstant"))),
              AllOf(HasSubstr("error: "), HasSubstr("it.omi:2"), HasSubstr("did you mean 'openmi.Constant'?")));
  EXPECT_THAT(TextOf(CheckOmi(folder_.Path() / "nowhere.omi")), AllOf(HasSubstr("error: "), HasSubstr("nowhere.omi")));
}

TEST_F(Files, OmiIsLookedAtWithoutLoadingItsLibrary) {
  EXPECT_THAT(CheckOmiStatic(Omi("openmi.Konstant")), IsEmpty()) << "which types there are only the library knows";
  EXPECT_THAT(TextOf(CheckOmiStatic(Omi("openmi.Constant", "nowhere"))),
              AllOf(HasSubstr("error: "), HasSubstr("it.omi:2"), HasSubstr("'nowhere'")));
  EXPECT_THAT(TextOf(CheckOmiStatic(Omi("openmi.Constant", OPENMI_BINARY_DIR "/lib/libopenmi_core.so"))),
              AllOf(HasSubstr("it.omi:2"), HasSubstr("one that exports openmi_component_library_v1"),
                    HasSubstr("OPENMI_EXPORT_COMPONENT")));
  const std::string plugins = OPENMI_BINARY_DIR "/tests/plugins/";
  EXPECT_THAT(CheckOmiStatic(Omi("Pond", plugins + "libgood_c_plugin.so")), IsEmpty());
  EXPECT_THAT(TextOf(CheckOmiStatic(Omi("Pond", plugins + "libother_version_c_plugin.so"))),
              AllOf(HasSubstr("it.omi:2"), HasSubstr("found version 2")));
  EXPECT_THAT(DescribeStatic(ReadOmiFile(Omi("Pond", plugins + "libgood_c_plugin.so"))), HasSubstr("\"fits\":true"));
  EXPECT_THAT(TextOf(CheckOmiStatic(Write("own.omi",
                                          "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" "
                                          "Type=\"test.Source\"/>"))),
              AllOf(HasSubstr("note: "), HasSubstr("own.omi:1"), HasSubstr("names no Assembly")));
  EXPECT_THAT(TextOf(CheckOmiStatic(Write("bad.omi", "<LinkableComponent"))), HasSubstr("error: "));
}

TEST_F(Files, CompositionIsCheckedAsAWholeOrOneComponentOfIt) {
  const auto path =
      Composition(Constant("good", "1") + Constant("bad", "much") + "<Observe Item=\"good.nothing\"/>" + RunXml());
  const std::string all = TextOf(CheckComposition(path, {}));
  EXPECT_THAT(all, AllOf(HasSubstr("it.xml:3"), HasSubstr("bad"), HasSubstr("'much'"), HasSubstr("'nothing'")));
  EXPECT_THAT(CheckComposition(path, {}, {.without = {"bad"}}), IsEmpty());
  EXPECT_THAT(TextOf(CheckComposition(path, {}, {.without = {"good"}})),
              AllOf(HasSubstr("'much'"), Not(HasSubstr("'nothing'"))));
}

TEST_F(Files, NamesWhatAGroupNeedsOnAnotherHost) {
  Write("rain.csv", "time,rain[mm]\n2000-01-01T00:00Z,1\n2000-01-02T00:00Z,2\n");
  Write("own.omi", "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"test.Source\"/>");
  const std::string series = " Type=\"openmi.CsvSeries\" Assembly=\"" + std::string(kPlugin) + "\">" +
                             ArgumentXml("file", "rain.csv") + "</Component>\n";
  const std::string text = TextOf(CheckComposition(
      Composition("<Component Id=\"a\" Group=\"low\"" + series + "<Component Id=\"b\" Group=\"low\"" + series +
                  "<Component Id=\"c\"" + series + "<Component Id=\"d\" Omi=\"own.omi\" Group=\"high\"/>"),
      {}));
  // The hash is that of sha256sum.
  const std::string rain =
      "rain.csv on its host (sha256 "
      "35c2bd44bacbe6cec3bb88dd1680030fb07d0da90f512674298b2167598e5dfb)";
  EXPECT_THAT(text, AllOf(HasSubstr("it.xml:2: a: group 'low' needs "), HasSubstr(rain),
                          HasSubstr("libopenmi-components.so on its host"), Not(HasSubstr("b: group")),
                          Not(HasSubstr("c: group"))));
  EXPECT_THAT(text, HasSubstr("warning: " + (folder_.Path() / "it.xml").string() +
                              ":5: d: expected a component of a library in group 'high'"));
}

TEST_F(Files, CompositionIsLookedAtWithoutLoadingItsLibraries) {
  Omi("openmi.Constant", "nowhere");
  const auto path = Composition(Constant("a", "1") + Constant("b", "much") +
                                "<Component Id=\"c\" Omi=\"missing.omi\"/>\n<Component Id=\"d\" Omi=\"it.omi\"/>\n"
                                "<Component Id=\"e\" Omi=\"${which}.omi\"/>\n");
  const Problems problems = CheckCompositionStatic(path, {{"which", "it"}});
  EXPECT_EQ(CountProblems(problems, Problem::Error), 2U) << TextOf(problems);
  EXPECT_THAT(TextOf(problems), AllOf(HasSubstr("it.xml:4: c: expected an OMI file, found no '"),
                                      HasSubstr("it.omi:2: expected the library 'nowhere'")));
}

/// One argument that nobody may see, and an output over qualities of the texts that others say.
class Secretive final : public SteppingComponent {
 public:
  Secretive() : SteppingComponent("secretive") {
    AddArgument<std::string>("password", {.caption = "key", .value = "swordfish", .meaning = ArgumentMeaning::Secret});
    AddArgument<double>("share", {.unit = "1", .value = 0.5, .minimum = 0.0, .maximum = 1.0});
    SetDescription("says \xFF and \x1b[31m");
  }

 private:
  void Setup() override { AddOutput("level", "m", {.caption = "Stage", .gives = OutputTime::Instant}); }
  void Step(Stamp, Stamp) override {}
};
OPENMI_EXPORT_COMPONENT_AS("test.Secretive", Secretive)

TEST(Describe, TellsArgumentsItemsUnitsElementsAndTimes) {
  Made made(ComponentXml("a", "Source",
                         ArgumentXml("elements", "polygons p 0 0 2 1 ; q 2 0 3 1") + ArgumentXml("unit", "mm h-1")) +
            RunXml());
  const Json json = Json::parse(DescribeComponent(made.composition->Instances()[0].Component()));
  EXPECT_EQ(json.at("status"), "Valid");
  const Json& output = json.at("outputs").at(0);
  EXPECT_EQ(output.at("id"), "out");
  EXPECT_EQ(output.at("values").at("kind"), "quantity");
  EXPECT_EQ(output.at("values").at("unit").at("caption"), "mm h-1");
  EXPECT_EQ(output.at("values").at("unit").at("dimension"), "L T-1");
  EXPECT_NEAR(output.at("values").at("unit").at("factor_to_si").get<double>(), 1e-3 / 3600, 1e-18);
  EXPECT_EQ(output.at("elements").at("type"), "Polygon");
  EXPECT_EQ(output.at("elements").at("ids"), Json({"p", "q"}));
  EXPECT_EQ(output.at("times").at("has_durations"), true);
  EXPECT_EQ(output.at("times").at("begin"), "2015-12-01T00:00:00Z");
  EXPECT_EQ(output.at("times").at("end"), "2015-12-02T00:00:00Z");
}

TEST(Describe, MasksSecretsAndMendsTexts) {
  Made made(ComponentXml("s", "Secretive") + RunXml());
  IBaseLinkableComponent& component = made.composition->Instances()[0].Component();
  const std::string text = DescribeComponent(component);
  EXPECT_THAT(text, Not(HasSubstr("swordfish")));
  const Json json = Json::parse(text);
  EXPECT_THAT(json.at("description").get<std::string>(), HasSubstr("\xEF\xBF\xBD"));
  for (const IArgument* argument : component.Arguments()) {
    const Json one = Json::parse(DescribeArgument(*argument));
    if (argument->Id() == "password") {
      EXPECT_EQ(one.at("value"), "********");
      EXPECT_EQ(one.at("default"), "********");
      EXPECT_EQ(one.at("is_secret"), true);
    }
    if (argument->Id() == "share") {
      EXPECT_EQ(one.at("value"), 0.5);
      EXPECT_EQ(one.at("minimum"), 0.0);
      EXPECT_EQ(one.at("maximum"), 1.0);
    }
  }
  CompliancyInfo info = CompliancyOf(text);
  EXPECT_EQ(info.component_name, "s");
  EXPECT_THAT(info.component_description, Not(HasSubstr("\x1b")));
  ASSERT_EQ(info.outputs.size(), 1U);
  EXPECT_EQ(info.outputs[0].unit, "m");
  EXPECT_FALSE(info.outputs[0].elements.has_value());
  info.supplier_name = info.component_version = "unknown";
  EXPECT_THAT(CompliancyText(info), HasSubstr("level"));
}

TEST(TryInitialize, KeepsThePlaceThatTheErrorNames) {
  Made made(ComponentXml("a", "Source") + RunXml());
  Problems problems;
  // It is initialized already: the status machine refuses a second time, and names no file.
  OmiFile omi;
  omi.path = "a.omi";
  omi.line = 7;
  TryInitialize(made.composition->Instances()[0].Component(), omi, problems);
  EXPECT_THAT(TextOf(problems), AllOf(HasSubstr("warning: a.omi:7: "), HasSubstr("does not initialize by itself: ")));
}

TEST(OfferedAdaptors, TellsWhatFitsAndWhyTheRestDoesNot) {
  Made made(
      ComponentXml("a", "Source", ArgumentXml("unit", "mm h-1") + ArgumentXml("elements", "areas x 2e6 ; y 3e6")) +
      ComponentXml("s", "Sink", ArgumentXml("unit", "m3 s-1") + ArgumentXml("elements", "x y")) + RunXml());
  const Json json = Json::parse(OfferedAdaptors(*made.composition, {"a", "out"}, {"s", "in"}));
  EXPECT_EQ(json.at("from").at("item"), "a.out");
  EXPECT_EQ(json.at("from").at("elements"), 2);
  EXPECT_EQ(json.at("to").at("unit"), "m3 s-1");
  EXPECT_EQ(json.at("to").at("spans"), true);
  EXPECT_EQ(json.at("units_convert"), false);
  EXPECT_THAT(json.at("advice").get<std::string>(), HasSubstr("times-element-area"));
  std::size_t fitting = 0;
  std::map<std::string, bool> is_fit_over;  // by factory: those that fit come first
  for (const Json& offer : json.at("adaptors")) {
    bool& is_over = is_fit_over[offer.at("factory").get<std::string>()];
    EXPECT_FALSE(is_over && offer.at("fits")) << offer.dump();
    if (!offer.at("fits")) is_over = true;
    EXPECT_EQ(offer.contains("reason"), !offer.at("fits").get<bool>()) << offer.dump();
    EXPECT_FALSE(offer.at("id").get<std::string>().empty());
    EXPECT_TRUE(offer.contains("fits"));
    if (offer.at("fits")) ++fitting;
    if (offer.at("id") == "linear") {
      EXPECT_EQ(offer.at("arguments").at(0).at("id"), "extrapolation");
      EXPECT_EQ(offer.at("fits"), false) << "mm h-1 stays what it is, and does not convert to m3 s-1";
    }
    if (offer.at("id") == "times-element-area") {
      EXPECT_EQ(offer.at("fits"), true);
    }
  }
  EXPECT_GT(json.at("adaptors").size(), fitting);
  const IBaseOutput& output = *made.composition->Instances()[0].Component().Outputs()[0];
  ASSERT_EQ(output.AdaptedOutputs().size(), 1U);  // the output proxy, with nothing on it
  EXPECT_THAT(output.AdaptedOutputs()[0]->AdaptedOutputs(), IsEmpty());
}

TEST(OfferedAdaptors, SuggestsNearNames) {
  Made made(ComponentXml("a", "Source") + ComponentXml("s", "Sink") + ComponentXml("t", "Tonk"));
  EXPECT_THAT(
      [&] {
        OfferedAdaptors(*made.composition, {"a", "oot"}, {"s", "in"});
      },
      ThrowsMessage<RangeError>(AllOf(HasSubstr("expected an output of 'a', found 'oot'"), HasSubstr("'out'"))));
  EXPECT_THAT(
      [&] {
        OfferedAdaptors(*made.composition, {"a", "out"}, {"s", "inn"});
      },
      ThrowsMessage<RangeError>(HasSubstr("expected an input of 's', found 'inn'")));
  EXPECT_THAT(
      [&] {
        OfferedAdaptors(*made.composition, {"b", "out"}, {"s", "in"});
      },
      ThrowsMessage<RangeError>(HasSubstr("expected a component of the composition, found 'b'")));
  EXPECT_EQ(OfferedAdaptors(*made.composition, {"a", "out"}, {"t", "in"}), "") << "it could not be loaded";
}

}  // namespace
}  // namespace openmi::testing
