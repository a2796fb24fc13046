#include <fmt/format.h>

#include <cstdio>

#include "fmi-bridge/broker/recording/RecordAndPlay.hpp"
#include "tools/BrokerOptions.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/Signals.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

struct BrokerRecordArguments {
  std::string queue;
  std::string output;
  std::string exchange;
  std::string routing_key;
  std::uint64_t count = 0;
  std::string idle;
  BrokerOptions broker;
};

int Execute(BrokerRecordArguments& arguments) {
  arguments.broker.Apply();
  arguments.broker.Set("queue", arguments.queue);
  arguments.broker.Set("exchange", arguments.exchange);
  arguments.broker.Set("routing-key", arguments.routing_key);
  const auto source = arguments.broker.stream.Source([](const std::string& path) { return path; },
                                                     [](const std::string& line) { PrintLine(stderr, line); });
  source->Open();
  broker::RecordingWriter writer(arguments.output, true);
  broker::StreamRecorder::Options options{.most_messages = arguments.count, .idle = {}};
  if (!arguments.idle.empty()) {
    options.idle = std::chrono::milliseconds(static_cast<std::int64_t>(ParseNumber(arguments.idle, "--idle") * 1e3));
  }
  broker::StreamRecorder recorder(*source, writer, options);
  std::uint64_t count = 0;
  {
    const Interrupt interrupt(recorder);
    count = recorder.Run();
  }
  PrintLine(stderr, fmt::format("{}: {} messages of {}", arguments.output, count, source->Name()));
  return kSuccess;
}

}  // namespace

void AddBrokerRecord(CLI::App& broker, Invocation& invocation) {
  auto arguments = std::make_shared<BrokerRecordArguments>();
  CLI::App* record = broker.add_subcommand("record", "Write the messages of a queue to a file");
  record->add_option("QUEUE", arguments->queue,
                     "Queue to take the messages from; with --exchange it is made if it does not exist");
  AddValue(*record, "-o,--output,--output-file", arguments->output, "FILE",
           "File to append the messages to, one message a line")
      ->required();
  AddValue(*record, "--exchange", arguments->exchange, "NAME", "Exchange that the queue is bound to");
  AddValue(*record, "--routing-key", arguments->routing_key, "KEY", "Routing key of the binding");
  AddValue(*record, "--count", arguments->count, "N", "End after this number of messages");
  AddValue(*record, "--idle", arguments->idle, "SECONDS", "End when no message has arrived for this time");
  arguments->broker.AddTo(*record);
  record->footer(
      "A message is acknowledged, and so removed from the queue, when the file contains it. To record without removing "
      "messages from a queue, give an exchange and no queue. Ctrl-C ends the recording.\n\n"
      "Examples:\n"
      "  openmi broker record robot -o robot.jsonl --idle 5\n"
      "  openmi broker record --exchange fmi_digital_twin --routing-key data.to_cosim -o robot.jsonl");
  record->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
