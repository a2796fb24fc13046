#include "tests/matrix/Subject.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include "fmi-bridge/fmi/ssp/ImportByPart.hpp"

namespace openmi::matrix {
namespace {

namespace fs = std::filesystem;

// The places of the dimensions.
enum SubjectPlace : std::size_t { kDrive, kLoop, kElements, kValue, kAdaptor, kComponent, kMissing, kPace, kFamily };
enum MannerPlace : std::size_t { kThreads, kIsolation, kExchange, kResume, kStudy };

std::string_view Of(const Cell& cell, SubjectPlace place) {
  return SubjectDimensions()[place].values[cell.subject[place]];
}
std::string_view Of(const Cell& cell, MannerPlace place) {
  return MannerDimensions()[place].values[cell.manner[place]];
}

std::string Argument(std::string_view key, std::string_view value) {
  return fmt::format("<Argument Key=\"{}\" Value=\"{}\"/>", key, value);
}

std::string Adaptor(std::string_view id, const std::string& arguments = {}) {
  return fmt::format("<Adaptor Id=\"{}\">{}</Adaptor>", id, arguments);
}

std::string Link(std::string_view from, std::string_view to, const std::string& adaptors = {},
                 std::string_view attributes = {}) {
  return fmt::format("  <Link From=\"{}\" To=\"{}\" {}>{}</Link>\n", from, to, attributes, adaptors);
}

/// Writes components with what the manner says of all of them.
class Components {
 public:
  explicit Components(const Cell& cell) : isolation_(Of(cell, kIsolation)) {}
  /// How the component is separated: by turns in one of two groups, whose hosts the run names, or as the file says.
  std::string Apart() const {
    if (isolation_ != "groups" && isolation_ != "parts") return fmt::format("Isolation=\"{}\"", isolation_);
    is_first_ = !is_first_;
    return is_first_ ? "Group=\"first\"" : "Group=\"second\"";
  }
  std::string One(std::string_view id, std::string_view type, std::string_view assembly,
                  const std::string& arguments = {}) const {
    return fmt::format("  <Component Id=\"{}\" Type=\"{}\" Assembly=\"{}\" KeepState=\"true\" {}>{}</Component>\n", id,
                       type, assembly, Apart(), arguments);
  }
  /// Ponds that feed each other.
  std::string Population(std::string_view id) const {
    return fmt::format(
        "  <Population Id=\"{}\" Omi=\"pond.omi\" Of=\"ponds.csv\" Key=\"pond\" KeepState=\"true\" {}>"
        "<Network From=\"out\" To=\"back\" Column=\"below\"/></Population>\n",
        id, InParts());
  }
  /// Reaches, from one to the next.
  std::string River(std::string_view id, const std::string& step) const {
    return fmt::format(
        "  <Population Id=\"{}\" Omi=\"reach.omi\" Of=\"reaches.csv\" Key=\"reach\" KeepState=\"true\" "
        "{}>{}"
        "<Network From=\"outflow\" To=\"inflow\" Column=\"below\"/></Population>\n",
        id, InParts(), Argument("length", "{{length}}") + step);
  }

