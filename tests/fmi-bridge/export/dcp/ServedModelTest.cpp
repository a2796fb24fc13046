#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "fmi-bridge/dcp/protocol/description/LogMessage.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "fmi-bridge/export/dcp/ServedModel.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/dcp/support/TestMaster.hpp"
#include "tests/fmi-bridge/support/SmallComposition.hpp"
#include "tests/support/ScratchFolder.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::dcp {
namespace {

using enum PduType;
using enum State;

class DcpServedModel : public testing::Test {
 protected:
  DcpServedModel() : file_(folder_.Write("served.xml", openmi::test::SmallComposition("2020-02-28T01:00Z"))) {}
  std::unique_ptr<ServedModel> Model(DescribeOptions options = {}) {
    exported::ExportOptions model;
    model.source = file_;
    model.outputs = std::vector<std::string>{"sum.c"};
    Problems problems;
    return std::make_unique<ServedModel>(model, options, problems);
  }
  const ScratchFolder folder_;
  const std::filesystem::path file_;
};

constexpr CfgTimeRes kMilliseconds{.numerator = 1, .denominator = 1000};

ValueReference ReferenceOf(const SlaveDescription& description, const char* name) {
  const Variable* variable = description.Find(name);
  EXPECT_NE(variable, nullptr) << name;
  return variable == nullptr ? 0 : variable->value_reference;
}

TEST_F(DcpServedModel, IsDescribedAsOthersReadIt) {
  const auto model = Model({.port = 9000});
  const SlaveDescription& description = model->Description();
  const std::filesystem::path path = file_.parent_path() / "openmi-dcp-served.dcpx";
  WriteSlaveDescription(description, path);
  Problems problems;
  const SlaveDescription read = LoadSlaveDescription(path, problems);
  EXPECT_TRUE(problems.empty());
  std::filesystem::remove(path);
  EXPECT_EQ(read.uuid, description.uuid);
  EXPECT_EQ(SlaveDescriptionText(read), SlaveDescriptionText(description));
  EXPECT_EQ(read.transports.udp->control_port, 9000);
  const Variable* input = read.Find("sum.b");
  ASSERT_NE(input, nullptr);
  EXPECT_EQ(input->kind, VariableKind::Input);
  ASSERT_NE(read.UnitOf(*input), nullptr);
  EXPECT_EQ(read.UnitOf(*input)->name, "mm d-1");
  EXPECT_EQ(read.non_real_time->standard, 600'000u);  // ten minutes in milliseconds
  EXPECT_EQ(Model({.port = 9000})->Description().uuid, description.uuid);
  EXPECT_NE(Model({.port = 9001})->Description().uuid, description.uuid);
}

// A master reads there that no input may be lost, and how it hears of a loss.
TEST_F(DcpServedModel, SaysHowManyInputsMayBeLost) {
  const auto most = [](const ServedModel& model) {
    return model.Description().Find("sum.b")->max_consecutive_missed_pdus;
  };
  const auto strict = Model();
  EXPECT_EQ(most(*strict), 0U);
  EXPECT_NE(std::ranges::find(strict->Description().log->templates, kMissedData, &LogTemplate::message),
            strict->Description().log->templates.end());
  DescribeOptions options;
  for (const std::optional<std::uint32_t> missed : {std::optional<std::uint32_t>(3), std::optional<std::uint32_t>()}) {
    options.most_missed_inputs = missed;
    EXPECT_EQ(most(*Model(options)), missed);
  }
}

// The master reckons in what it is used to, unless the user allows one resolution only.
TEST_F(DcpServedModel, TakesTheMastersResolution) {
  const auto model = Model();
  const SlaveDescription& description = model->Description();
  EXPECT_EQ(description.FixedResolution(), nullptr);
  EXPECT_EQ(description.StandardResolution().Seconds(), 0.001);
  for (const auto& [numerator, denominator] : {std::pair(10U, 100U), std::pair(1U, 1U), std::pair(1U, 1000U),
                                               std::pair(3600U, 1U), std::pair(250U, 1'000'000U)}) {
    EXPECT_TRUE(description.AllowsResolution(numerator, denominator)) << numerator << "/" << denominator;
  }
  EXPECT_FALSE(description.AllowsResolution(1, 7));
  DescribeOptions options;
  options.resolution = Resolution{.numerator = 1, .denominator = 50, .is_fixed = true, .is_recommended = {}};
  EXPECT_FALSE(Model(options)->Description().AllowsResolution(10, 100));
  test::RunningSlave slave(description, *model);
  const Endpoint control = slave.runner.ControlEndpoint(TransportProtocol::TCP_IPv4);
  test::TestMaster master(TransportProtocol::TCP_IPv4, control, description.uuid);
  master.Configure(OpMode::NRT, ReferenceOf(description, "sum.b"), ReferenceOf(description, "sum.c"), DataType::float64,
                   control.port);
  ASSERT_EQ(master.Ask(CfgTimeRes{.numerator = 10, .denominator = 100}), ErrorCode::NONE);
  master.Prepare();
  master.Start();
  master.SendNumber(10.0, 0);
  ASSERT_EQ(master.Ask(StcDoStep{.state = RUNNING, .steps = 6'000}), ErrorCode::NONE);  // ten minutes
  master.AwaitState(COMPUTED);
  master.Stc(STC_send_outputs, COMPUTED, RUNNING);
  EXPECT_EQ(master.AwaitNumber(), 27.0);
}

// A step without its inputs is not made, over TCP neither.
TEST_F(DcpServedModel, RefusesAStepWithoutItsInputs) {
  const auto model = Model();
  const SlaveDescription& description = model->Description();
  test::RunningSlave slave(description, *model);
  const Endpoint control = slave.runner.ControlEndpoint(TransportProtocol::TCP_IPv4);
  test::TestMaster master(TransportProtocol::TCP_IPv4, control, description.uuid);
  master.Configure(OpMode::NRT, ReferenceOf(description, "sum.b"), ReferenceOf(description, "sum.c"), DataType::float64,
                   control.port);
  ASSERT_EQ(master.Ask(kMilliseconds), ErrorCode::NONE);
  master.Prepare();
  master.Start();
  master.SendNumber(10.0, 0);
  ASSERT_EQ(master.Ask(StcDoStep{.state = RUNNING, .steps = 600'000}), ErrorCode::NONE);
  master.AwaitState(COMPUTED);
  master.Stc(STC_send_outputs, COMPUTED, RUNNING);
  ASSERT_EQ(master.Ask(StcDoStep{.state = RUNNING, .steps = 600'000}), ErrorCode::NONE);
  master.AwaitState(ERRORRESOLVED);
  EXPECT_NE(slave.runner.Problem().find("PDU 1 of data 1 ('sum.b') did not come"), std::string::npos)
      << slave.runner.Problem();
  EXPECT_EQ(slave.runner.StepsDone(), 1U);
}

TEST_F(DcpServedModel, IsSteppedByAMasterWithParametersAndInputs) {
  const auto model = Model();
  const SlaveDescription& description = model->Description();
  test::RunningSlave slave(description, *model);
  const Endpoint control = slave.runner.ControlEndpoint(TransportProtocol::TCP_IPv4);
  test::TestMaster master(TransportProtocol::TCP_IPv4, control, description.uuid);
  for (const double given : {7.0, 8.0}) {
    master.Configure(OpMode::NRT, ReferenceOf(description, "sum.b"), ReferenceOf(description, "sum.c"),
                     DataType::float64, control.port);
    ASSERT_EQ(master.Ask(kMilliseconds), ErrorCode::NONE);
    // The component reads its value from a text.
    master.SetText(ReferenceOf(description, "given.value"), given == 7.0 ? "7" : "8");
    const bool is_notified = given == 7.0;
    ASSERT_EQ(master.Ask(CfgLogging{.category = 0,
                                    .level = LogLevel::Error,
                                    .mode = is_notified ? LogMode::OnNotification : LogMode::OnRequest}),
              ErrorCode::NONE);
    master.Prepare();
    master.SendNumber(1.0, 0);
    master.Stc(STC_initialize, CONFIGURED, INITIALIZED);
    master.Stc(STC_send_outputs, INITIALIZED, CONFIGURED);
    EXPECT_TRUE(std::isnan(master.AwaitNumber()));  // an expression has no value before its first step
    master.Start();
    for (int step = 1; step <= 6; ++step) {
      master.SendNumber(10.0 * step, static_cast<std::uint16_t>(step));
      ASSERT_EQ(master.Ask(StcDoStep{.state = RUNNING, .steps = 600'000}), ErrorCode::NONE);
      master.AwaitState(COMPUTED);
      master.Stc(STC_send_outputs, COMPUTED, RUNNING);
      EXPECT_EQ(master.AwaitNumber(), given + 20.0 * step) << step;
    }
    // The composition's run ends here.
    master.SendNumber(0.0, 7);
    ASSERT_EQ(master.Ask(StcDoStep{.state = RUNNING, .steps = 600'000}), ErrorCode::NONE);
    master.AwaitState(given == 7.0 ? ERRORRESOLVED : ERRORHANDLING);
    if (!is_notified) master.Send(InfLog{.category = 1, .max_entries = 9});
    const std::vector<std::byte> logged = master.Await(is_notified ? NTF_log : RSP_log_ack);
    ASSERT_FALSE(logged.empty());
    const std::string entries(reinterpret_cast<const char*>(logged.data()), logged.size());
    EXPECT_NE(entries.find("Step failed: "), std::string::npos) << entries;
    if (given == 7.0) {
      master.Stc(STC_reset, ERRORRESOLVED, CONFIGURATION);
      master.Stc(STC_deregister, CONFIGURATION, ALIVE);
    }
  }
}

TEST_F(DcpServedModel, ReportsAParameterThatTheModelRefuses) {
  const auto model = Model();
  const SlaveDescription& description = model->Description();
  test::RunningSlave slave(description, *model);
  const Endpoint control = slave.runner.ControlEndpoint(TransportProtocol::TCP_IPv4);
  test::TestMaster master(TransportProtocol::TCP_IPv4, control, description.uuid);
  master.Configure(OpMode::NRT, ReferenceOf(description, "sum.b"), ReferenceOf(description, "sum.c"), DataType::float64,
                   control.port);
  ASSERT_EQ(master.Ask(kMilliseconds), ErrorCode::NONE);
  master.SetText(ReferenceOf(description, "given.value"), "many");
  master.Stc(STC_prepare, CONFIGURATION, PREPARED);
  ASSERT_EQ(master.Ask(StcPlain{.type = STC_configure, .state = PREPARED}), ErrorCode::NONE);
  master.AwaitState(ERRORRESOLVED);
  EXPECT_NE(slave.runner.Problem().find("found 'many'"), std::string::npos) << slave.runner.Problem();
  master.Stc(STC_reset, ERRORRESOLVED, CONFIGURATION);
  master.Stc(STC_deregister, CONFIGURATION, ALIVE);
}

// y = a u + b + x of the example: what u is before the first step counts for y before the first step.
TEST(DcpServedFmu, AnswersToInitialInputs) {
  for (const char* version : {"2", "3"}) {
    const ScratchFolder folder;
    const std::string fmu = std::string(OPENMI_BINARY_DIR "/examples/fmus/") + version + "/Linear.fmu";
    const std::string from = "<Run From=\"2020-01-01T00:00:00Z\" To=\"2020-01-01T00:01:00Z\"/>";
    exported::ExportOptions options;
    options.source = folder.Write(
        "served.xml",
        "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"served\"><Component Id=\"m\" Type=\"openmi.fmi.Fmu\" "
        "Assembly=\"openmi-fmi-bridge\"><Argument Key=\"fmu\" Value=\"" +
            fmu + "\"/><Argument Key=\"a\" Value=\"0.5\"/><Argument Key=\"b\" Value=\"1\"/></Component>" + from +
            "</Composition>\n");
    Problems problems;
    ServedModel model(options, {}, problems);
    const SlaveDescription& description = model.Description();
    SlaveValues values(description);
    model.Configure(values);
    const auto at = [&](const char* name) -> TypedValue& {
      return values.At(values.Find(ReferenceOf(description, name)));
    };
    const double before = at("m.y").Number();
    at("m.u").SetNumber(at("m.u").Number() + 2.4);
    model.Initialize(values);
    EXPECT_DOUBLE_EQ(at("m.y").Number(), before + 1.2) << version;
    model.Stop(values);
  }
}

/// An FMU of the examples by itself.
struct ServedLinear {
  explicit ServedLinear(const std::string& arguments) {
    exported::ExportOptions options;
    options.source =
        folder.Write("linear.omi",
                     "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"openmi.fmi.Fmu\" "
                     "Assembly=\"openmi-fmi-bridge\"><Arguments><Argument Key=\"fmu\" Value=\"" OPENMI_BINARY_DIR
                     "/examples/fmus/2/Linear.fmu\"/>" +
                         arguments + "</Arguments></LinkableComponent>");
    model = std::make_unique<ServedModel>(options, DescribeOptions{}, problems);
    values = std::make_unique<SlaveValues>(model->Description());
  }
  TypedValue& At(const char* name) { return values->At(values->Find(ReferenceOf(model->Description(), name))); }
  /// y after the n-th step of so many seconds, with the input n.
  double Step(int n, double seconds) {
    At("u").SetNumber(n);
    model->Step(*values, {.begin = (n - 1) * seconds, .end = n * seconds});
    return At("y").Number();
  }
  const ScratchFolder folder;
  Problems problems;
  std::unique_ptr<ServedModel> model;
  std::unique_ptr<SlaveValues> values;
};

// What the description says of the time step is what the model does, and what a master sets is what it does then.
TEST(DcpServedFmu, StepsAsItsTimeStepSays) {
  ServedLinear own("");
  const std::string start = own.model->Description().Find("time-step")->start.text;
  const double seconds =
      own.model->Description().non_real_time->standard * own.model->Description().StandardResolution().Seconds();
  EXPECT_NE(start, "PT1S");  // that is what a component takes which knows nothing better
  EXPECT_EQ(start, FormatIsoDuration(Seconds(seconds)));
  // A step that no time step here divides: the report says which one the model makes.
  const auto steps_of = [](const std::string& written, const char* set) {
    ServedLinear one(written);
    if (set != nullptr) one.At("time-step").SetText(set);
    one.model->Configure(*one.values);
    one.model->Initialize(*one.values);
    one.model->Step(*one.values, {.begin = 0.0, .end = 0.013});
    const Problems news = one.model->TakeNews();
    return news.empty() ? std::string("no report") : FormatProblem(news[0]);
  };
  const std::string second = "<Argument Key=\"time-step\" Value=\"PT1S\"/>";
  std::ostringstream own_step;
  own_step << "expected steps of " << seconds << " s,";
  EXPECT_NE(steps_of("", nullptr).find(own_step.str()), std::string::npos) << own_step.str();
  EXPECT_EQ(steps_of("", start.c_str()), steps_of("", nullptr));
  EXPECT_NE(steps_of(second, nullptr).find("expected steps of 1 s,"), std::string::npos);
  EXPECT_EQ(steps_of("", "PT1S"), steps_of(second, nullptr));
}

// Half-way between two steps of the model is exactly half of both, and the log says that the steps differ.
TEST(DcpServedFmu, SaysThatStepsAreNotItsOwnAndInterpolatesExactly) {
  ServedLinear linear(
      "<Argument Key=\"time-step\" Value=\"PT0.002S\"/><Argument Key=\"a\" Value=\"2\"/>"
      "<Argument Key=\"k\" Value=\"0\"/>");
  linear.model->Configure(*linear.values);
  linear.model->Initialize(*linear.values);
  std::vector<double> y = {linear.At("y").Number()};
  for (int n = 1; n <= 2000; ++n) y.push_back(linear.Step(n, 0.001));
  for (std::size_t i = 1; i < 2000; i += 2) ASSERT_EQ(y[i], 0.5 * (y[i - 1] + y[i + 1])) << i;
  EXPECT_NE(y[0], y[2]);
  const Problems news = linear.model->TakeNews();
  ASSERT_EQ(news.size(), 1U);
  EXPECT_NE(FormatProblem(news[0]).find("expected steps of 0.002 s, like the model's own"), std::string::npos)
      << FormatProblem(news[0]);
  ServedLinear own("<Argument Key=\"time-step\" Value=\"PT0.002S\"/>");
  own.model->Configure(*own.values);
  own.model->Initialize(*own.values);
  own.Step(1, 0.004);
  EXPECT_TRUE(own.model->TakeNews().empty());
}

// What is no number is no variable of the slave: each is named.
TEST(DcpServedFmu, NamesWhatItCannotServe) {
  const ScratchFolder folder;
  exported::ExportOptions options;
  options.source =
      folder.Write("feedthrough.omi",
                   "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"openmi.fmi.Fmu\" "
                   "Assembly=\"openmi-fmi-bridge\"><Arguments><Argument Key=\"fmu\" "
                   "Value=\"" OPENMI_BINARY_DIR "/examples/fmus/3/Feedthrough.fmu\"/></Arguments></LinkableComponent>");
  Problems problems;
  const ServedModel model(options, {}, problems);
  const auto is_named = [&problems](const std::string& item) {
    return std::ranges::any_of(problems, [&](const Problem& one) {
      return one.severity == Problem::Warning && one.where.item == item &&
             one.problem.find("expected an item of numbers with times") != std::string::npos;
    });
  };
  for (const char* item : {"Boolean_output", "String_output", "Enumeration_output", "Boolean_input"}) {
    EXPECT_TRUE(is_named(item) || model.Description().Find(item) != nullptr) << item;
  }
  EXPECT_TRUE(is_named("String_output"));
}

// Between its components: of tens of thousands of their steps in one of the slave.
TEST_F(DcpServedModel, AnswersWithinAStep) {
  folder_.Write("served.xml", openmi::test::SmallComposition("2022-01-01T00:00Z"));
  constexpr std::uint32_t kSeconds = 400 * 86'400;
  DescribeOptions options;
  options.resolution = Resolution{.numerator = 1, .denominator = 1, .is_fixed = true, .is_recommended = {}};
  const auto model = Model(options);
  const SlaveDescription& description = model->Description();
  test::RunningSlave slave(description, *model);
  const Endpoint control = slave.runner.ControlEndpoint(TransportProtocol::TCP_IPv4);
  test::TestMaster master(TransportProtocol::TCP_IPv4, control, description.uuid);
  master.Configure(OpMode::NRT, ReferenceOf(description, "sum.b"), ReferenceOf(description, "sum.c"), DataType::float64,
                   control.port);
  master.Prepare();
  master.Start();
  master.SendNumber(10.0, 0);
  ASSERT_EQ(master.Ask(StcDoStep{.state = RUNNING, .steps = kSeconds}), ErrorCode::NONE);
  master.Send(InfPlain{.type = INF_state});
  const std::vector<std::byte> answer = master.Await(RSP_state_ack);
  ASSERT_FALSE(answer.empty());
  EXPECT_EQ(std::get<RspStateAck>(Decode(answer).pdu).state, COMPUTING);
  EXPECT_EQ(master.Ask(StcDoStep{.state = COMPUTING, .steps = 1}),
            ErrorCode::PROTOCOL_ERROR_STATE_TRANSITION_IN_PROGRESS);
  master.AwaitState(COMPUTED);
  master.Stc(STC_send_outputs, COMPUTED, RUNNING);
  EXPECT_EQ(master.AwaitNumber(), 27.0);
}

// What a composition says of its own results is no matter of a master.
TEST_F(DcpServedModel, HasNoNewsWhereAllIsWell) {
  const auto model = Model();
  SlaveValues values(model->Description());
  model->Configure(values);
  model->Step(values, {.begin = 0.0, .end = 600.0});
  model->Stop(values);
  for (const Problem& news : model->TakeNews()) ADD_FAILURE() << FormatProblem(news);
}

TEST_F(DcpServedModel, SaysWhatItDoesNotFind) {
  exported::ExportOptions model;
  model.source = file_;
  model.outputs = std::vector<std::string>{"sum.d"};
  Problems problems;
  EXPECT_THROW(ServedModel(model, {}, problems), ArgumentError);
  model.source = "nothing.xml";
  EXPECT_THROW(ServedModel(model, {}, problems), FileError);
}

}  // namespace
}  // namespace openmi::dcp
