// Reading realizations and hydrofabrics of ngen, grouping catchments, and how values are passed between modules.

#include <fmt/format.h>

#include "composition/import/ngen/CatchmentGroups.hpp"
#include "composition/import/ngen/ForcingSource.hpp"
#include "composition/import/ngen/ImportNgen.hpp"
#include "composition/import/ngen/UnitPassing.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "tests/composition/import/ImportSupport.hpp"
#include "tests/support/ScratchFolder.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::ngen {
namespace {

using test::Lines;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

constexpr const char* kTime =
    R"("time": {"start_time": "2015-12-01 0:00:00", "end_time": "2015-12-01 05:00:00", "output_interval": 3600})";
constexpr const char* kForcing = R"("forcing": {"path": "forcing", "file_pattern": ".*{{id}}_.*csv"})";

std::string Single(const std::string& config, const std::string& more = {}) {
  return fmt::format(
      R"("formulations": [{{"name": "bmi_c", "params": {{"model_type_name": "bmi_c_store", "library_file": "store", )"
      R"("init_config": "{}", "main_output_variable": "q"{}}}}}], {})",
      config, more, kForcing);
}

class Ngen : public ::testing::Test {
 protected:
  Realization Read(const std::string& text) { return ReadRealizationText(text, "realization.json", problems); }
  Realization ReadAll(const std::string& global, const std::string& catchments = {}) {
    return Read(fmt::format(R"({{"global": {{{}}}, "catchments": {{{}}}, {}}})", global, catchments, kTime));
  }

  /// A hydrofabric of these catchments: id and nexus.
  Hydrofabric Fabric(const std::vector<std::pair<std::string, std::string>>& catchments) {
    std::string features, nexuses;
    for (const auto& [id, nexus] : catchments) {
      features += fmt::format(
          R"({}{{"type": "Feature", "id": "{}", "properties": {{"areasqkm": 2.5, "soil": 7, "toid": "{}"}}, "geometry": null}})",
          features.empty() ? "" : ",", id, nexus);
    }
    nexuses = R"({"type": "Feature", "id": "nex-1", "properties": {"toid": ""}, "geometry": null})";
    folder.Write("catchments.geojson", R"({"type": "FeatureCollection", "features": [)" + features + "]}");
    folder.Write("nexuses.geojson", R"({"type": "FeatureCollection", "features": [)" + nexuses + "]}");
    return ReadHydrofabric(folder / "catchments.geojson", folder / "nexuses.geojson", false, problems);
  }

  void WriteForcing(const std::vector<std::string>& names) {
    std::filesystem::create_directories(folder / "forcing");
    for (const std::string& name : names) {
      folder.Write("forcing/" + name,
                   "time,precip_rate,depth [mm]\n2015-12-01 00:00:00,1,2\n2015-12-01 01:00:00,1,2\n");
    }
  }

  Problems problems;
  ScratchFolder folder{"ngen"};
};

TEST_F(Ngen, ARealizationIsReadWithItsModulesAndTimes) {
  const std::string modules = R"json(
    {"name": "bmi_c++", "params": {"model_type_name": "bmi_c++_one", "library_file": "one.so", "init_config": "/dev/null",
     "model_params": {"k(1,double,m,node)": 0.5, "list": [1, 2.5],
                      "area": {"source": "hydrofabric", "from": "areasqkm"}}}},
    {"name": "bmi_python", "params": {"model_type_name": "two", "python_type": "pack.age.Class",
     "init_config": "{{id}}.yml", "variables_names_map": {"x": "a"}}})json";
  const Realization read =
      Read(fmt::format(R"({{"global": {{"formulations": [{{"name": "bmi_multi", "output_variables": ["b", "a"], )"
                       R"("params": {{"main_output_variable": "b", "modules": [{}]}}}}], {}}}, )"
                       R"("routing": {{"t_route_config_file_with_path": "route.yaml"}}, {}}})",
                       modules, kForcing, kTime));
  EXPECT_THAT(problems, IsEmpty()) << Lines(problems);
  EXPECT_EQ(FormatIsoTime(*read.start), "2015-12-01T00:00:00Z");
  EXPECT_EQ(FormatIsoTime(*read.end), "2015-12-01T05:00:00Z");
  EXPECT_EQ(read.routing, "route.yaml");
  const Formulation& formulation = *read.global->formulation;
  EXPECT_THAT(formulation.outputs, ElementsAre("b", "a"));
  ASSERT_THAT(formulation.modules, SizeIs(2));
  const std::vector<ModelParameter>& parameters = formulation.modules[0].parameters;
  ASSERT_THAT(parameters, SizeIs(3));
  // In the order of their names, as in ngen.
  EXPECT_EQ(parameters[0].property, "areasqkm");
  EXPECT_EQ(parameters[1].name, "k(1,double,m,node)");
  EXPECT_EQ(parameters[2].value, "1 2.5");
  EXPECT_EQ(formulation.modules[1].AliasOf("x"), "a");
  EXPECT_EQ(formulation.modules[1].AliasOf("y"), "y");
}