 private:
  /// The same for a population.
  std::string InParts() const { return Apart() + (isolation_ == "parts" ? " Parts=\"2\" PartsBy=\"basin\"" : ""); }
  std::string_view isolation_;
  mutable bool is_first_ = false;
};

constexpr std::string_view kSource = OPENMI_BINARY_DIR "/tests/matrix-plugins/libmatrix_source.so";
constexpr std::string_view kModel = OPENMI_BINARY_DIR "/tests/matrix-plugins/libmatrix_model.so";
constexpr std::string_view kInC = OPENMI_BINARY_DIR "/tests/matrix-plugins/libmatrix_c.so";
constexpr std::string_view kInPython = OPENMI_SOURCE_DIR "/tests/matrix/pond.py";
#ifdef OPENMI_MATRIX_HAS_PYTHON
#define OPENMI_MATRIX_PYTHON , "python", "python-adaptor"
#else
#define OPENMI_MATRIX_PYTHON
#endif
#ifdef OPENMI_MATRIX_HAS_DOTNET
#define OPENMI_MATRIX_DOTNET , "dotnet"
#else
#define OPENMI_MATRIX_DOTNET
#endif
#ifdef OPENMI_MATRIX_HAS_MPI
#define OPENMI_MATRIX_MPI , "ranks"
#else
#define OPENMI_MATRIX_MPI
#endif
constexpr std::string_view kInDotnet = OPENMI_BINARY_DIR "/tests/matrix-plugins/Pond.dll";
constexpr std::string_view kFmus = OPENMI_BINARY_DIR "/examples/fmus";
/// Its library is one of this machine under the name of one for Windows, and so is the host that loads it.
constexpr std::string_view kWindowsFmu = OPENMI_BINARY_DIR "/tests/fmi-bridge/fmi/wine/fmus/2/Linear";
/// It brings its sources, which are compiled once.
constexpr std::string_view kSourceFmu = OPENMI_BINARY_DIR "/tests/matrix-plugins/Sources";
const bool keeps_compiled = setenv("XDG_CACHE_HOME", OPENMI_BINARY_DIR "/tests/matrix-plugins/cache", 1) == 0;
const bool has_windows_host = setenv("OPENMI_WINDOWS_HOST", OPENMI_MATRIX_WINDOWS_HOST, 1) == 0;

/// The link from the weather to an input of instants, by the adaptor of the cell.
std::string FedBy(const Cell& cell, std::string_view to, const std::string& last = {}) {
  const std::string_view adaptor = Of(cell, kAdaptor);
  const std::string linear = Adaptor("linear");
  if (adaptor == "direct") {
    // Where the provider's steps are longer, not every time that is asked for is there.
    return Link("weather.level", to, (Of(cell, kPace) == "slower" ? Adaptor("previous") : std::string()) + last);
  }
  if (adaptor == "conversion") return Link("weather.percent", to, linear + last);
  if (adaptor == "cubic") return Link("weather.level", to, Adaptor("cubic") + last);
  if (adaptor == "spans") return Link("weather.rain", to, linear + last);
  if (adaptor == "expression") {
    return Link("weather.level", to, Adaptor("expression", Argument("formula", "2 * x - x^2")) + linear + last);
  }
  if (adaptor == "delay") {
    return Link("weather.level", to,
                Adaptor("delay", Argument("delay", "PT2M") + Argument("extrapolation", "hold")) + last);
  }
  if (adaptor == "fill-gaps") return Link("weather.level", to, Adaptor("fill-gaps") + linear + last);
  return Link("weather.level", to, linear + last);
}

std::string Recording(const fs::path& folder) {
  std::ofstream lines(folder / "stream.jsonl");
  double x = 0.4;
  // Every 20 s, so that some messages lie on the steps of a minute, and beyond the end.
  for (int i = 0; i < 130; ++i) {
    x = 3.9 * x * (1.0 - x);
    const int second = 20 * i;
    lines << fmt::format("{{\"time\": \"2015-12-01T{:02}:{:02}:{:02}Z\", \"x\": {}, \"mode\": \"m{}\"}}\n",
                         second / 3600, second / 60 % 60, second % 60, x, static_cast<int>(x * 1000.0));
  }
  return (folder / "stream.jsonl").string();
}

std::string Slave(const fs::path& folder, int port) {
  std::ifstream in(OPENMI_SOURCE_DIR "/examples/dcp-tank/tank.dcpx");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto replace = [&text](std::string_view from, std::string_view to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("38571", std::to_string(port));
  replace("defaultSteps=\"1000\"", "defaultSteps=\"60000\"");
  std::ofstream(folder / "tank.dcpx") << text;
  return (folder / "tank.dcpx").string();
}

/// Two FMUs of a system structure, one in a nested system, as the components and links that its import makes of them.
std::string SystemStructure(const Components& make, const fs::path& folder) {
  const auto component = [](std::string_view name, std::string_view more) {
    return fmt::format(
        "<Component name=\"{}\" source=\"Linear.fmu\"><Connectors><Connector name=\"u\" kind=\"input\"/>"
        "<Connector name=\"y\" kind=\"output\"/></Connectors>{}</Component>",
        name, more);
  };
  constexpr std::string_view kRate =
      "<ParameterBindings><ParameterBinding><ParameterValues><ssv:ParameterSet version=\"1.0\" name=\"p\">"
      "<ssv:Parameters><ssv:Parameter name=\"k\"><ssv:Real value=\"0.001\"/></ssv:Parameter></ssv:Parameters>"
      "</ssv:ParameterSet></ParameterValues></ParameterBinding></ParameterBindings>";
  const fs::path system = folder / "system";
  fs::create_directories(system);
  fs::copy_file(fmt::format("{}/2/Linear.fmu", kFmus), system / "Linear.fmu", fs::copy_options::overwrite_existing);
  std::ofstream(system / "pair.ssd")
      << "<SystemStructureDescription xmlns=\"http://ssp-standard.org/SSP1/SystemStructureDescription\" "
         "xmlns:ssv=\"http://ssp-standard.org/SSP1/SystemStructureParameterValues\" version=\"1.0\" "
         "name=\"pair\"><System name=\"root\"><Elements><System name=\"deep\"><Connectors><Connector name=\"out\" "
         "kind=\"output\"/></Connectors><Elements>"
      << component("first", kRate)
      << "</Elements><Connections><Connection startElement=\"first\" startConnector=\"y\" endConnector=\"out\"/>"
         "</Connections></System>"
      << component("mid", kRate)
      << "</Elements><Connections><Connection startElement=\"deep\" startConnector=\"out\" endElement=\"mid\" "
         "endConnector=\"u\"><LinearTransformation factor=\"0.5\" offset=\"-1\"/></Connection></Connections>"
         "</System><DefaultExperiment stopTime=\"1\"/></SystemStructureDescription>";
  Problems problems;
  ssp::SystemOptions options;
  options.step = 60.0;
  ssp::ImportedSystem made = ssp::ImportByPart(system / "pair.ssd", problems, options);
  if (!problems.empty()) throw std::runtime_error(FormatProblem(problems[0]));
  made.composition.run.reset();
  std::string text = CompositionText(made.composition);
  text = text.substr(text.find("<Component "), text.find("</Composition>") - text.find("<Component "));
  constexpr std::string_view kElement = "<Component ";
  for (std::size_t at = 0; (at = text.find(kElement, at)) != std::string::npos; at += kElement.size()) {
    text.insert(at + kElement.size(), make.Apart() + " KeepState=\"true\" ");
  }
  return text;
}

/// The file of a state of an FMU that ran for the hour before. \param fmu  its arguments
std::string WarmState(const fs::path& folder, const std::string& fmu) {
  const std::string file = (folder / "warm.xml").string();
  std::ofstream(file) << fmt::format(
      "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"warm\"><Component Id=\"mid\" Type=\"openmi.fmi.Fmu\" "
      "Assembly=\"openmi-fmi-bridge\">{}{}</Component><Run From=\"2015-11-30T23:00Z\" "
      "To=\"2015-12-01T00:00Z\"/></Composition>",
      fmu, Argument("end-state", "warm.state"));
  const std::string command =
      fmt::format("'{}/bin/openmi' run --quiet --no-report --overwrite --results '{}/warm' '{}'", OPENMI_BINARY_DIR,
                  folder.string(), file);
  if (std::system(command.c_str()) != 0) throw std::runtime_error("'" + command + "' failed");
  return (folder / "warm/warm.state").string();
}

/// The component in the middle, between the weather and the ponds. \param out  becomes what it gives
std::string Middle(const Cell& cell, const Components& make, const fs::path& folder, int port, std::string& out) {
  const std::string_view kind = Of(cell, kComponent);
  const std::string step = Argument("time-step", "PT1M");
  out = "mid.y";
  if (kind == "expression") {
    return make.One(
               "mid", "openmi.Expression", "openmi-components",
               Argument("inputs", "u[1]") + Argument("outputs", "y=0.5*u+1[1]") + Argument("asks", "instant") + step) +
           FedBy(cell, "mid.u");
  }
  if (kind == "fmu-2" || kind == "fmu-3" || kind == "fmu-me" || kind == "windows-fmu" || kind == "source-fmu" ||
      kind == "fmu-states") {
    const std::string path = kind == "windows-fmu" ? std::string(kWindowsFmu)
                             : kind == "source-fmu"
                                 ? std::string(kSourceFmu)
                                 : fmt::format("{}/{}/Linear.fmu", kFmus, kind == "fmu-2" ? "2" : "3");
    std::string arguments = Argument("fmu", path) + Argument("k", "0.001") + Argument("missing-inputs", "hold") +
                            Argument("kind", kind == "fmu-me" ? "model-exchange" : "co-simulation") + step;
    if (kind == "fmu-2") arguments += Argument("rows-within-steps", "2");
    if (kind == "source-fmu") arguments += Argument("compile", "true");
    if (kind == "fmu-states") {
      arguments += Argument("start-state", WarmState(folder, arguments)) + Argument("end-state", kEndState);
    }
    return make.One("mid", "openmi.fmi.Fmu", "openmi-fmi-bridge", arguments) + FedBy(cell, "mid.u");
  }
  if (kind == "ssp") {
    return SystemStructure(make, folder) + FedBy(cell, "deep/first.u", Adaptor("fill-missing", Argument("value", "0")));
  }
  if (kind == "fmu-se") {
    out = "mid.sampled";
    return make.One("mid", "openmi.fmi.Fmu", "openmi-fmi-bridge",
                    Argument("fmu", fmt::format("{}/3/Partitions.fmu", kFmus)) + Argument("gain", "0.5") +
                        Argument("missing-inputs", "hold") + step) +
           FedBy(cell, "mid.signal");
  }
  if (kind == "fmu-can") {  // two nodes on a CAN bus, two or three frames a step
    const auto node = [&](std::string_view id, std::string_view period) {
      return make.One(id, "openmi.fmi.Fmu", "openmi-fmi-bridge",
                      Argument("fmu", fmt::format("{}/3/CanNode.fmu", kFmus)) + Argument("period", period) + step);
    };
    out = "mid.sum";
    return node("bus", "25") + node("mid", "1000000") + Link("bus.Can.Tx_Data", "mid.Can.Rx_Data") +
           Link("bus.Can.Tx_Clock", "mid.Can.Rx_Clock") + make.One("side", "matrix.Pond", kModel) +
           FedBy(cell, "side.in") + "  <Observe Item=\"side.out\"/>\n";
  }
  if (kind == "bmi") {
    std::ofstream(folder / "plate.cfg") << "6 4 0.05 100000\n";
    out = "mid.plate_surface__temperature";
    return make.One("mid", "openmi.bmi.Model", "openmi-bmi-bridge",
                    Argument("library", OPENMI_BINARY_DIR "/lib/openmi2/libheat_c.so") +
                        Argument("config-file", (folder / "plate.cfg").string()) + step) +
           FedBy(cell, "mid.plate_edge__temperature",
                 Adaptor("expression", Argument("formula", "x") + Argument("unit", "K")));
  }
  if (kind == "bmi-states") {
    std::ofstream(folder / "store.cfg") << "protocol 2\n";
    out = "mid.level";
    return make.One("mid", "openmi.bmi.Model", "openmi-bmi-bridge",
                    Argument("library", OPENMI_BINARY_DIR "/tests/bmi-libraries/libstore_model.so") +
                        Argument("config-file", (folder / "store.cfg").string())) +
           FedBy(cell, "mid.inflow", Adaptor("expression", Argument("formula", "x") + Argument("unit", "m3 s-1")));
  }
  if (kind == "bmi-solve") {  // iterates within its time steps with a neighbour
    std::ofstream(folder / "solve.cfg") << "0\n";
    out = "mid.level";
    return make.One("mid", "openmi.bmi.Model", "openmi-bmi-bridge",
                    Argument("library", OPENMI_BINARY_DIR "/tests/bmi-libraries/libsolve_model.so") +
                        Argument("config-file", (folder / "solve.cfg").string())) +
           make.One("bank", "openmi.Expression", "openmi-components",
                    Argument("inputs", "u[1],w[1]") + Argument("outputs", "y=0.5*u+w[1]") +
                        Argument("asks", "instant") + step) +
           Link("bank.y", "mid.neighbour") + Link("mid.level", "bank.u") +
           FedBy(cell, "bank.w",
                 Adaptor("fill-missing", Argument("value", "0"))) +  // a solver does not recover from NaN
           "  <Iterate Components=\"mid bank\" Method=\"fixed-point\" RelativeTolerance=\"1e-9\" "
           "AbsoluteTolerance=\"1e-12\" MaxIterations=\"200\"/>\n";
  }
  if (kind == "c") {
    out = "mid.out";
    return make.One("mid", "matrix.CPond", kInC) + FedBy(cell, "mid.in");
  }
  if (kind == "population") {
    std::ofstream(folder / "ponds.csv") << "pond,below,basin\na,c,1\nb,c,1\nd,,2\nc,,1\n";
    std::ofstream(folder / "pond.omi") << fmt::format(
        R"(<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="matrix.CPond" Assembly="{}"/>)", kInC);
    out = "mid.out";
    return make.One("spread", "openmi.Gather", "openmi-components",
                    Argument("elements", "a,b,d,c") + Argument("asks", "instant") + step) +
           FedBy(cell, "spread.a") + FedBy(cell, "spread.b") + FedBy(cell, "spread.c") + FedBy(cell, "spread.d") +
           make.Population("mid") + Link("spread.values", "mid.in");
  }
  if (kind == "river") {
    // Reaches of a river: what flows into the upper ones is what comes along the whole network.
    std::ofstream(folder / "reaches.csv") << "reach,length,below,basin\na,900,c,1\nb,1700,c,1\nd,1200,,2\nc,2500,,1\n";
    std::ofstream(folder / "reach.omi")
        << R"(<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="openmi.MuskingumCunge" Assembly="openmi-components"/>)";
    out = "mid.outflow";
    const std::string as_flow = Adaptor("expression", Argument("formula", "abs(x)") + Argument("unit", "m3 s-1"));
    return make.One("spread", "openmi.Gather", "openmi-components",
                    Argument("elements", "a,b,d,c") + Argument("unit", "m3 s-1") + Argument("asks", "instant") + step) +
           FedBy(cell, "spread.a", as_flow) + FedBy(cell, "spread.b", as_flow) + FedBy(cell, "spread.c", as_flow) +
           FedBy(cell, "spread.d", as_flow) + make.River("mid", step) +
           Link("spread.values", "mid.lateral-inflow", Adaptor("mean-over-span"));
  }
  if (kind.starts_with("python")) {
    out = "mid.out";
    return make.One("mid", "Pond", kInPython) + FedBy(cell, "mid.in");
  }
  if (kind == "dotnet") {
    out = "mid.out";
    return make.One("mid", "Matrix.Pond", kInDotnet) + FedBy(cell, "mid.in");
  }
  if (kind == "ranks") {  // they have processes of their own, whatever the manner says
    out = "mid.out";
    return fmt::format(
               "  <Component Id=\"mid\" Type=\"matrix.SharedPonds\" Assembly=\"{}\" KeepState=\"true\" Ranks=\"2\"/>\n",
               kModel) +
           FedBy(cell, "mid.in");
  }
  if (kind == "dcp") {
    out = "mid.level";
    return make.One("mid", "openmi.dcp.Slave", "openmi-dcp-bridge",
                    Argument("description", Slave(folder, port)) + step) +
           FedBy(cell, "mid.inflow", Adaptor("expression", Argument("formula", "x") + Argument("unit", "m3 s-1")));
  }
  if (kind == "stream") {
    out = "mid.x";
    return make.One("mid", "openmi.broker.Stream", "openmi-broker-bridge",
                    Argument("recording", Recording(folder)) + Argument("fields", "x=x[1]") + step) +
           make.One("side", "matrix.Pond", kModel) + FedBy(cell, "side.in") + "  <Observe Item=\"side.out\"/>\n";
  }
  out = "mid.out";
  return make.One("mid", "matrix.Pond", kModel) + FedBy(cell, "mid.in");
}

std::string FromMiddle(const Cell& cell, const std::string& out) {
  const std::string_view kind = Of(cell, kComponent);
  const std::string to_one = Adaptor("expression", Argument("formula", "x") + Argument("unit", "1"));
  if (kind == "bmi") return Link(out, "up.in", Adaptor("one-value", Argument("of", "mean")) + to_one);
  if (kind == "population" || kind == "ranks") return Link(out, "up.in", Adaptor("one-value", Argument("of", "mean")));
  if (kind == "river") return Link(out, "up.in", Adaptor("one-value", Argument("of", "mean")) + to_one);
  if (kind == "dcp") return Link(out, "up.in", to_one);
  if (kind == "python-adaptor") return Link(out, "up.in", Adaptor("soft-limit", Argument("limit", "0.75")));
  return Link(out, "up.in");
}

/// Two ponds, the second of which may answer back.
std::string Ponds(const Cell& cell, const Components& make) {
  const std::string_view loop = Of(cell, kLoop);
  std::string text =
      make.One("up", "matrix.Pond", kModel) + make.One("down", "matrix.Pond", kModel) + Link("up.out", "down.in");
  if (loop == "none") return text;
  text += Link("down.out", "up.back", {}, loop == "extrapolated" ? "Loop=\"extrapolate\"" : "");
  if (loop == "lagged" || loop == "extrapolated") return text;
  const std::string_view relaxation = loop == "relaxation" ? "Relaxation=\"0.8\"" : "";
  return text + fmt::format(
                    "  <Iterate Components=\"up down\" Method=\"{}\" {} RelativeTolerance=\"1e-10\" "
                    "AbsoluteTolerance=\"1e-12\" MaxIterations=\"200\"/>\n",
                    loop, relaxation);
}

/// An OSI message of the cars that are there at each step. \param id  of the component
std::string Truth(std::string_view id, const Components& make) {
  return make.One(id, "openmi.osi.Message", "openmi-osmp-bridge",
                  Argument("fields", "x=moving_object[*].base.position.x") + Argument("objects", "10 11 12") +
                      Argument("constants", "moving_object[*].type=2") + Argument("time-step", "PT1M")) +
         Link("weather.cars", fmt::format("{}.x", id), Adaptor("linear"));
}

/// A field of cells, caught on cells of other places; or objects that come and go.
std::string Field(const Cell& cell, const Components& make) {
  if (Of(cell, kElements) == "none") return {};
  if (Of(cell, kElements) == "come-and-go") {
    return Truth("road", make) +
           make.One("there", "openmi.osi.Fields", "openmi-osmp-bridge",
                    Argument("fields", "x=moving_object[*].base.position.x")) +
           make.One("crowd", "matrix.Crowd", kModel) + Link("road.message", "there.message") +
           Link("there.x", "crowd.who") + "  <Observe Item=\"crowd.seen\"/>\n";
  }
  return make.One("basin", "matrix.Basin", kModel) +
         Link("weather.field", "basin.field", Adaptor("area-weighted-mean") + Adaptor("mean-over-span")) +
         "  <Observe Item=\"basin.caught\"/>\n";
}

/// Bytes through an FMU, messages of OSI read again, categories there and back.
std::string OtherValues(const Cell& cell, const Components& make) {
  const std::string_view value = Of(cell, kValue);
  if (value == "categories") {
    const std::string table = Argument("table", "low=0; middle=0.3; high=0.6");
    const std::string there = Adaptor("linear") + Adaptor("numbers-to-categories", table);
    return make.One("ear", "matrix.Ear", kModel) + make.One("rank", "matrix.Pond", kModel) +
           Link("weather.level", "ear.word", there) +
           Link("weather.level", "rank.in", there + Adaptor("categories-to-numbers", table)) +
           "  <Observe Item=\"ear.heard\"/>\n  <Observe Item=\"rank.out\"/>\n";
  }
  if (value == "bytes") {
    return Truth("truth", make) +
           make.One("relay", "openmi.fmi.Fmu", "openmi-fmi-bridge",
                    Argument("fmu", fmt::format("{}/3/Feedthrough.fmu", kFmus)) + Argument("time-step", "PT1M")) +
           make.One("ear", "matrix.Ear", kModel) + Link("truth.message", "relay.Binary_input") +
           Link("relay.Binary_output", "ear.letter") + "  <Observe Item=\"ear.heard\"/>\n";
  }
  return Truth("truth", make) +
         make.One("cars", "openmi.osi.Fields", "openmi-osmp-bridge",
                  Argument("fields", "x=moving_object[*].base.position.x nanos=timestamp.nanos") +
                      Argument("objects", "12 10")) +
         make.One("lane", "matrix.Pond", kModel) + Link("truth.message", "cars.message") +
         Link("cars.x", "lane.in",
              Adaptor("one-value", Argument("of", "sum")) +
                  Adaptor("expression", Argument("formula", "x") + Argument("unit", "1"))) +
         "  <Observe Item=\"cars.x\"/>\n  <Observe Item=\"lane.out\"/>\n";
}

/// Texts, straight out of a stream or through an FMU.
std::string Texts(const Cell& cell, const Components& make, const fs::path& folder) {
  const std::string_view value = Of(cell, kValue);
  if (value == "number") return {};
  if (!value.starts_with("text")) return OtherValues(cell, make);
  const std::string step = Argument("time-step", value == "text-slower" ? "PT3M" : "PT1M");
  std::string text = make.One("talk", "openmi.broker.Stream", "openmi-broker-bridge",
                              Argument("recording", Recording(folder)) + Argument("fields", "mode:string") + step);
  std::string from = "talk.mode";
  if (value == "text-fmu") {
    text += make.One("relay", "openmi.fmi.Fmu", "openmi-fmi-bridge",
                     Argument("fmu", fmt::format("{}/3/Feedthrough.fmu", kFmus)) + Argument("time-step", "PT1M")) +
            Link(from, "relay.String_input");
    from = "relay.String_output";
  } else if (value == "text-c") {
    text += make.One("relay", "matrix.CRelay", kInC) + Link(from, "relay.heard");
    from = "relay.said";
  }
  return text + make.One("ear", "matrix.Ear", kModel) + Link(from, "ear.word") + "  <Observe Item=\"ear.heard\"/>\n";
}

std::string NameOf(const Dimension& dimension, std::size_t value) {
  return fmt::format("{}={}", dimension.name, dimension.values[value]);
}

}  // namespace

const std::vector<Dimension>& SubjectDimensions() {
  static const std::vector<Dimension> dimensions = {
      {"drive", {"pull", "step"}},
      {"loop", {"none", "lagged", "extrapolated", "quasi-newton", "anderson", "aitken", "relaxation", "fixed-point"}},
      {"elements", {"none", "static", "moving", "changing", "come-and-go"}},
      {"value", {"number", "text", "text-slower", "text-fmu", "text-c", "bytes", "osi", "categories"}},
      {"adaptor", {"linear", "direct", "conversion", "cubic", "spans", "expression", "delay", "fill-gaps"}},
      {"component",
       {"plain", "expression", "fmu-2", "fmu-3", "fmu-me", "fmu-se", "fmu-can", "fmu-states", "source-fmu",
        "windows-fmu", "ssp", "bmi", "bmi-states", "bmi-solve", "dcp", "stream", "c", "population",
        "river" OPENMI_MATRIX_PYTHON OPENMI_MATRIX_DOTNET OPENMI_MATRIX_MPI}},
      {"missing", {"no", "yes"}},
      {"provider", {"equal", "faster", "slower"}},
      {"family", {"in", "left-out"}},
  };
  return dimensions;
}

const std::vector<Dimension>& MannerDimensions() {
  static const std::vector<Dimension> dimensions = {
      {"threads", {"1", "2", "4"}}, {"isolation", {"none", "process", "instance", "groups", "parts"}},
      {"exchange", {"no", "yes"}},  {"resume", {"no", "yes"}},
      {"study", {"no", "member"}},
  };
  return dimensions;
}

std::string TextOf(const Cell& cell, bool brief) {
  std::string text;
  const auto add = [&](const std::vector<Dimension>& dimensions, const Choice& choice) {
    for (std::size_t i = 0; i < choice.size(); ++i) {
      if (brief && choice[i] == 0) continue;
      if (!text.empty()) text += ' ';
      text += NameOf(dimensions[i], choice[i]);
    }
  };
  add(SubjectDimensions(), cell.subject);
  add(MannerDimensions(), cell.manner);
  return text;
}

namespace {

bool IsInParts(std::size_t manner, std::size_t value) {
  return manner == kIsolation && MannerDimensions()[manner].values[value] == std::string_view("parts");
}

bool IsPopulation(std::size_t component) {
  const std::string_view kind = SubjectDimensions()[kComponent].values[component];
  return kind == "population" || kind == "river";
}

/// Members of studies have no operator, who takes families out. Only populations have parts.
bool HasMeaning(std::size_t subject, std::size_t value, std::size_t manner, std::size_t manner_value) {
  return (subject != kFamily || value == 0 || manner != kStudy) &&
         (subject != kComponent || IsPopulation(value) || !IsInParts(manner, manner_value));
}

}  // namespace

std::vector<std::string> PairsOf(const Cell& cell) {
  const auto& subjects = SubjectDimensions();
  const auto& manners = MannerDimensions();
  std::vector<std::string> pairs;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    const std::string first = NameOf(subjects[i], cell.subject[i]) + " ";
    for (std::size_t j = i + 1; j < subjects.size(); ++j) pairs.push_back(first + NameOf(subjects[j], cell.subject[j]));
    for (std::size_t j = 0; j < manners.size(); ++j) {
      if (cell.manner[j] != 0 && HasMeaning(i, cell.subject[i], j, cell.manner[j]))
        pairs.push_back(first + NameOf(manners[j], cell.manner[j]));
    }
  }
  return pairs;
}

std::vector<std::string> AllPairs() {
  const auto& subjects = SubjectDimensions();
  std::vector<std::string> pairs;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    for (std::size_t a = 0; a < subjects[i].values.size(); ++a) {
      const std::string first = NameOf(subjects[i], a) + " ";
      for (std::size_t j = i + 1; j < subjects.size(); ++j) {
        for (std::size_t b = 0; b < subjects[j].values.size(); ++b) pairs.push_back(first + NameOf(subjects[j], b));
      }
      for (std::size_t j = 0; j < MannerDimensions().size(); ++j) {
        const Dimension& manner = MannerDimensions()[j];
        for (std::size_t b = 1; b < manner.values.size(); ++b) {
          if (HasMeaning(i, a, j, b)) pairs.push_back(first + NameOf(manner, b));
        }
      }
    }
  }
  return pairs;
}

