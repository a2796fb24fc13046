// Initial values of FMUs that are linked to each other.
#include "fmi-bridge/fmi/component/Fmu.hpp"
#include "tests/composition/run/RunFixture.hpp"
#include "tests/fmi-bridge/run/ExampleFmu.hpp"
#include "tests/support/ScratchFolder.hpp"
#include "timespace/SteppingComponent.hpp"

namespace openmi::fmi {
namespace {

using testing::AdaptorXml;
using ::testing::AllOf;
using testing::ArgumentXml;
using testing::ComponentXml;
using testing::ErrorsOf;
using ::testing::HasSubstr;
using testing::LinkXml;
using testing::Made;

/// An example FMU of a version. \param more  attributes
std::string Model(const std::string& id, int version, const std::string& name, const std::string& arguments = {},
                  const std::string& more = {}) {
  return "<Component Id=\"" + id + "\" Type=\"openmi.fmi.Fmu\" Assembly=\"openmi-fmi-bridge\" " + more + ">" +
         ArgumentXml("fmu", ExamplePath(version, name).string()) + ArgumentXml("time-step", "PT0.1S") + arguments +
         "</Component>\n";
}

/// A plain component: 4 at the start, 5 afterwards; as spans nothing at the start.
class Giver final : public SteppingComponent {
 public:
  Giver() : SteppingComponent("giver", "PT0.1S") {
    instants_ = AddOutput("instants", "1", {.initial = 4.0});
    spans_ = AddOutput("spans", "1", {.gives = OutputTime::Span});
  }

 private:
  void Step(Stamp, Stamp) override {
    instants_.Set(5.0);
    spans_.Set(5.0);
  }
  ScalarOutput instants_, spans_;
};

/// A run that was begun, and what its outputs hold then.
class Begun {
 public:
  explicit Begun(const std::string& body, const std::string& trigger)
      : made(body + "<Run From=\"2000-01-01T00:00Z\" To=\"2000-01-01T00:00:01Z\" Trigger=\"" + trigger + "\"/>") {
    problems = made.Text();
    if (!problems.empty()) return;
    RunOptions options;
    options.write_results = false;
    run = std::make_unique<CompositionRun>(*made.composition, made.problems, options);
    run->Begin();
    problems = ErrorsOf(run->Record());
  }
  const ITimeSpaceOutput& Output(const std::string& component, const std::string& output) {
    for (IBaseOutput* one :
         made.composition->Instances().at(*made.composition->IndexOf(component)).Component().Outputs()) {
      if (one->Id() == output) return dynamic_cast<ITimeSpaceOutput&>(*one);
    }
    throw RangeError({.item = output}, "expected an output, found none");
  }
  double Of(const std::string& component, const std::string& output) {
    return Output(component, output).Values().GetValue(0, 0).Number().value_or(-999.0);
  }
  std::string TextOf(const std::string& component, const std::string& output) {
    const Value value = Output(component, output).Values().GetValue(0, 0);
    const auto* text = value.As<std::string>();
    return text != nullptr ? *text : "(none)";
  }

