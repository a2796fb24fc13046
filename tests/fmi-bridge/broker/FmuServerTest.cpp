#include "fmi-bridge/broker/amqp/AmqpSource.hpp"
#include "fmi-bridge/broker/fmu/RabbitMqFmu.hpp"
#include "tests/fmi-bridge/broker/BrokerWorld.hpp"
#include "tests/fmi-bridge/export/fmu/ExportedFmu.hpp"

// The RabbitMQ FMU against a broker, configured by its parameters.

namespace openmi::broker {
namespace {

using fmutest::Fmu;
using fmutest::Instance2;
using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::HasSubstr;

Fmu& TheFmu() {
  static const std::unique_ptr<Fmu> fmu = [] {
    const ScratchFolder source("stream");
    source.Write("rabbitmq.omi", R"(<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="openmi.broker.Stream"
        Assembly="openmi-broker-bridge"><Arguments>
      <Argument Key="fields" Value="a,b"/>
      <Argument Key="publish" Value="torque[N m], gate:boolean"/>
      <Argument Key="exchange" Value="nobody-uses-it"/>
    </Arguments></LinkableComponent>)");
    openmi::exported::ExportOptions options;
    options.source = source.Path() / "rabbitmq.omi";
    return std::make_unique<Fmu>(options);
  }();
  return *fmu;
}

struct Importer {
  explicit Importer(const std::string& exchange) : one(*fmu) {
    EXPECT_NE(one.component, nullptr) << one.log;
    Text("config.hostname", "127.0.0.1");
    Whole("config.port", TheWorld().server->Port());
    Text("config.exchangename", exchange);
    Text("config.routingkey", "to");
    Text("config.routingkey.from_cosim", "from");
    Whole("config.communicationtimeout", 5);
    EXPECT_EQ(one.Setup(0.0, 100.0), fmi2OK);
  }
  void Text(const std::string& name, const std::string& value) {
    const fmi2ValueReference reference = fmu->Variable(name).reference;
    const char* text = value.c_str();
    EXPECT_EQ(FMUTEST_CALL(fmi2, SetString)(one.component, &reference, 1, &text), fmi2OK) << one.log;
  }
  void Whole(const std::string& name, int value) {
    const fmi2ValueReference reference = fmu->Variable(name).reference;
    EXPECT_EQ(FMUTEST_CALL(fmi2, SetInteger)(one.component, &reference, 1, &value), fmi2OK) << one.log;
  }
  fmi2Status Enter() { return FMUTEST_CALL(fmi2, EnterInitializationMode)(one.component); }
  fmi2Status Exit() { return FMUTEST_CALL(fmi2, ExitInitializationMode)(one.component); }

