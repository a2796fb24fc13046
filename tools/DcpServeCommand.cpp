#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "fmi-bridge/dcp/slave/SlaveMachine.hpp"
#include "fmi-bridge/dcp/slave/SlaveRunner.hpp"
#include "fmi-bridge/export/dcp/ServedModel.hpp"
#include "openmi/sdk/Error.hpp"
#include "tools/Commands.hpp"
#include "tools/ExportArguments.hpp"
#include "tools/Inputs.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Signals.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

constexpr double kUsualHeartbeat = 10.0;  // s

struct DcpServeArguments {
  std::string file;
  std::string host = "127.0.0.1";
  int port = 0;
  std::string describe;
  std::string transport = "both";
  std::string resolution;
  std::string heartbeat = "auto";
  std::string missed_inputs = "0";
  std::string exchange_log;
  std::vector<std::string> data_hosts;
  ExportArguments exported;
  bool is_lock_step = false;
  bool allows_restarted_numbers = false;
  bool is_once = false;
  bool is_talkative = false;
};

std::uint32_t ParseCount(std::string_view text) {
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count == 0) {
    throw UsageFault{fmt::format("--resolution: expected a fraction of seconds such as 1/1000, found '{}'", text)};
  }
  return count;
}

dcp::Resolution ParseResolution(const std::string& text) {
  const std::string_view all = text;
  const std::size_t slash = all.find('/');
  return {.numerator = ParseCount(all.substr(0, slash)),
          .denominator = slash == std::string_view::npos ? 1 : ParseCount(all.substr(slash + 1)),
          .is_fixed = true,
          .is_recommended = {}};
}

exported::ExportOptions ModelOptions(const DcpServeArguments& arguments) {
  exported::ExportOptions model;
  model.source = arguments.file;
  arguments.exported.PutInto(model);
  return model;
}

dcp::DescribeOptions DescriptionOptions(const DcpServeArguments& arguments) {
  dcp::DescribeOptions options;
  options.host = arguments.host;
  if (arguments.port > 0) options.port = static_cast<std::uint16_t>(arguments.port);
  options.has_udp = arguments.transport != "tcp";
  options.has_tcp = arguments.transport != "udp";
  if (!arguments.resolution.empty()) options.resolution = ParseResolution(arguments.resolution);
  if (arguments.missed_inputs == "any") {
    options.most_missed_inputs.reset();
  } else {
    const double most = ParseNumber(arguments.missed_inputs, "--missed-inputs");
    if (most > 65'535.0 || most != std::floor(most)) {
      throw UsageFault{"--missed-inputs: expected a whole number up to 65535, or any"};
    }
    options.most_missed_inputs = static_cast<std::uint32_t>(most);
  }
  if (arguments.heartbeat == "auto") {
    options.heartbeat_seconds = kUsualHeartbeat;
  } else if (arguments.heartbeat != "none") {
    options.heartbeat_seconds = ParseNumber(arguments.heartbeat, "--heartbeat", 0.001);
  }
  return options;
}

/// DCP has neither passwords nor encryption.
void WarnOfOpenPort(const std::string& host) {
  if (dcp::IsOnLoopback(dcp::ResolveAddress(host))) return;
  PrintLine(stderr,
            fmt::format("warning: --host {}: DCP has no passwords, so every program that reaches this port can control "
                        "the slave, set its parameters and read its outputs; let the firewall admit only trusted hosts",
                        host));
}

int Serve(const DcpServeArguments& arguments, dcp::ServedModel& model) {
  dcp::SlaveOptions options;
  options.host = arguments.host;
  options.data_hosts = arguments.data_hosts;
  options.is_lock_step = arguments.is_lock_step;
  options.allows_restarted_numbers = arguments.allows_restarted_numbers;
  options.supervises_only_who_beats = arguments.heartbeat == "auto";
  options.is_once = arguments.is_once;
  options.bears_loss_in_soft_real_time = true;
  options.exchange_log = arguments.exchange_log;
  if (arguments.port > 0) options.udp_port = options.tcp_port = static_cast<std::uint16_t>(arguments.port);
  options.show = [&](const std::string& line) {
    PrintLine(stdout, line);
    std::fflush(stdout);
    PrintProblems(stderr, model.TakeNews());
  };
  if (arguments.is_talkative) {
    options.watch = [](bool is_sent, dcp::Endpoint peer, ByteView pdu) {
      PrintLine(stdout, fmt::format("{} {:<21} {}", is_sent ? "->" : "<-", dcp::ToText(peer), dcp::Describe(pdu)));
    };
  }
  WarnOfOpenPort(arguments.host);
  dcp::SlaveRunner runner(model.Description(), model, std::move(options));
  for (const dcp::TransportProtocol protocol : {dcp::TransportProtocol::UDP_IPv4, dcp::TransportProtocol::TCP_IPv4}) {
    if (!model.Description().transports.Of(protocol)) continue;
    PrintLine(stdout,
              fmt::format("{} serves {} at {} over {}", model.Description().name, dcp::ToText(model.Description().uuid),
                          dcp::ToText(runner.ControlEndpoint(protocol)), dcp::NameOf(protocol)));
  }
  std::fflush(stdout);
  {
    const Interrupt interrupt(runner);
    runner.Run();
  }
  PrintProblems(stderr, model.TakeNews());
  const bool is_left = arguments.is_once && runner.Machine().CurrentState() == dcp::State::ALIVE && runner.HasServed();
  PrintLine(stdout, is_left ? "ended because the master has deregistered (--once)" : "ended by Ctrl-C or SIGTERM");
  const dcp::SlaveCounts& counts = runner.Machine().Total();
  PrintLine(
      stdout,
      fmt::format("steps: {}, requests: {}, refused: {}, data taken: {}, PDUs dropped: {}, data unsent: {}",
                  runner.StepsDone(), counts.requests, counts.nacks, counts.data, counts.dropped, runner.Unsent()));
  if (counts.missed + counts.repeated + counts.late + counts.without > 0) {
    PrintLine(stdout, fmt::format("data missed: {}, repeated: {}, late: {}, steps without new inputs: {}",
                                  counts.missed, counts.repeated, counts.late, counts.without));
  }
  if (counts.strangers + runner.RefusedData() > 0) {
    PrintLine(stdout, fmt::format("refused from others than the master: {} requests and {} data PDUs", counts.strangers,
                                  runner.RefusedData()));
  }
  return runner.Problem().empty() ? kSuccess : kModelFailed;
}