  Made made;
  std::unique_ptr<CompositionRun> run;
  std::string problems;
};

// y = u / 2 + 1 + 1, and u is 2 at the start.
TEST(InitialValues, GoAlongAChainInAnyOrderOfTheFile) {
  for (const int version : {1, 2, 3}) {
    const std::string v = Model("v", version, "VanDerPol");
    const std::string l = Model("l", version, "Linear", ArgumentXml("k", "0"));
    for (const std::string& both : {v + l, l + v}) {
      Begun begun(both + LinkXml("v.x0", "l.u"), "l");
      ASSERT_EQ(begun.problems, "");
      EXPECT_DOUBLE_EQ(begun.Of("l", "y"), 3.0) << "FMI " << version;
    }
  }
}

TEST(InitialValues, AreThoseOfModelExchangeToo) {
  for (const int version : {2, 3}) {
    const std::string kind = ArgumentXml("kind", "model-exchange");
    Begun begun(Model("v", version, "VanDerPol", kind) + Model("l", version, "Linear", kind) + LinkXml("v.x0", "l.u"),
                "l");
    ASSERT_EQ(begun.problems, "");
    EXPECT_DOUBLE_EQ(begun.Of("l", "y"), 3.0) << "FMI " << version;
  }
}

TEST(InitialValues, ComeFromAPlainComponentAndThroughAnAdaptor) {
  Begun begun(
      ComponentXml("c", "Giver") + Model("l", 2, "Linear") +
          LinkXml("c.instants", "l.u", AdaptorXml("linear-operation", ArgumentXml("a", "3") + ArgumentXml("b", "2"))),
      "l");
  ASSERT_EQ(begun.problems, "");
  EXPECT_DOUBLE_EQ(begun.Of("l", "y"), 0.5 * (3.0 * 4.0 + 2.0) + 2.0);
}

TEST(InitialValues, StepNoProviderForThem) {
  Begun begun(ComponentXml("c", "Giver") + Model("l", 2, "Linear") + LinkXml("c.spans", "l.u", AdaptorXml("previous")),
              "l");
  ASSERT_EQ(begun.problems, "");
  EXPECT_DOUBLE_EQ(begun.Of("l", "y"), 2.0) << "u keeps its start value";
  EXPECT_EQ(begun.made.Get<Giver>("c").StepCount(), 0u);
  EXPECT_TRUE(begun.run->Advance());
}

// Both are y = u / 2 + 2, so both are 4. In one process, and with one of them in another.
TEST(InitialValues, SettleInACircle) {
  for (const int version : {1, 2, 3}) {
    for (const char* more : {"", "Isolation=\"instance\""}) {
      Begun begun(Model("a", version, "Linear", {}, more) + Model("b", version, "Linear") + LinkXml("a.y", "b.u") +
                      LinkXml("b.y", "a.u"),
                  "b");
      ASSERT_EQ(begun.problems, "");
      EXPECT_NEAR(begun.Of("a", "y"), 4.0, 1e-8) << "FMI " << version << " " << more;
      EXPECT_NEAR(begun.Of("b", "y"), 4.0, 1e-8) << "FMI " << version << " " << more;
      EXPECT_TRUE(begun.run->Advance());
      EXPECT_EQ(ErrorsOf(begun.run->End()), "");
    }
  }
}

TEST(InitialValues, SettleInACircleThroughAnAdaptor) {
  Begun begun(Model("a", 2, "Linear") + Model("b", 3, "Linear") +
                  LinkXml("a.y", "b.u", AdaptorXml("linear-operation", ArgumentXml("a", "-1"))) + LinkXml("b.y", "a.u"),
              "b");
  ASSERT_EQ(begun.problems, "");
  EXPECT_NEAR(begun.Of("a", "y"), 2.4, 1e-8);  // a = b / 2 + 2, b = -a / 2 + 2
  EXPECT_NEAR(begun.Of("b", "y"), 0.8, 1e-8);
}

TEST(InitialValues, ThatDoNotStayNameTheCircle) {
  const std::string arguments = ArgumentXml("a", "3") + ArgumentXml("initial-rounds", "5");
  Begun begun(Model("a", 2, "Linear", arguments) + Model("b", 2, "Linear", arguments) + LinkXml("a.y", "b.u") +
                  LinkXml("b.y", "a.u"),
              "b");
  EXPECT_THAT(begun.problems, AllOf(HasSubstr("loop a -> b -> a to settle within 5 rounds"), HasSubstr("b.u (from "),
                                    HasSubstr("raise initial-rounds")));
}

TEST(InitialValues, OfACircleThatGrowsAreSolved) {
  // y = 3 u + 1 + 1 on both sides: going round multiplies by nine, and y = -1 is the only solution.
  const std::string arguments = ArgumentXml("a", "3");
  Begun begun(Model("a", 2, "Linear", arguments) + Model("b", 3, "Linear", arguments) + LinkXml("a.y", "b.u") +
                  LinkXml("b.y", "a.u"),
              "b");
  ASSERT_EQ(begun.problems, "");
  EXPECT_NEAR(begun.Of("a", "y"), -1.0, 1e-8);
  EXPECT_NEAR(begun.Of("b", "y"), -1.0, 1e-8);
}

TEST(InitialValues, AComponentThatFailsIsNamed) {
  const ScratchFolder folder("fmi");
  const auto files = UnpackedArchive::Open(ExamplePath(2, "Linear"));
  std::filesystem::copy(files->Folder(), folder / "Linear", std::filesystem::copy_options::recursive);
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder / "Linear/binaries")) {
    if (!file.is_regular_file()) continue;
    std::filesystem::permissions(file.path(), std::filesystem::perms::owner_all);
    std::ofstream(file.path()) << "no library";
  }
  Begun begun("<Component Id=\"bare\" Type=\"openmi.fmi.Fmu\" Assembly=\"openmi-fmi-bridge\">" +
                  ArgumentXml("fmu", folder / "Linear") + "</Component>\n",
              "bare");
  EXPECT_THAT(begun.problems, HasSubstr(": bare: expected a library that can be loaded, found: "));
}

TEST(InitialValues, AreStartValuesWhereNoRoundsAreWanted) {
  Begun begun(
      Model("v", 2, "VanDerPol") + Model("l", 2, "Linear", ArgumentXml("initial-rounds", "0")) + LinkXml("v.x0", "l.u"),
      "l");
  ASSERT_EQ(begun.problems, "");
  EXPECT_DOUBLE_EQ(begun.Of("l", "y"), 2.0);
}

TEST(InitialValues, OfTextsGoAlongToo) {
  for (const int version : {2, 3}) {
    for (const char* more : {"", "Isolation=\"instance\""}) {
      Begun begun(Model("a", version, "Feedthrough", ArgumentXml("String_input", "first")) +
                      Model("b", version, "Feedthrough", {}, more) + Model("c", version, "Feedthrough") +
                      LinkXml("a.String_output", "b.String_input") + LinkXml("b.String_output", "c.String_input"),
                  "c");
      ASSERT_EQ(begun.problems, "");
      EXPECT_EQ(begun.TextOf("b", "String_output"), "first") << "FMI " << version << " " << more;
      EXPECT_EQ(begun.TextOf("c", "String_output"), "first") << "FMI " << version << " " << more;
    }
  }
}

}  // namespace
}  // namespace openmi::fmi

OPENMI_EXPORT_COMPONENT_AS("test.Giver", openmi::fmi::Giver)