TEST_F(Ngen, UnknownFormulationsAreOneProblemForAllTheirCatchments) {
  std::string catchments;
  for (int i = 1; i <= 5; ++i) {
    catchments += fmt::format(R"({}"cat-{}": {{"formulations": [{{"name": "tshirt_c", "params": {{"k": 1}}}}], {}}})",
                              i == 1 ? "" : ",", i, kForcing);
  }
  const Realization read = ReadAll(Single("a.cfg"), catchments);
  EXPECT_THAT(read.catchments, SizeIs(5));
  EXPECT_FALSE(read.catchments[0].second.formulation);
  ASSERT_THAT(problems, SizeIs(1)) << Lines(problems);
  EXPECT_THAT(Lines(problems), AllOf(HasSubstr("5 catchments (cat-1, cat-2, cat-3, ...)"), HasSubstr("'tshirt_c'"),
                                     HasSubstr("formulation of BMI modules")));
}

TEST_F(Ngen, WhatIsWrongIsNamedByItsPlace) {
  ReadAll(Single("", R"(, "model_params": {"on": true, "text": "a"}, "wind": 3)"));
  EXPECT_THAT(Lines(problems), AllOf(HasSubstr("global.formulations[0].params: expected 'init_config'"),
                                     HasSubstr("'on', found 'true'"), HasSubstr("left out: 'wind'")));
  EXPECT_THAT([&] { Read("{\"global\": {\n\"formulations\": [}\n}"); },
              ThrowsMessage<FormatError>(HasSubstr("realization.json:2")));
  EXPECT_THAT([&] { Read(std::string("SQLite format 3\0....", 20)); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr("found a database"), HasSubstr("then the hydrofabric"))));
  EXPECT_THAT([&] { ReadHydrofabric("a.gpkg", "nexuses.geojson", false, problems); },
              ThrowsMessage<ArgumentError>(HasSubstr("nexuses.geojson: expected no file of the nexuses beside")));
  EXPECT_THAT([&] { Read(R"({"type": "FeatureCollection"})"); }, ThrowsMessage<FormatError>(HasSubstr("hydrofabric")));
  problems.clear();
  Read(R"({"global": {}, "time": {"start_time": "2015-13-01 00:00:00", "end_time": "soon"}, "layers": []})");
  EXPECT_THAT(Lines(problems), AllOf(HasSubstr("time.start_time"), HasSubstr("'soon'"), HasSubstr("output_interval"),
                                     HasSubstr("layers of the domain")));
}