std::string LeftOutFamily(const Cell& cell) {
  if (Of(cell, kFamily) == "in") return {};
  // A family whose links have adaptors of a component cannot leave.
  if (Of(cell, kComponent) == "python-adaptor") return "down";
  // A slave that answers one master ends with it.
  return Of(cell, kComponent) == "plain" || Of(cell, kComponent) == "dcp" ? "up" : "mid";
}

std::string ExchangedFamily(const Cell& cell) {
  if (Of(cell, kExchange) == "no") return {};
  std::vector<std::string> families = {"weather"};
  if (Of(cell, kComponent) == "python-adaptor") return "weather";
  if (LeftOutFamily(cell) != "up") families.emplace_back("up");
  // Those that keep no state begin anew when they come back, as docs/families.md says.
  const std::string_view kind = Of(cell, kComponent);
  if (LeftOutFamily(cell) != "mid" && kind != "plain" && kind != "dcp" && kind != "bmi" && kind != "bmi-solve") {
    families.emplace_back("mid");
  }
  return families[NumberOf(cell) % families.size()];
}

std::size_t NumberOf(const Cell& cell) {
  std::size_t number = 17;
  for (const Choice* choice : {&cell.subject, &cell.manner}) {
    for (const std::size_t place : *choice) number = number * 31 + place;
  }
  return number >> 3;
}

