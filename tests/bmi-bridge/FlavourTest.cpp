// Each way of handing a model over, against the same model driven by hand.

#include <dlfcn.h>

#include <cstring>

#include "bmi-bridge/abi/bmi.h"
#include "openmi/omi/SafeProbe.hpp"
#include "tests/bmi-bridge/BmiFixture.hpp"
#include "timespace/testing/TableComponent.hpp"

namespace openmi::bmi {
namespace {

using testing::HasSubstr;

constexpr int kSteps = 40;
constexpr const char* kPlate = "20 10 0.5 100\n";

/// The temperature of the edge in a step.
double EdgeAt(int step) {
  return 80.0 + step % 7;
}

/// The rows that the library in C gives when it is driven by nobody but the test.
std::vector<std::vector<double>> RowsByHand(const std::string& config) {
  void* const handle = dlopen(ExampleLibrary("heat_c").c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(handle, nullptr) << dlerror();
  Bmi bmi = {};
  reinterpret_cast<Bmi* (*)(Bmi*)>(dlsym(handle, "register_bmi_heat"))(&bmi);
  EXPECT_EQ(bmi.initialize(&bmi, config.c_str()), 0);
  std::vector<std::vector<double>> rows;
  for (int step = 0; step < kSteps; ++step) {
    double edge = EdgeAt(step);
    bmi.set_value(&bmi, "plate_edge__temperature", &edge);
    bmi.update(&bmi);
    rows.emplace_back(200);
    bmi.get_value(&bmi, "plate_surface__temperature", rows.back().data());
  }
  bmi.finalize(&bmi);
  dlclose(handle);
  return rows;
}

struct Way {
  const char* library;
  const char* hand_over;
  bool is_old = false;  // names no units, grids or edges apart
};

class Flavours : public testing::TestWithParam<Way> {};

TEST_P(Flavours, GiveWhatTheModelGivesToTheLastBit) {
  const ScratchFolder folder("bmi");
  const std::string config = folder.Write("plate.cfg", kPlate);
  const std::string name = GetParam().library;
  const bool is_example = name == "heat_c" || name == "heat_cxx" || name == "heat_fortran";
  Bench bench(is_example ? ExampleLibrary(name) : TestLibrary(name), {{"working-directory", folder.Path()}});
  if (name != "heat_block") bench.driver.Set("config-file", config);
  const bool is_block = name == "heat_block";
  if (GetParam().is_old) {
    bench.driver.Set("inputs", "plate_edge__temperature").Set("outputs", "plate_surface__temperature");
  }
  if (GetParam().is_old || is_block) {
    bench.driver.Set("units", is_block ? "PLATE/plate_edge__temperature=K" : "plate_edge__temperature=K");
  }
  bench.driver.Initialize();
  EXPECT_THAT(bench.component.Description(), HasSubstr(GetParam().hand_over));
  ASSERT_EQ(bench.component.Outputs().size(), 1u);
  EXPECT_EQ(bench.Output().Id(), is_block ? "PLATE/plate_surface__temperature" : "plate_surface__temperature");
  ASSERT_EQ(bench.component.Inputs().size(), 1u);

  const Stamp begin{58849.0};
  std::vector<TableRow> table;
  for (int step = -1; step < kSteps; ++step) {
    table.push_back({.begin = begin + Seconds(0.5 * (step + 1)), .values = {EdgeAt(std::max(step, 0))}});
  }
  NumericInput& input = bench.Input();
  TableComponent edge(table, "K");
  Driver of_edge(edge);
  of_edge.Initialize();
  edge.Output().AddConsumer(input);
  EXPECT_TRUE(bench.driver.Validate()) << testing::PrintToString(bench.driver.Messages());
  of_edge.Prepare();
  bench.driver.Prepare();
  EXPECT_EQ(bench.Row(), std::vector<double>(200, 0.0));
  int step = 0;
  for (const std::vector<double>& expected : RowsByHand(config)) {
    bench.driver.Update();
    const std::vector<double> row = bench.Row();
    ASSERT_EQ(row.size(), expected.size());
    ASSERT_EQ(std::memcmp(row.data(), expected.data(), row.size() * sizeof(double)), 0) << "step " << step;
    ++step;
    EXPECT_NEAR(bench.driver.Now().mjd, (begin + Seconds(0.5 * step)).mjd, 1e-11);
  }
  bench.driver.Finish();
  edge.Output().RemoveConsumer(input);
}

INSTANTIATE_TEST_SUITE_P(All, Flavours,
                         testing::Values(Way{"heat_c", "C struct, by register_bmi_heat"},
                                         Way{"heat_cxx", "C++ object, by bmi_model_create"},
                                         Way{"heat_fortran", "integer handle of Fortran, by bmi_new"},
                                         Way{"heat_box", "boxed handle of Fortran, by register_bmi"},
                                         Way{"heat_flat", "functions without a handle"},
                                         Way{"heat_block", "functions without a handle"},
                                         Way{"heat_old", "functions without a handle", true}),
                         [](const auto& way) { return std::string(way.param.library); });

TEST(Flavour, SeveralModelsOfALibraryAreApart) {
  for (const std::string name : {"heat_c", "heat_cxx", "heat_fortran"}) {
    const ScratchFolder folder("bmi");
    const std::string config = folder.Write("plate.cfg", kPlate);
    Bench first(ExampleLibrary(name), {{"config-file", config}});
    Bench second(ExampleLibrary(name), {{"config-file", config}});
    for (Bench* bench : {&first, &second}) {
      bench->driver.Initialize();
      bench->driver.Prepare();
    }
    for (int i = 0; i < 10; ++i) first.driver.Update();
    for (int i = 0; i < 5; ++i) second.driver.Update();
    EXPECT_NE(first.Row(), second.Row()) << name;
    for (int i = 0; i < 5; ++i) second.driver.Update();
    EXPECT_EQ(first.Row(), second.Row()) << name;
    first.driver.Finish();
    second.driver.Update();
    second.driver.Finish();
  }
}

TEST(Flavour, AModelWithoutAHandleExistsOnce) {
  const ScratchFolder folder("bmi");
  const Bench::Arguments arguments = {{"config-file", folder.Write("plate.cfg", kPlate)}};
  Bench first(TestLibrary("heat_flat"), arguments);
  first.driver.Initialize();
  {
    Bench second(TestLibrary("heat_flat"), arguments);
    try {
      second.driver.Initialize();
      FAIL() << "expected a refusal";
    } catch (const LoadError& error) {
      EXPECT_THAT(error.what(), HasSubstr("functions without a handle"));
      EXPECT_THAT(error.Remedy(), HasSubstr("Isolation=\"instance\""));
    }
  }
  first.driver.Prepare();
  first.driver.Update();
  first.driver.Finish();
  Bench third(TestLibrary("heat_flat"), arguments);
  EXPECT_NO_THROW(third.driver.Initialize());

  const Bench::Arguments one = {{"config-file", arguments.at("config-file")}, {"instances", "one"}};
  Bench only(ExampleLibrary("heat_c"), one);
  only.driver.Initialize();
  Bench other(ExampleLibrary("heat_c"), one);
  EXPECT_THROW(other.driver.Initialize(), LoadError);
}

TEST(Flavour, ALibraryIsCalledBySeveralThreadsWhereItsFileSaysThatItIsReentrant) {
  const ScratchFolder folder("bmi");
  const std::string config = folder.Write("plate.cfg", kPlate);
  Bench silent(ExampleLibrary("heat_c"), {{"config-file", config}});
  silent.driver.Initialize();
  EXPECT_FALSE(silent.component.IsThreadSafe());
  Bench reentrant(ExampleLibrary("heat_c"), {{"config-file", config}, {"reentrant", "true"}});
  reentrant.driver.Initialize();
  EXPECT_TRUE(reentrant.component.IsThreadSafe());
  Bench both(ExampleLibrary("heat_c"), {{"config-file", config}, {"reentrant", "true"}, {"instances", "one"}});
  EXPECT_THROW(both.driver.Initialize(), ArgumentError);
}

TEST(Flavour, IsolationGivesASecondModelWithoutAHandle) {
  const ScratchFolder folder("bmi");
  folder.Write("plate.cfg", kPlate);
  std::string components;
  std::string observed;
  for (const std::string id : {"a", "b"}) {
    components += "<Component Id=\"" + id +
                  R"(" Type="openmi.bmi.Model" Assembly="openmi-bmi-bridge" Isolation="instance">
  <Argument Key="library" Value=")" +
                  TestLibrary("heat_flat") + R"("/>
  <Argument Key="config-file" Value="plate.cfg"/></Component>)";
    observed += "<Observe Item=\"" + id + ".plate_surface__temperature\" Elements=\"105\"/>";
  }
  const std::string file =
      folder.Write("two.xml", "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"two\">" + components + observed +
                                  R"(<Run From="2020-01-01T00:00:00Z" To="2020-01-01T00:00:20Z"/></Composition>)");
  ChildLimits limits;
  limits.time = std::chrono::minutes(1);
  const ChildResult run = RunInChild(
      {std::string(OPENMI_BINARY_DIR) + "/bin/openmi", "run", file, "--results", folder.Path().string(), "--quiet"},
      limits);
  ASSERT_EQ(run.exit_code, 0) << run.out << run.err;
  const std::string csv = folder.Read("two.csv");
  const std::string last = csv.substr(csv.rfind("2020-01-01T00:00:20Z"));
  const std::string a = last.substr(21, last.find(',', 21) - 21);
  EXPECT_THAT(last, HasSubstr("," + a + "," + a)) << "both are the same plate";
  EXPECT_GT(std::stod(a), 0.0);
}

TEST(Flavour, TheExampleGivesTheSameInThreeLanguages) {
  const ScratchFolder folder("bmi");
  ChildLimits limits;
  limits.time = std::chrono::minutes(1);
  const ChildResult run =
      RunInChild({std::string(OPENMI_BINARY_DIR) + "/bin/openmi", "run",
                  OPENMI_SOURCE_DIR "/examples/bmi-heat/heat.xml", "--results", folder.Path().string(), "--quiet"},
                 limits);
  ASSERT_EQ(run.exit_code, 0) << run.out << run.err;
  std::istringstream csv(folder.Read("heat.csv"));
  int rows = 0;
  for (std::string line; std::getline(csv, line);) {
    if (!line.starts_with("2020")) continue;
    ++rows;
    const std::string values = line.substr(line.find(',') + 1);  // two nodes of each plate
    const std::string one = values.substr(0, (values.size() - 2) / 3);
    EXPECT_EQ(values, one + "," + one + "," + one) << line;
  }
  EXPECT_EQ(rows, 121);
}

}  // namespace
}  // namespace openmi::bmi