int Execute(const DcpServeArguments& arguments) {
  ExpectFile(arguments.file);
  if (arguments.port < 0 || arguments.port > 65535) throw UsageFault{"--port: expected a port from 0 to 65535"};
  Problems problems;
  std::unique_ptr<dcp::ServedModel> model;
  const bool is_made = PrintProblemsOf(problems, [&] {
    model = std::make_unique<dcp::ServedModel>(ModelOptions(arguments), DescriptionOptions(arguments), problems);
  });
  if (!is_made) return kProblemsFound;
  if (arguments.describe.empty()) return Serve(arguments, *model);
  if (arguments.describe == "-") {
    fmt::print(stdout, "{}", dcp::SlaveDescriptionText(model->Description()));
  } else {
    dcp::WriteSlaveDescription(model->Description(), arguments.describe);
  }
  return kSuccess;
}

}  // namespace

void AddDcpServe(CLI::App& dcp, Invocation& invocation) {
  auto arguments = std::make_shared<DcpServeArguments>();
  CLI::App* command = dcp.add_subcommand("serve", "Run a component or composition as a DCP slave, for any master");
  command->add_option("FILE", arguments->file, "Composition or OMI file")->required();
  AddValue(*command, "--port", arguments->port, "P",
           "Control port, for UDP and TCP (default: a port that is free for both; it is printed)");
  AddShown(
      *command, "--host", arguments->host, "ADDRESS",
      "Address of this machine to listen at; 0.0.0.0: all addresses. Other machines cannot reach the loopback address");
  AddValue(*command, "--describe", arguments->describe, "OUT",
           "Write the slave description (.dcpx, or .dcp archive) and exit; '-': print it");
  AddChoice(*command, "--transport", arguments->transport, {"udp", "tcp", "both"}, "Transports to offer");
  AddValue(*command, "--resolution", arguments->resolution, "N/D",
           "The only time resolution allowed, in seconds as a fraction (default: the master chooses; 1/1000 is "
           "recommended, "
           "or a finer one if the model's step needs it)");
  AddShown(*command, "--heartbeat", arguments->heartbeat, "SECONDS|auto|none",
           "Time without a heartbeat of the master after which the slave goes to the error states; auto: 10 s, if the "
           "master gives a heartbeat; none: no limit");
  AddShown(*command, "--missed-inputs", arguments->missed_inputs, "N|any",
           "How many data PDUs of an input may be lost in a row before the slave fails (in soft real time losses are "
           "only counted); any: the last values hold");
  AddRepeated(*command, "--data-host", arguments->data_hosts, "HOST",
              "Host that the slave may send data to, beside the master's host; may be repeated");
  arguments->exported.AddTo(*command, "slave", "master");
  command->add_flag("--lock-step", arguments->is_lock_step,
                    "Extension: in RUNNING, make a step when every input has received new data, not by the clock");
  command->add_flag("--restarted-numbers", arguments->allows_restarted_numbers,
                    "Accept masters that restart their request numbers after CFG_clear and STC_reset, as masters made "
                    "with DCPLib do");
  AddValue(*command, "--exchange-log", arguments->exchange_log, "FILE",
           "CSV file for the values and the simulated time of every data exchange");
  command->add_flag("--once", arguments->is_once, "Exit when a master has deregistered");
  command->add_flag("--show", arguments->is_talkative, "Print every PDU");
  command->footer(
      "Examples:\n"
      "  openmi dcp serve reservoir.omi --port 8080\n"
      "  openmi dcp serve upper-creek.xml --port 8080 --describe upper-creek.dcpx\n"
      "  openmi dcp serve upper-creek.xml --port 8080 --host 0.0.0.0 --data-host 192.168.1.20");
  command->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