std::size_t ThreadsOf(const Cell& cell) {
  return static_cast<std::size_t>(Of(cell, kThreads)[0] - '0');
}
bool IsOnHosts(const Cell& cell) {
  return Of(cell, kIsolation) == "groups" || IsInParts(kIsolation, cell.manner[kIsolation]);
}

bool IsResumed(const Cell& cell) {
  return Of(cell, kResume) == "yes";
}
bool IsMember(const Cell& cell) {
  return Of(cell, kStudy) == "member";
}
void MakeSound(Cell& cell) {
  const bool has_parts = IsInParts(kIsolation, cell.manner[kIsolation]) && !IsMember(cell);
  while (has_parts && !IsPopulation(cell.subject[kComponent])) {
    cell.subject[kComponent] = (cell.subject[kComponent] + 1) % SubjectDimensions()[kComponent].values.size();
  }
  if (!IsMember(cell)) return;
  cell.subject[kFamily] = 0;
  cell.manner[kExchange] = 0;
  cell.manner[kResume] = 0;
  if (IsOnHosts(cell)) cell.manner[kIsolation] = 0;
}

bool IsWithinTolerance(const Cell& cell) {
  return Of(cell, kComponent) == "fmu-me" && (IsResumed(cell) || ExchangedFamily(cell) == "mid");
}

