// Nothing grows with the number of steps but the journal, the results and the report's curves: after a tenth of many
// steps the rest adds no megabyte, with each kind of component, link, loop and observer there is.
//
//   OPENMI_GROWTH_STEPS  how many steps (100000)
//   OPENMI_GROWTH_SHOW   prints the figures

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/growth/GrowthRun.hpp"
#include "tests/support/ScratchFolder.hpp"
#include "tests/support/TankSlave.hpp"

namespace openmi::growth {
namespace {

constexpr const char* kSource = OPENMI_BINARY_DIR "/tests/matrix-plugins/libmatrix_source.so";
constexpr const char* kModel = OPENMI_BINARY_DIR "/tests/matrix-plugins/libmatrix_model.so";
constexpr const char* kInC = OPENMI_BINARY_DIR "/tests/matrix-plugins/libmatrix_c.so";
constexpr const char* kFmus = OPENMI_BINARY_DIR "/examples/fmus";
constexpr const char* kReady = "openmi-components";
const std::string kSecond = ArgumentXml("time-step", "PT1S");

std::string Weather(const std::string& arguments = {}, const std::string& attributes = {}) {
  return ComponentXml("weather", "matrix.Weather", kSource, kSecond + arguments, attributes);
}
std::string Pond(const std::string& id, const std::string& attributes = {}) {
  return ComponentXml(id, "matrix.Pond", kModel, kSecond, attributes);
}
/// A pond that takes the level of the weather.
std::string FedPond(const std::string& id, const std::string& attributes = {}) {
  return Pond(id, attributes) + Link("weather.level", id + ".in", AdaptorXml("linear"));
}
std::string Fmu(const std::string& id, const std::string& file, const std::string& arguments = {},
                const std::string& attributes = {}) {
  return ComponentXml(id, "openmi.fmi.Fmu", "openmi-fmi-bridge",
                      ArgumentXml("fmu", fmt::format("{}/{}.fmu", kFmus, file)) + kSecond + arguments, attributes);
}
/// Messages of OSI about the cars of the weather.
std::string Truth(const std::string& attributes = {}) {
  return ComponentXml(
             "truth", "openmi.osi.Message", "openmi-osmp-bridge",
             ArgumentXml("fields", "x=moving_object[*].base.position.x") + ArgumentXml("objects", "10 11 12") + kSecond,
             attributes) +
         Link("weather.cars", "truth.x", AdaptorXml("linear"));
}
std::string Expression() {
  return ComponentXml("expression", "openmi.Expression", kReady,
                      ArgumentXml("inputs", "u[1]") + ArgumentXml("outputs", "y=0.5*u+1[1]") +
                          ArgumentXml("asks", "instant") + kSecond) +
         Link("weather.level", "expression.u", AdaptorXml("linear"));
}

/// A message each second, and some beyond the end.
std::string Recording(const ScratchFolder& folder) {
  std::ofstream lines(folder / "stream.jsonl");
  for (std::size_t i = 0; i < Steps() + 100; ++i) {
    lines << fmt::format("{{\"time\":\"2015-12-{:02}T{:02}:{:02}:{:02}Z\",\"x\":{},\"mode\":\"m{}\"}}\n", 1 + i / 86400,
                         i / 3600 % 24, i / 60 % 60, i % 60, i % 11, i % 7);
  }
  return folder / "stream.jsonl";
}
std::string Stream(const ScratchFolder& folder, const std::string& attributes = {}) {
  return ComponentXml(
      "stream", "openmi.broker.Stream", "openmi-broker-bridge",
      ArgumentXml("recording", Recording(folder)) + ArgumentXml("fields", "x=x[1], mode:string") + kSecond, attributes);
}
std::string Ear(const std::string& id, const std::string& attributes = {}) {
  return ComponentXml(id, "matrix.Ear", kModel, kSecond, attributes);
}

TEST(Growth, OfNoReadyComponent) {
  const ScratchFolder folder("growth");
  std::ofstream series(folder / "s.csv");
  series << "time,q\n";
  for (std::size_t i = 0; i < Steps() + 100; ++i) {
    series << fmt::format("2015-12-{:02}T{:02}:{:02}:{:02},{}\n", 1 + i / 86400, i / 3600 % 24, i / 60 % 60, i % 60,
                          i % 11);
  }
  series.close();
  const std::string body =
      Weather() + Expression() +
      ComponentXml(
          "series", "openmi.CsvSeries", kReady,
          ArgumentXml("file", folder / "s.csv") + ArgumentXml("utc-offset", "UTC") + ArgumentXml("unit", "1")) +
      ComponentXml("constant", "openmi.Constant", kReady, ArgumentXml("value", "2") + ArgumentXml("unit", "1")) +
      ComponentXml("cascade", "openmi.NashCascade", kReady,
                   ArgumentXml("unit", "1") + ArgumentXml("reservoirs", "3") + kSecond) +
      ComponentXml("reach", "openmi.MuskingumCunge", kReady,
                   ArgumentXml("length", "20") + ArgumentXml("segments", "2") + kSecond) +
      Pond("pond") + Pond("fixed") +
      ComponentXml("recorder", "openmi.Recorder", kReady,
                   ArgumentXml("items", "y") + ArgumentXml("unit", "1") + ArgumentXml("asks", "instant") +
                       ArgumentXml("file", folder / "r.csv") + kSecond) +
      Link("series.q", "pond.in", AdaptorXml("linear")) + Link("constant.value", "fixed.in", AdaptorXml("linear")) +
      Link("series.q", "cascade.inflow", AdaptorXml("mean-over-span")) + Observe("cascade.outflow") +
      Link("series.q", "reach.lateral-inflow",
           AdaptorXml("expression", ArgumentXml("formula", "x") + ArgumentXml("unit", "m3 s-1")) +
               AdaptorXml("mean-over-span")) +
      Observe("reach.outflow") + Link("expression.y", "recorder.y") + Observe("pond.out") + Observe("fixed.out");
  ExpectNone(RunLong(body, folder.Path() / "run"), "ready components");
}

TEST(Growth, OfNoFmu) {
  const ScratchFolder folder("growth");
  std::string body = Weather();
  for (const char* version : {"1", "2", "3"}) {
    for (const char* kind : {"co-simulation", "model-exchange"}) {
      if (version[0] == '1' && kind[0] == 'm') continue;  // an FMU of FMI 1 is one of the two
      const std::string id = fmt::format("fmu{}{}", version, kind[0]);
      body += Fmu(id, fmt::format("{}/Linear", version), ArgumentXml("kind", kind)) +
              Link("weather.level", id + ".u", AdaptorXml("linear")) + Observe(id + ".y");
    }
  }
  ExpectNone(RunLong(body, folder.Path() / "run"), "FMUs");
}

TEST(Growth, OfNoModelWithBmi) {
  const ScratchFolder folder("growth");
  const std::string body =
      Weather() +
      ComponentXml("bmi", "openmi.bmi.Model", "openmi-bmi-bridge",
                   ArgumentXml("library", OPENMI_BINARY_DIR "/lib/openmi2/libheat_c.so") +
                       ArgumentXml("config-file", folder.Write("plate.cfg", "6 4 0.05 1000000000\n")) + kSecond) +
      Link("weather.level", "bmi.plate_edge__temperature",
           AdaptorXml("linear") + AdaptorXml("expression", ArgumentXml("formula", "x") + ArgumentXml("unit", "K"))) +
      Pond("pond") +
      Link("bmi.plate_surface__temperature", "pond.in",
           AdaptorXml("one-value", ArgumentXml("of", "mean")) +
               AdaptorXml("expression", ArgumentXml("formula", "x") + ArgumentXml("unit", "1"))) +
      Observe("pond.out");
  ExpectNone(RunLong(body, folder.Path() / "run"), "BMI");
}

TEST(Growth, OfNoComponentInC) {
  const ScratchFolder folder("growth");
  const std::string body = Weather() + Stream(folder) + ComponentXml("pond", "matrix.CPond", kInC, kSecond) +
                           Link("weather.level", "pond.in", AdaptorXml("linear")) +
                           ComponentXml("relay", "matrix.CRelay", kInC, kSecond) + Link("stream.mode", "relay.heard") +
                           Ear("ear") + Link("relay.said", "ear.word") + Observe("pond.out") + Observe("ear.heard");
  ExpectNone(RunLong(body, folder.Path() / "run"), "components in C");
}

#ifdef OPENMI_GROWTH_HAS_PYTHON
TEST(Growth, OfNoComponentInPython) {
  const ScratchFolder folder("growth");
  const std::string body = Weather() +
                           ComponentXml("pond", "Pond", OPENMI_SOURCE_DIR "/tests/matrix/pond.py", kSecond) +
                           Link("weather.level", "pond.in", AdaptorXml("linear")) + Observe("pond.out");
  ExpectNone(RunLong(body, folder.Path() / "run"), "components in Python");
}
#endif

#ifdef OPENMI_GROWTH_HAS_DOTNET
TEST(Growth, OfNoComponentInDotnet) {
  const ScratchFolder folder("growth");
  const std::string step = ArgumentXml("step", "1.1574074074074073e-05");  // a second, in days
  const std::string body =
      Weather() + ComponentXml("pond", "Matrix.Pond", OPENMI_BINARY_DIR "/tests/matrix-plugins/Pond.dll", step) +
      Link("weather.level", "pond.in", AdaptorXml("linear")) +
      ComponentXml("tank", "Tanks.Tank", OPENMI_BINARY_DIR "/tests/dotnet/Tank.dll", step) +
      Link("pond.out", "tank.inflow",
           AdaptorXml("expression", ArgumentXml("formula", "x") + ArgumentXml("unit", "m3 s-1")) +
               AdaptorXml("mean-over-span")) +
      ComponentXml("ponds", "openmi.NashCascade", "openmi-components", kSecond) +
      Link("tank.outflow", "ponds.inflow", AdaptorXml("scale", ArgumentXml("factor", "2"))) + Observe("pond.out") +
      Observe("ponds.outflow");
  ExpectNone(RunLong(body, folder.Path() / "run"), "components in .NET");
}
#endif

TEST(Growth, OfNoTextsBytesAndMessages) {
  const ScratchFolder folder("growth");
  const std::string table = ArgumentXml("table", "low=0; middle=0.3; high=0.6");
  const std::string body =
      Weather() + Stream(folder) + Truth() + Ear("ear") + Ear("other") + Link("stream.mode", "ear.word") +
      Fmu("relay", "3/Feedthrough") + Link("truth.message", "relay.Binary_input") +
      Link("relay.Binary_output", "ear.letter") +
      Link("weather.level", "other.word", AdaptorXml("linear") + AdaptorXml("numbers-to-categories", table)) +
      ComponentXml("cars", "openmi.osi.Fields", "openmi-osmp-bridge",
                   ArgumentXml("fields", "x=moving_object[*].base.position.x") + ArgumentXml("objects", "10 11 12")) +
      ComponentXml("there", "openmi.osi.Fields", "openmi-osmp-bridge",
                   ArgumentXml("fields", "x=moving_object[*].base.position.x")) +
      ComponentXml("crowd", "matrix.Crowd", kModel, kSecond) +
      ComponentXml(
          "view", "openmi.osi.Message", "openmi-osmp-bridge",
          ArgumentXml("message", "SensorView") + ArgumentXml("fields", "truth=global_ground_truth") + kSecond) +
      ComponentXml("trace", "openmi.osi.Recorder", "openmi-osmp-bridge", ArgumentXml("file", "trace_sv.osi")) +
      Link("truth.message", "cars.message") + Link("truth.message", "there.message") + Link("there.x", "crowd.who") +
      Link("truth.message", "view.truth") + Link("view.message", "trace.message") + Observe("ear.heard") +
      Observe("other.heard") + Observe("cars.x") + Observe("crowd.seen");
  ExpectNone(RunLong(body, folder.Path() / "run"), "texts, bytes, categories and messages");
}

TEST(Growth, OfNoConsumerThatMakesNoStep) {
  const ScratchFolder folder("growth");
  // Nobody draws on the idle ones, and the trigger is another: they make no step.
  const std::string body = Weather() + Stream(folder) + Truth() + FedPond("pond") + Pond("more") + Ear("ear") +
                           FedPond("idle") + Link("stream.x", "more.in", AdaptorXml("linear")) +
                           Link("stream.mode", "ear.word") + Ear("deaf") + Link("stream.mode", "deaf.word") +
                           Ear("blind") + Fmu("relay", "3/Feedthrough") + Link("truth.message", "relay.Binary_input") +
                           Link("relay.Binary_output", "ear.letter") + Link("truth.message", "blind.letter") +
                           Observe("ear.heard") + Observe("pond.out");
  ExpectNone(RunLong(body, folder.Path() / "run", {.run = "Trigger=\"pond\""}), "consumers that make no step");
}

TEST(Growth, OfNoPlaceThatMoves) {
  const ScratchFolder folder("growth");
  const std::string body =
      Weather(ArgumentXml("cells", "changing")) + ComponentXml("basin", "matrix.Basin", kModel, kSecond) +
      Link("weather.field", "basin.field", AdaptorXml("area-weighted-mean") + AdaptorXml("mean-over-span")) +
      Observe("basin.caught");
  ExpectNone(RunLong(body, folder.Path() / "run"), "places that move");
}

TEST(Growth, OfNoLoop) {
  const ScratchFolder folder("growth");
  std::string body = Weather();
  const auto pair = [&](const std::string& name, const std::string& attributes) {
    body += FedPond(name + "1") + Pond(name + "2") + Link(name + "1.out", name + "2.in") +
            Link(name + "2.out", name + "1.back", {}, attributes) +
            Observe(name + "2.out", "Every=\"PT1M\" As=\"mean\"");
  };
  pair("lagged", "");
  pair("extrapolated", "Loop=\"extrapolate\"");
  for (const char* method : {"quasi-newton", "anderson", "aitken", "relaxation", "fixed-point"}) {
    pair(method, "");
    body += fmt::format(
        "<Iterate Components=\"{0}1 {0}2\" Method=\"{0}\" {1} RelativeTolerance=\"1e-4\" "
        "AbsoluteTolerance=\"1e-4\"/>\n",
        method, method == std::string("relaxation") ? "Relaxation=\"0.9\"" : "");
  }
  ExpectNone(RunLong(body, folder.Path() / "run"), "loops");
}

TEST(Growth, OfNoObserver) {
  const ScratchFolder folder("growth");
  std::string body =
      Weather() + FedPond("pond") + ComponentXml("basin", "matrix.Basin", kModel, kSecond) +
      Link("weather.field", "basin.field", AdaptorXml("area-weighted-mean") + AdaptorXml("mean-over-span")) +
      "<Checkpoints Every=\"PT1H\"/>\n" + Observe("weather.field") + Observe("pond.out");
  for (const char* as : {"mean", "sum", "minimum", "maximum", "instant"}) {
    body += Observe("pond.out", fmt::format("Id=\"{0}\" Every=\"PT7S\" As=\"{0}\"", as));
  }
  ExpectNone(RunLong(body, folder.Path() / "run"), "observers");
}

TEST(Growth, OfNoOperator) {
  const ScratchFolder folder("growth");
  ExpectNone(RunLong(Weather() + FedPond("pond") + Observe("pond.out"), folder.Path() / "run", {.has_operator = true}),
             "an operator");
}

TEST(Growth, OfNoSlave) {
  const ScratchFolder folder("growth");
  std::ifstream in(OPENMI_SOURCE_DIR "/examples/dcp-tank/tank.dcpx");
  std::string description{std::istreambuf_iterator<char>(in), {}};
  const int port = TankSlave::FreePort();
  description.replace(description.find("38571"), 5, std::to_string(port));
  const std::string file = folder.Write("tank.dcpx", description);
  const TankSlave slave(file, port);
  const std::string body =
      Weather() +
      ComponentXml("tank", "openmi.dcp.Slave", "openmi-dcp-bridge", ArgumentXml("description", file) + kSecond) +
      Link("weather.level", "tank.inflow",
           AdaptorXml("linear") +
               AdaptorXml("expression", ArgumentXml("formula", "x") + ArgumentXml("unit", "m3 s-1"))) +
      Observe("tank.level");
  ExpectNone(RunLong(body, folder.Path() / "run", {.slave = slave.Process()}), "a DCP slave");
}

TEST(Growth, OfNoThread) {
  const ScratchFolder folder("growth");
  std::string body = Weather();
  for (const char* id : {"a", "b", "c", "d"}) body += FedPond(id) + Observe(fmt::format("{}.out", id));
  ExpectNone(RunLong(body, folder.Path() / "run", {.threads = 2}), "threads");
}

TEST(Growth, OfNoProcess) {
  const ScratchFolder folder("growth");
  const std::string apart = "Isolation=\"process\"";
  const std::string body = Weather({}, apart) + FedPond("pond", apart) + Observe("pond.out") + Observe("weather.field");
  ExpectNone(RunLong(body, folder.Path() / "run"), "components in processes");
}

TEST(Growth, OfNoTextsBytesAndMessagesBetweenProcesses) {
  const ScratchFolder folder("growth");
  const std::string apart = "Isolation=\"process\"";
  const std::string body = Weather() + Stream(folder, apart) + Truth(apart) + Ear("ear", apart) +
                           Link("stream.mode", "ear.word") + Link("truth.message", "ear.letter") +
                           ComponentXml("there", "openmi.osi.Fields", "openmi-osmp-bridge",
                                        ArgumentXml("fields", "x=moving_object[*].base.position.x"), apart) +
                           ComponentXml("crowd", "matrix.Crowd", kModel, kSecond) +
                           Link("truth.message", "there.message") + Link("there.x", "crowd.who") +
                           Observe("ear.heard") + Observe("crowd.seen");
  ExpectNone(RunLong(body, folder.Path() / "run"), "texts, bytes and messages between processes");
}

}  // namespace
}  // namespace openmi::growth