  Fmu* fmu = &TheFmu();
  Instance2 one;
};

/// The other side: hears what the FMU says, and answers.
struct Robot {
  explicit Robot(const std::string& exchange)
      : ear(Here(), {.queue = {}, .exchange = exchange, .routing_key = "from"}),
        mouth(Here(), {.exchange = exchange, .routing_key = "to"}) {
    ear.Open();
    mouth.Open();
  }
  std::string Hear(int patience = 5000) {
    Delivery delivery;
    return ear.Take(delivery, milliseconds(patience), counts) == Taken::Message ? std::string(delivery.body)
                                                                                : "nothing";
  }
  void Say(const std::string& message) {
    mouth.Publish(BodyOf(message), {}, 0);
    mouth.Flush();
  }
  AmqpSource ear;
  AmqpSink mouth;
  StreamCounts counts;
};

TEST(RabbitMqFmuAtABroker, TalksAsItsParametersSay) {
  Robot robot("fmu-talk");
  Importer importer("fmu-talk");
  // As publishers of the reference do: nothing is sent before it says that it is ready.
  std::thread answering([&robot] {
    EXPECT_THAT(robot.Hear(), HasSubstr(R"("internal_status":"ready")"));
    robot.Say("0 a=1 b=7");
  });
  EXPECT_EQ(importer.Enter(), fmi2OK) << importer.one.log;  // blocks until the message is there
  answering.join();
  EXPECT_EQ(importer.one.Get("a"), 1.0);
  EXPECT_EQ(importer.one.Set("torque", 0.25), fmi2OK) << "does not begin anew";
  EXPECT_EQ(importer.one.Get("b"), 7.0);
  EXPECT_EQ(importer.Exit(), fmi2OK) << importer.one.log;
  // The step says what it has before it waits.
  std::thread stepping([&robot] {
    EXPECT_THAT(robot.Hear(), AllOf(HasSubstr(R"("torque":0.25)"), HasSubstr(R"("gate":false)"),
                                    HasSubstr(R"("time":")"), HasSubstr(R"("simstep":"500.000000")")));
    robot.Say("0.3 a=2");
    robot.Say("0.5 b=8");
  });
  EXPECT_EQ(importer.one.Step(0.0, 0.5), fmi2OK) << importer.one.log;
  stepping.join();
  EXPECT_EQ(importer.one.Get("a"), 2.0);
  EXPECT_EQ(importer.one.Get("b"), 8.0);
  EXPECT_EQ(importer.fmu->Of<fmi2TerminateTYPE>("fmi2Terminate")(importer.one.component), fmi2OK);
}

TEST(RabbitMqFmuAtABroker, AParameterThatChangesInInitializationBeginsAnew) {
  Robot robot("fmu-first");
  Importer importer("fmu-first");
  std::thread answering([&robot] {
    robot.Hear();
    robot.Say("0 a=1");
  });
  EXPECT_EQ(importer.Enter(), fmi2OK) << importer.one.log;
  answering.join();
  Robot other("fmu-second");
  importer.Text("config.exchangename", "fmu-second");
  std::thread again([&other] {
    other.Hear();
    other.Say("9 a=3");
  });
  EXPECT_EQ(importer.Exit(), fmi2OK) << importer.one.log;
  again.join();
  EXPECT_EQ(importer.one.Get("a"), 3.0);
}

/// What an exported stream without inputs says of itself, with a queue that is there and no exchange.
std::string DescriptionOfAConsumer() {
  const auto parameter = [](int reference, const char* name, const std::string& value) {
    return fmt::format(R"(<ScalarVariable name="{}" valueReference="{}" variability="fixed" causality="parameter"
        initial="exact">{}</ScalarVariable>)",
                       name, reference, value);
  };
  return R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="rabbitmq" guid="{consumer}" numberOfEventIndicators="0">
  <CoSimulation modelIdentifier="rabbitmq" canHandleVariableCommunicationStepSize="true"/>
  <ModelVariables>
    <ScalarVariable name="a" valueReference="100" variability="continuous" causality="output"><Real/></ScalarVariable>)" +
         parameter(0, "config.hostname", R"(<String start="127.0.0.1"/>)") +
         parameter(1, "config.port", fmt::format(R"(<Integer start="{}"/>)", TheWorld().server->Port())) +
         parameter(5, "config.communicationtimeout", R"(<Integer start="10"/>)") +
         parameter(9, "config.exchangename", R"(<String start=""/>)") +
         parameter(13, "config.routingkey.from_cosim", R"(<String start="data.from_cosim"/>)") +
         parameter(21, "queue", R"(<String start="only-read"/>)") + R"(</ModelVariables>
  <ModelStructure><Outputs><Unknown index="1"/></Outputs></ModelStructure>
</fmiModelDescription>)";
}

// It has nothing to say, so it needs no queue to say it.
TEST(RabbitMqFmuAtABroker, OneThatOnlyConsumesNeedsNoQueueToPublishTo) {
  Hand hand;
  hand.MakeQueue("only-read");
  PublishAll("only-read", {BodyOf("0 a=1"), BodyOf("1 a=2"), BodyOf("2 a=3")});
  const ScratchFolder folder;
  RabbitMqFmu fmu;
  Driver driver(fmu);
  driver.Set("start-time", TimeAt(0)).Set("time-step", "PT1S").Set("time-zero", "own");
  driver.Set("description", folder.Write("modelDescription.xml", DescriptionOfAConsumer()));
  driver.Initialize();
  driver.Prepare();
  driver.Update();
  EXPECT_EQ(Shown(*fmu.Outputs()[0]), "2");
  driver.Update();
  EXPECT_EQ(Shown(*fmu.Outputs()[0]), "3");
  driver.Finish();
}

TEST(RabbitMqFmuAtABroker, WrongCredentialsAndSilenceAreErrorsThatSaySo) {
  Importer stranger("fmu-silent");
  stranger.Text("config.password", "a-wrong-one");
  EXPECT_EQ(stranger.Enter(), fmi2Error);
  EXPECT_THAT(stranger.one.log, AllOf(HasSubstr("lets user 'guest' in"), ::testing::Not(HasSubstr("a-wrong-one"))));
  Importer listener("fmu-silent");
  listener.Whole("config.communicationtimeout", 1);
  EXPECT_EQ(listener.Enter(), fmi2Error);
  EXPECT_THAT(listener.one.log, HasSubstr("expected the first message, which defines time zero, within 1 s"));
}

}  // namespace
}  // namespace openmi::broker
