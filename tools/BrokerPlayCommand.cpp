#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "fmi-bridge/broker/recording/RecordAndPlay.hpp"
#include "tools/BrokerOptions.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/Signals.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

struct BrokerPlayArguments {
  std::string file;
  std::string queue;
  std::string queue_word;
  std::string exchange;
  std::string routing_key;
  std::string pace = "1";
  bool is_by_arrival = false;
  std::string stamp_member = "time";
  BrokerOptions broker;
};

int Execute(BrokerPlayArguments& arguments) {
  std::error_code ignored;
  if (!arguments.queue_word.empty() && !std::filesystem::exists(arguments.file, ignored) &&
      std::filesystem::is_regular_file(arguments.queue_word, ignored)) {
    throw UsageFault{
        fmt::format("expected the file before the queue, found the queue first; write 'openmi broker "
                    "play {} {}'",
                    arguments.queue_word, arguments.file)};
  }
  ExpectFile(arguments.file);
  if (!arguments.queue_word.empty() && !arguments.queue.empty()) {
    throw UsageFault{
        fmt::format("expected one queue, found '{}' and --queue '{}'", arguments.queue_word, arguments.queue)};
  }
  if (!arguments.queue_word.empty()) arguments.queue = arguments.queue_word;
  if (arguments.queue.empty() && arguments.exchange.empty()) {
    throw UsageFault{
        fmt::format("expected a queue or --exchange to publish to, found neither; write 'openmi broker "
                    "play {} QUEUE'",
                    arguments.file)};
  }
  if (!arguments.queue.empty() && !arguments.exchange.empty()) {
    throw UsageFault{
        fmt::format("expected a queue or --exchange, found both: '{}' and '{}'", arguments.queue, arguments.exchange)};
  }
  arguments.broker.Apply();
  arguments.broker.Set("publish-exchange", arguments.exchange);
  arguments.broker.Set("publish-routing-key", arguments.queue.empty() ? arguments.routing_key : arguments.queue);
  const auto sink = arguments.broker.stream.BrokerSink([](const std::string& path) { return path; });
  broker::RecordedSource source(arguments.file);
  source.Open();
  sink->Open();
  broker::RecordingPlayer player(source, *sink,
                                 {.pace = ParseNumber(arguments.pace, "--pace"),
                                  .stamp_member = arguments.stamp_member,
                                  .is_by_arrival = arguments.is_by_arrival});
  std::uint64_t count = 0;
  {
    const Interrupt interrupt(player);
    count = player.Run();
  }
  PrintLine(stderr, fmt::format("{} messages published and confirmed", count));
  if (const std::uint64_t dropped = player.Counts().oversized; dropped != 0) {
    PrintLine(stderr, fmt::format("{} lines were too long and were omitted", dropped));
  }
  return kSuccess;
}

}  // namespace

void AddBrokerPlay(CLI::App& broker, Invocation& invocation) {
  auto arguments = std::make_shared<BrokerPlayArguments>();
  CLI::App* play = broker.add_subcommand("play", "Publish the messages of a file");
  play->add_option("FILE", arguments->file, "A recording, or any file with a JSON object in each line")->required();
  play->add_option("QUEUE", arguments->queue_word, "Queue to publish to; it must exist");
  AddValue(*play, "--queue", arguments->queue, "NAME", "As QUEUE");
  AddValue(*play, "--exchange", arguments->exchange, "NAME", "Exchange to publish to, in place of a queue");
  AddValue(*play, "--routing-key", arguments->routing_key, "KEY", "Routing key, with --exchange");
  AddShown(*play, "--pace", arguments->pace, "FACTOR", "Speed relative to the stamps; 0: as fast as possible");
  play->add_flag("--by-arrival", arguments->is_by_arrival,
                 "Follow the times at which the messages were received, not their stamps");
  AddShown(*play, "--stamp-member", arguments->stamp_member, "NAME", "Member of the messages that contains the stamp");
  arguments->broker.AddTo(*play);
  play->footer(
      "Messages are persistent. The command ends when the broker has confirmed all of them.\n\n"
      "Examples:\n"
      "  openmi broker play robot.jsonl robot\n"
      "  openmi broker play robot.jsonl --exchange fmi_digital_twin --routing-key data.to_cosim --pace 10");
  play->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