bool HasSlave(const Cell& cell) {
  return Of(cell, kComponent) == "dcp";
}

fs::path Write(const Cell& cell, const fs::path& folder, int port) {
  const Components make(cell);
  const std::string_view pace = Of(cell, kPace);
  const std::string_view step = pace == "faster" ? "PT20S" : pace == "slower" ? "PT3M" : "PT1M";
  const std::string_view elements = Of(cell, kElements);
  std::string out;
  std::string text =
      make.One("weather", "matrix.Weather", kSource,
               Argument("time-step", step) +
                   Argument("cells", elements == "moving" || elements == "changing" ? elements : "static") +
                   Argument("missing", Of(cell, kMissing) == "yes" ? "true" : "false"));
  text += Middle(cell, make, folder, port, out);
  text += Ponds(cell, make) + FromMiddle(cell, out) + Field(cell, make) + Texts(cell, make, folder);
  text += "  <Observe Item=\"weather.level\"/>\n  <Observe Item=\"up.out\"/>\n  <Observe Item=\"down.out\"/>\n";
  text += "  <Observe Item=\"up.gaps\"/>\n  <Observe Id=\"mean\" Item=\"down.out\" Every=\"PT5M\" As=\"mean\"/>\n";
  const fs::path file = folder / "cell.xml";
  std::ofstream(file) << fmt::format(
      "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"cell\">\n{}  <Run From=\"2015-12-01T00:00Z\" "
      "To=\"2015-12-01T00:36Z\" Mode=\"{}\"/>\n{}</Composition>\n",
      text, Of(cell, kDrive), Of(cell, kResume) == "yes" ? "  <Checkpoints Every=\"PT4M\"/>\n" : "");
  return file;
}

}  // namespace openmi::matrix