TEST_F(Ngen, TextThatIsNoRealizationEndsInAnErrorNotInACrash) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  const auto with = [](const std::string& value) {
    std::string text = fmt::format(R"({{"global": {{{}}}, {}}})", Single("CONFIG"), kTime);
    return text.replace(text.find("\"CONFIG\""), 8, value);
  };
  EXPECT_THAT([&] { Read("\n" + with(nested(200'000))); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr("realization.json:2"), HasSubstr("within each other"))));
  EXPECT_THAT([&] { Read(with("1e400")); }, ThrowsMessage<FormatError>(HasSubstr("a larger one")));
  Read(with(nested(90)));
  EXPECT_THAT(Lines(problems), AllOf(HasSubstr("init_config: expected a text, found '[[["), HasSubstr("...'")));
  for (const char* odd : {"\\u0001", "\\uffff"}) {
    EXPECT_THAT(
        [&] { Read(with(fmt::format("\"a{}\"", odd))); },
        ThrowsMessage<FormatError>(HasSubstr("realization.json: expected texts of characters that XML can hold")));
    EXPECT_THAT([&] { Read(fmt::format(R"({{"catchments": {{"{}": 1}}, {}}})", odd, kTime)); },
                ThrowsMessage<FormatError>(HasSubstr("that XML can hold")));
  }
}

TEST_F(Ngen, TheFirstOfTwoEqualKeysCounts) {
  const Realization read = ReadAll(Single("a.cfg", R"(, "model_params": {"k": 1, "k": {"k": 2, "k": 3}, "j": 4})"),
                                   fmt::format(R"("cat-1": {{{}}}, "cat-1": {{"formulations": []}})", Single("b.cfg")));
  EXPECT_EQ(
      Lines(problems),
      "warning: realization.json: expected each key once in an object, found 'cat-1' again; the first one counts, "
      "as in ngen: remove the other\n"
      "warning: realization.json: expected each key once in an object, found 'k' again; the first one counts, as "
      "in ngen: remove the other\n");
  ASSERT_THAT(read.catchments, SizeIs(1));
  EXPECT_EQ(read.catchments[0].second.formulation->modules[0].config, "b.cfg");
  const std::vector<ModelParameter>& parameters = read.global->formulation->modules[0].parameters;
  ASSERT_THAT(parameters, SizeIs(2));
  EXPECT_EQ(parameters[1].value, "1");
}

TEST_F(Ngen, TextsThatAreNumbersAreNumbers) {
  const std::string text =
      fmt::format(R"({{"global": {{{}}}, {}}})", Single("a.cfg", R"(, "model_params": {"k": "2.5"})"),
                  R"("time": {"start_time": "2015-12-01 00:00:00", )"
                  R"("end_time": "2015-12-01 05:00:00", "output_interval": "1800"})");
  const Realization read = Read(text);
  EXPECT_THAT(problems, IsEmpty()) << Lines(problems);
  EXPECT_EQ(read.interval_seconds, 1800.0);
  EXPECT_EQ(read.global->formulation->modules[0].parameters.at(0).value, "2.5");
  for (const char* wrong : {"-3600", "0.5", "1e300", "\"an hour\""}) {
    problems.clear();
    std::string other = text;
    Read(other.replace(other.find("\"1800\""), 6, wrong));
    EXPECT_THAT(Lines(problems), AllOf(HasSubstr("expected a whole number of seconds above 0, found '"))) << wrong;
  }
}

TEST_F(Ngen, ListsAndObjectsOfAnotherTypeAreReported) {
  ReadAll(Single("a.cfg", R"(, "output_variables": "q")"));
  ReadAll(Single("a.cfg", R"(, "variables_names_map": ["rain"])"));
  ReadAll(Single("a.cfg", R"(, "variables_names_map": {"rain": 3})"));
  ReadAll(Single("a.cfg", R"(, "model_params": -1, "default_output_values": [{"name": "r"}, "r"])"));
  Read(fmt::format(R"({{"catchments": [1], {}}})", kTime));
  EXPECT_THAT(Lines(problems), AllOf(HasSubstr("output_variables: expected a list of names, found 'q'"),
                                     HasSubstr("variables_names_map: expected an object, found '[\"rain\"]'"),
                                     HasSubstr("variables_names_map.rain: expected a text, found '3'"),
                                     HasSubstr("model_params: expected an object, found '-1'"),
                                     HasSubstr("expected a name with a number, found '{\"name\":\"r\"}'"),
                                     HasSubstr("expected a name with a number, found 'r'"),
                                     HasSubstr("catchments: expected an object, found '[1]'")));
}

TEST_F(Ngen, FormulationsOfStrangersThatOnlyLookEqualAreNotOneGroup) {
  const Hydrofabric fabric = Fabric({{"cat-1", "nex-1"}, {"cat-2", "nex-1"}});
  WriteForcing({"cat-1_.csv", "cat-2_.csv"});
  const auto module = [](const std::string& library) {
    return fmt::format(
        R"({{"name": "bmi_c", "params": {{"model_type_name": "m", "library_file": "{}", "init_config": "a.cfg"}}}})",
        library);
  };
  const auto multi = [](const std::string& modules) {
    return fmt::format(
        R"({{"formulations": [{{"name": "bmi_multi", "params": {{"main_output_variable": "q", "modules": [{}]}}}}], {}}})",
        modules, kForcing);
  };
  // With the parts of a formulation joined by a character, the library of one would read as two modules of the other.
  const std::string two = module("l") + "," + module("l");
  const std::string one = module("other");
  Realization realization =
      ReadAll(Single("a.cfg"), fmt::format(R"("cat-1": {}, "cat-2": {})", multi(two), multi(one)));
  realization.catchments[1].second.formulation->modules[0].library =
      "l\x1f\x1f\x1f"
      "bmi_c\x1fm\x1fl";
  problems.clear();
  EXPECT_THAT(GroupCatchments(realization, fabric, folder / ".", problems).groups, SizeIs(2)) << Lines(problems);
}

TEST_F(Ngen, AGlobalPartWithoutFormulationsIsMissedWhereItIsNeeded) {
  const Hydrofabric fabric = Fabric({{"cat-1", "nex-1"}, {"cat-2", "nex-1"}});
  WriteForcing({"cat-1_.csv", "cat-2_.csv"});
  const std::string own = fmt::format("{{{}}}", Single("a.cfg"));
  const Realization all = ReadAll("", fmt::format(R"("cat-1": {}, "cat-2": {})", own, own));
  EXPECT_THAT(GroupCatchments(all, fabric, folder / ".", problems).groups, SizeIs(1));
  EXPECT_THAT(problems, IsEmpty()) << Lines(problems);
  const Realization one = ReadAll("", fmt::format(R"("cat-1": {})", own));
  GroupCatchments(one, fabric, folder / ".", problems);
  EXPECT_THAT(Lines(problems),
              HasSubstr("1 catchment (cat-2): expected a formulation, found none, and no 'global' one"));
}

TEST_F(Ngen, CatchmentsWithoutAnAreaAreOneProblem) {
  Fabric({{"cat-1", "nex-1"}, {"cat-2", "nex-1"}, {"cat-3", "nex-1"}});
  EXPECT_THAT(problems, IsEmpty()) << Lines(problems);
  std::string text = folder.Read("catchments.geojson");
  for (const char* area : {"-1", "\"ten\""}) text.replace(text.find("2.5"), 3, area);
  folder.Write("catchments.geojson", text);
  ReadHydrofabric(folder / "catchments.geojson", folder / "nexuses.geojson", false, problems);
  EXPECT_THAT(Lines(problems), HasSubstr("areasqkm: 2 catchments (cat-1, cat-2): expected an area above 0 km2"));
}

TEST_F(Ngen, CatchmentsThatDifferInValuesAreOneGroup) {
  const Hydrofabric fabric = Fabric({{"cat-1", "nex-1"}, {"cat-2", "nex-1"}, {"cat-3", "nex-1"}, {"cat-4", "nex-1"}});
  WriteForcing({"a_cat-1_2015.csv", "a_cat-2_2015.csv", "a_cat-3_2015.csv", "a_cat-4_2015.csv", "a_cat-41_2015.csv"});
  const Realization realization = ReadAll(
      Single("conf/{{id}}.cfg", R"(, "model_params": {"k": 1})"),
      fmt::format(R"("cat-2": {{{}}}, "cat-3": {{{}}}, "cat-9": {{{}}})",
                  Single("conf/cat-2.cfg", R"(, "model_params": {"k": 2})"), Single("own.cfg"), Single("own.cfg")));
  const GroupedCatchments grouped = GroupCatchments(realization, fabric, folder / ".", problems);
  EXPECT_THAT(Lines(problems), AllOf(HasSubstr("cat-9"), HasSubstr("not in the hydrofabric")));
  ASSERT_THAT(grouped.groups, SizeIs(2)) << Lines(problems);
  EXPECT_THAT(grouped.groups[0].rows, ElementsAre(0, 1, 3));
  ASSERT_THAT(grouped.sources, SizeIs(1));
  EXPECT_THAT(grouped.sources[0].files, SizeIs(4));

  // The configurations have one pattern, although one is written out; the parameter needs a column.
  const GroupTable table = TableOf(grouped.groups[0], fabric, "formulation.csv", "/ngen", problems);
  EXPECT_THAT(table.configs, ElementsAre("/ngen/conf/{{id}}.cfg"));
  EXPECT_THAT(table.parameters, ElementsAre("k={{parameter-1-1}}"));
  EXPECT_EQ(table.text, "id,areasqkm,parameter-1-1\ncat-1,2.5,1\ncat-2,2.5,2\ncat-4,2.5,1\n");
  const GroupTable other = TableOf(grouped.groups[1], fabric, "formulation-2.csv", "/ngen", problems);
  EXPECT_THAT(other.configs, ElementsAre("/ngen/own.cfg"));
  EXPECT_EQ(other.text, "id,areasqkm\ncat-3,2.5\n");
}

TEST_F(Ngen, AGroupOfAllCatchmentsNeedsNoTableOfItsOwn) {
  const Hydrofabric fabric = Fabric({{"cat-1", "nex-1"}, {"cat-2", "nex-1"}});
  WriteForcing({"cat-1_.csv", "cat-2_.csv"});
  const Realization realization =
      ReadAll(Single("{{id}}.cfg", R"(, "model_params": {"k": {"source": "hydrofabric", "from": "soil"}})"));
  const GroupedCatchments grouped = GroupCatchments(realization, fabric, folder / ".", problems);
  ASSERT_THAT(grouped.groups, SizeIs(1)) << Lines(problems);
  const GroupTable table = TableOf(grouped.groups[0], fabric, "formulation.csv", "/ngen", problems);
  EXPECT_THAT(table.text, IsEmpty());
  EXPECT_THAT(table.table.of, HasSubstr("catchments.geojson"));
  EXPECT_THAT(table.parameters, ElementsAre("k={{soil}}"));
  const Realization unknown =
      ReadAll(Single("{{id}}.cfg", R"(, "model_params": {"k": {"source": "hydrofabric", "from": "soill"}})"));
  TableOf(GroupCatchments(unknown, fabric, folder / ".", problems).groups[0], fabric, "f.csv", "/ngen", problems);
  EXPECT_THAT(Lines(problems), AllOf(HasSubstr("'soill'"), HasSubstr("did you mean 'soil'")));
}

TEST_F(Ngen, ForcingThatDoesNotExistIsOneProblem) {
  const Hydrofabric fabric = Fabric({{"cat-1", "nex-1"}, {"cat-2", "nex-1"}, {"cat-3", "nex-9"}});
  EXPECT_THAT(Lines(problems), AllOf(HasSubstr("cat-3"), HasSubstr("nexus downstream does not exist")));
  WriteForcing({"cat-1_.csv", "b_cat-1_.csv"});
  const GroupedCatchments grouped = GroupCatchments(ReadAll(Single("a.cfg")), fabric, folder / ".", problems);
  EXPECT_THAT(grouped.groups, SizeIs(1));
  EXPECT_THAT(Lines(problems), AllOf(HasSubstr("2 catchments (cat-2, cat-3): expected a file whose name fits"),
                                     HasSubstr("1 catchment (cat-1): several files fit")));
  EXPECT_THAT(grouped.sources[0].files[0].second, HasSubstr("/b_cat-1_.csv"));
}

TEST_F(Ngen, PatternsOfStrangersAreRefusedNotFollowed) {
  const Hydrofabric fabric = Fabric({{"cat-1", "nex-1"}});
  WriteForcing({"cat-1_.csv"});
  Realization realization = ReadAll(Single("a.cfg"));
  realization.global->forcing.pattern = "(((";
  EXPECT_THAT(GroupCatchments(realization, fabric, folder / ".", problems).groups, IsEmpty());
  EXPECT_THAT(Lines(problems), HasSubstr("expected a regular expression"));
  problems.clear();
  std::string any;
  for (int i = 0; i < 40; ++i) any += ".*";
  const std::pair<std::string, std::string> refused[] = {
      {std::string(100'000, '(') + "{{id}}" + std::string(100'000, ')'), "of at most 200 characters"},
      {"((a?){9999}){9}{{id}}",
       "without '(?' and without '{' other than '{{id}}' in 'file_pattern', found '((a?){9999}){9}{{id}}'"},
      {"(?=" + any + "(?=" + any + "x))", "without '(?' and without '{' other than '{{id}}' in 'file_pattern'"},
      {"(a)\\1{{id}}", "references to earlier groups"}};
  for (const auto& [pattern, sentence] : refused) {
    realization.global->forcing.pattern = pattern;
    EXPECT_THAT(GroupCatchments(realization, fabric, folder / ".", problems).groups, IsEmpty());
    EXPECT_THAT(Lines(problems), HasSubstr(sentence));
    problems.clear();
  }
  realization.global->forcing.pattern.clear();
  EXPECT_THAT(GroupCatchments(realization, fabric, folder / ".", problems).groups, IsEmpty());
  EXPECT_THAT(Lines(problems), HasSubstr("found a folder; add 'file_pattern'"));
  problems.clear();
  realization.global->forcing.provider = "ForcingsEngineLumpedDataProvider";
  EXPECT_THAT(GroupCatchments(realization, fabric, folder / ".", problems).groups, IsEmpty());
  EXPECT_THAT(Lines(problems), HasSubstr("'ForcingsEngineLumpedDataProvider'"));
}

TEST_F(Ngen, APatternThatOthersTryInEveryWayTakesNoTime) {
  const Hydrofabric fabric = Fabric({{"cat-1", "nex-1"}});
  const std::string name = std::string(200, 'a') + "_cat-1_.csv";
  WriteForcing({name.c_str()});
  Realization realization = ReadAll(Single("a.cfg"));
  for (const char* pattern :
       {"(.*.*.*.*.*.*.*.*.*.*.*.*)*x{{id}}_.*csv", "((a|a|aa)*)*x{{id}}", "(((a*)+)+)+_{{id}}x"}) {
    realization.global->forcing.pattern = pattern;
    EXPECT_THAT(GroupCatchments(realization, fabric, folder / ".", problems).groups, IsEmpty());
    EXPECT_THAT(Lines(problems), HasSubstr("expected a file whose name fits"));
    problems.clear();
  }
  realization.global->forcing.pattern = "((a|a|aa)*)*_{{id}}_\\.(csv|txt)";
  EXPECT_THAT(GroupCatchments(realization, fabric, folder / ".", problems).groups, SizeIs(1)) << Lines(problems);
}

TEST_F(Ngen, ColumnsOfForcingHaveTheNamesAndUnitsThatNgenKnows) {
  WriteForcing({"cat-1_.csv"});
  ForcingSource source;
  source.files.emplace_back("cat-1", folder / "forcing/cat-1_.csv");
  ReadCsvVariables(source);
  EXPECT_EQ(source.time_column, "time");
  EXPECT_EQ(source.variables.at("precip_rate").unit, "mm s-1");
  EXPECT_EQ(source.variables.at("atmosphere_water__liquid_equivalent_precipitation_rate").column, "precip_rate");
  EXPECT_EQ(source.variables.at("depth").unit, "mm");
}

TEST(NgenUnits, ArePassedAsNgenDoes) {
  EXPECT_EQ(PassingOf("mm s-1", "mm h-1"), Passing::Kept);  // both convert
  EXPECT_EQ(PassingOf("m", "m"), Passing::Kept);
  EXPECT_EQ(PassingOf("none", "1"), Passing::Kept);
  EXPECT_EQ(PassingOf("K", "unitless"), Passing::Plain);
  EXPECT_EQ(PassingOf("kg m-2", "mm"), Passing::Failed);
  EXPECT_EQ(PassingOf("1", "m"), Passing::Failed);
  EXPECT_EQ(PassingOf("furlongs of rain", "m"), Passing::Failed);
  EXPECT_EQ(PassingOf("min", "Hz"), Passing::Inverted);
  EXPECT_EQ(AdaptorFor(Passing::Inverted, "min", "Hz").arguments[0].value, "1/(60*x)");
  EXPECT_EQ(AdaptorFor(Passing::Failed, "kg m-2", "mm").arguments[0].value, "x");
  EXPECT_EQ(AdaptorFor(Passing::Plain, "K", "-").arguments[1].value, "1");
}

class NgenComposition : public Ngen {
 protected:
  NgenComposition() {
    WriteForcing({"cat-1_.csv", "cat-2_.csv"});
    folder.Write("store.so", "no library: nothing loads it");
    folder.Write("a.cfg", "table = ./tables/soil.txt\n");
    options.id = "made";
    options.root = folder / ".";
    options.named = [](const std::filesystem::path& path) { return path.string(); };
    options.describe = [this](const OmiFile& omi, const std::string&, Problems&) {
      asked.push_back(omi);
      return std::optional(ModuleItems{.inputs = inputs, .outputs = outputs, .step_seconds = step});
    };
  }

  NgenImport Make(const Realization& realization) {
    return ImportNgen(realization, Fabric({{"cat-1", "nex-1"}, {"cat-2", "nex-1"}}), options, problems);
  }

  NgenOptions options;
  std::vector<ModuleItem> inputs = {{.id = "rain", .unit = "mm h-1", .count = 1}};
  std::vector<ModuleItem> outputs = {{.id = "q", .unit = "mm", .count = 1}, {.id = "s", .unit = "m", .count = 1}};
  double step = 3600.0;
  std::vector<OmiFile> asked;
};

TEST_F(NgenComposition, HasWhatIsLinkedAndObservedAlone) {
  const NgenImport made =
      Make(ReadAll(Single("a.cfg", R"(, "variables_names_map": {"rain": "precip_rate"}, "output_variables": ["s"])")));
  EXPECT_FALSE(HasErrors(problems)) << Lines(problems);
  ASSERT_THAT(asked, SizeIs(1));
  EXPECT_EQ(asked[0].Argument("config-file")->value, (folder / "a.cfg"));
  const std::string text = CompositionText(made.file);
  EXPECT_THAT(text, AllOf(HasSubstr("<Argument Key=\"outputs\" Value=\"q;s\"/>"), HasSubstr("Value=\"q;rain;s\""),
                          HasSubstr("<Link From=\"forcing.precip_rate\" To=\"store.rain\">"),
                          HasSubstr("&quot;precip_rate&quot;[mm s-1]"), HasSubstr("<Observe Item=\"store.s\"/>"),
                          Not(HasSubstr("<Observe Item=\"store.q\"/>")), Not(HasSubstr("depth"))));
  // The runoff in mm becomes m, as ngen asks for it.
  EXPECT_THAT(text, HasSubstr("<Adaptor Id=\"unit-conversion\">\n      <Argument Key=\"unit\" Value=\"m\"/>"));
  EXPECT_THAT(text, HasSubstr("<Run From=\"2015-12-01T00:00:00Z\" To=\"2015-12-01T06:00:00Z\"/>"));
}

TEST_F(NgenComposition, GivesAModelTheFolderOfNgenIfItsConfigurationNamesAPathThere) {
  Make(ReadAll(Single("a.cfg", R"(, "variables_names_map": {"rain": "precip_rate"})")));
  EXPECT_EQ(asked.at(0).Argument("working-directory"), nullptr);
  std::filesystem::create_directories(folder / "tables");
  folder.Write("tables/soil.txt", "");
  Make(ReadAll(Single("a.cfg", R"(, "variables_names_map": {"rain": "precip_rate"})")));
  ASSERT_NE(asked.at(1).Argument("working-directory"), nullptr);
}

TEST_F(NgenComposition, MakesAStepOfNgenInOneCall) {
  const Realization realization = ReadAll(Single("a.cfg", R"(, "variables_names_map": {"rain": "precip_rate"})"));
  // update, if that is the step of the model; else update_until.
  EXPECT_THAT(CompositionText(Make(realization).file), Not(HasSubstr("update-until")));
  step = 300.0;
  EXPECT_THAT(CompositionText(Make(realization).file), HasSubstr("<Argument Key=\"update-until\" Value=\"always\"/>"));
}

TEST_F(NgenComposition, WritesNoFileOutsideItsFolder) {
  std::string text = Single("a.cfg");
  text.replace(text.find("bmi_c_store"), 11, "/etc/../evil");
  const NgenImport made = Make(ReadAll(text));
  for (const auto& [name, content] : made.files) EXPECT_THAT(name, Not(HasSubstr("/")));
  EXPECT_THAT(CompositionText(made.file), HasSubstr("Omi=\"-etc----evil.omi\""));
  // Names of files may have 255 bytes.
  std::string many;
  for (int i = 0; i < 100; ++i) many += "\u00e9\u2713";
  text.replace(text.find("/etc/../evil"), 12, many);
  for (const auto& [name, content] : Make(ReadAll(text)).files) {
    EXPECT_LE(name.size(), 110U);
    EXPECT_EQ(FindInvalidUtf8(name), std::string::npos);
  }
}

TEST_F(NgenComposition, EndsWithTheLastWholeStep) {
  std::string text = fmt::format(R"({{"global": {{{}}}, {}}})", Single("a.cfg"), kTime);
  text.replace(text.find("05:00:00"), 8, "05:40:00");
  EXPECT_THAT(CompositionText(Make(Read(text)).file), HasSubstr("To=\"2015-12-01T06:00:00Z\"/>"));
  // Without steps there is no run, which was reported.
  text.replace(text.find("2015-12-01 05:40:00"), 19, "2014-12-01 05:40:00");
  EXPECT_THAT(CompositionText(Make(Read(text)).file), Not(HasSubstr("<Run")));
  EXPECT_THAT(Lines(problems), HasSubstr("expected an end after the start"));
}

TEST_F(NgenComposition, DoesNotBalanceWindAsIfItWereRain) {
  inputs.push_back({.id = "UU", .unit = "m s-1", .count = 1});
  for (const char* name : {"cat-1_.csv", "cat-2_.csv"}) {
    folder.Write(std::string("forcing/") + name, "time,precip_rate,UGRD_10maboveground\n2015-12-01 00:00:00,1,2\n");
  }
  const std::string text = CompositionText(
      Make(ReadAll(Single("a.cfg", R"(, "variables_names_map": {"rain": "precip_rate", "UU": "UGRD_10maboveground"})")))
          .file);
  EXPECT_THAT(text, AllOf(HasSubstr("To=\"store.UU\" Balance=\"no\""), HasSubstr("To=\"store.rain\">")));
}

TEST_F(NgenComposition, NamesInputsThatNothingGives) {
  inputs.push_back({.id = "wind", .unit = "m s-1", .count = 1});
  inputs.push_back({.id = "layers", .unit = "m", .count = 4});
  Make(ReadAll(
      Single("a.cfg", R"(, "variables_names_map": {"rain": "precip_rat", "layers": "depth", "wnd": "depth"})")));
  EXPECT_THAT(Lines(problems),
              AllOf(HasSubstr("variables_names_map has 'wnd', which is no variable of the module"),
                    HasSubstr("store.rain: expected 'precip_rat'"), HasSubstr("did you mean 'precip_rate'"),
                    HasSubstr("store.wind"), HasSubstr("store.layers: expected 4 values, found 1")));
}

TEST_F(NgenComposition, RefusesAReplacementOfALibraryThatIsNotThere) {
  options.libraries["stor"] = folder / "store.so";
  EXPECT_THAT([&] { Make(ReadAll(Single("a.cfg"))); }, ThrowsMessage<ArgumentError>(HasSubstr("'stor'")));
}

}  // namespace
}  // namespace openmi::ngen
