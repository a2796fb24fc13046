// Messages a second that a composition with a stream takes out of a queue, parses and steps by, one step a message,
// against a bare consumer on librabbitmq that only takes them and acknowledges as the stream does: eight times a
// window, all before. Persistent messages of 200 bytes wait in a queue of a RabbitMQ server that this program starts.
// Both alternate; the median of the paired ratios counts.

#include <amqp.h>
#include <amqp_tcp_socket.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "composition/check/CheckComposition.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/run/CompositionRun.hpp"
#include "fmi-bridge/broker/amqp/AmqpConnection.hpp"
#include "fmi-bridge/broker/amqp/AmqpSink.hpp"
#include "fmi-bridge/broker/stream/WallTime.hpp"
#include "tests/support/RabbitServer.hpp"
#include "timespace/times/Iso8601.hpp"

namespace {

using namespace openmi::broker;
using Clock = std::chrono::steady_clock;

constexpr int kMessages = 25'000;
constexpr int kRounds = 11;
constexpr double kBound = 0.9;
constexpr int kPrefetch = 1000;

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

AmqpOptions Options(const RabbitServer& server) {
  AmqpOptions options;
  options.host = "127.0.0.1";
  options.port = server.Port();
  return options;
}

/// 200 bytes each, 10 ms apart.
std::string Body(int i) {
  const Nanos stamp = *ParseWallTime("2019-01-04T16:41:24Z") + i * 10'000'000LL;
  std::string body = fmt::format(R"({{"time":"{}","x":{:.6f},"y":{:.6f},"level":{},"running":true,"note":")",
                                 FormatWallTime(stamp), i * 0.001, i * -0.002, i % 1000);
  body.resize(198, '.');
  return body + "\"}";
}

/// The same messages into both queues.
void Fill(const RabbitServer& server, const std::string& name) {
  AmqpSink sink(Options(server), {.exchange = name, .exchange_type = "fanout", .routing_key = {}, .declares = true});
  sink.Open();
  AmqpConnection hand(Options(server), [] {});
  hand.Open();
  for (const char* whose : {"-bare", "-ours"}) {
    const std::string queue = name + whose;
    amqp_queue_declare(hand.State(), AmqpConnection::kChannel, BytesOf(queue), 0, 0, 0, 0, amqp_empty_table);
    hand.Require(amqp_get_rpc_reply(hand.State()), "make a queue", {});
    amqp_queue_bind(hand.State(), AmqpConnection::kChannel, BytesOf(queue), BytesOf(name), amqp_empty_bytes,
                    amqp_empty_table);
    hand.Require(amqp_get_rpc_reply(hand.State()), "bind a queue", {});
  }
  for (int i = 0; i < kMessages; ++i) sink.Publish(Body(i), {}, 0);
  sink.Flush();
}

/// Seconds of processor that this process took.
double Processor() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

/// Messages a second, from the first one taken to the last one acknowledged.
double Bare(const RabbitServer& server, const std::string& queue) {
  AmqpConnection connection(Options(server), [] {});
  connection.Open();
  amqp_connection_state_t const state = connection.State();
  amqp_basic_qos(state, AmqpConnection::kChannel, 0, kPrefetch, 0);
  const auto begin = Clock::now();
  amqp_basic_consume(state, AmqpConnection::kChannel, BytesOf(queue), amqp_empty_bytes, 0, 0, 0, amqp_empty_table);
  for (int i = 0; i < kMessages; ++i) {
    amqp_maybe_release_buffers(state);
    amqp_envelope_t envelope;
    if (amqp_consume_message(state, &envelope, nullptr, 0).reply_type != AMQP_RESPONSE_NORMAL) {
      throw std::runtime_error("the bare consumer got no message");
    }
    const bool is_due = (i + 1) % (kPrefetch / 8) == 0 || i + 1 == kMessages;
    if (is_due) amqp_basic_ack(state, AmqpConnection::kChannel, envelope.delivery_tag, 1);
    amqp_destroy_envelope(&envelope);
  }
  return kMessages / std::chrono::duration<double>(Clock::now() - begin).count();
}

double Ours(const RabbitServer& server, const std::string& queue, const std::string& journal = {}) {
  openmi::CompositionFile file;
  file.id = "stream";
  openmi::ComponentSpec& spec = file.components.emplace_back();
  spec.id = "stream";
  spec.type = "openmi.broker.Stream";
  spec.assembly = "openmi-broker-bridge";
  const auto set = [&](const char* key, std::string value) {
    spec.arguments.push_back({.key = key, .value = std::move(value), .line = 0});
  };
  set("source", "broker");
  set("host", "127.0.0.1");
  set("port", std::to_string(server.Port()));
  if (!journal.empty()) set("journal", journal);
  set("queue", queue);
  set("queue-bound", std::to_string(kPrefetch));
  set("fields", "x[m], y[m], level:integer, running:boolean");
  set("time-step", "PT0.01S");
  for (const char* item : {"x", "level"}) {
    openmi::ObserveSpec& observed = file.observes.emplace_back();
    observed.id = item;
    observed.item = {.component = "stream", .item = item};
  }
  file.run.emplace();
  file.run->from = openmi::ParseIsoTime("2019-01-04T16:41:24Z");
  file.run->to = *file.run->from + openmi::Seconds((kMessages - 1) * 0.01);
  file.run->trigger = {"stream"};
  openmi::Composition composition(std::move(file), {});
  openmi::Problems problems;
  composition.Load(problems);
  composition.Connect(problems);
  CheckComposition(composition, problems);
  openmi::ThrowIfErrors(problems);
  openmi::RunOptions options;
  options.write_results = false;
  const openmi::RunRecord record = openmi::CompositionRun(composition, problems, options).Run();
  openmi::ThrowIfErrors(record.problems);
  const openmi::RecordedSeries& level = record.series.at(1);
  if (level.values.size() < kMessages - 1 || level.values.back() != (kMessages - 1) % 1000) {
    throw std::runtime_error("the stream shows something else than was published");
  }
  return kMessages / record.wall_seconds;
}

}  // namespace

int main() {
  const RabbitServer server;
  std::vector<double> ratios;
  std::vector<double> ours;
  std::vector<double> bare;
  std::vector<double> our_processor;  // us a message
  std::vector<double> bare_processor;
  for (int round = 0; round < kRounds; ++round) {
    const std::string queue = fmt::format("round-{}", round);
    Fill(server, queue);
    const bool is_first = round % 2 == 0;
    const auto take_ours = [&] {
      const double before = Processor();
      ours.push_back(Ours(server, queue + "-ours"));
      our_processor.push_back((Processor() - before) / kMessages * 1e6);
    };
    if (is_first) take_ours();
    const double before = Processor();
    bare.push_back(Bare(server, queue + "-bare"));
    bare_processor.push_back((Processor() - before) / kMessages * 1e6);
    if (!is_first) take_ours();
    ratios.push_back(ours.back() / bare.back());
  }
  // What a journal costs: written, brought to the disk and then acknowledged.
  const std::string journal =
      (std::filesystem::temp_directory_path() / fmt::format("openmi-{}", server.Port())).string();
  Fill(server, "journal");
  const double journaled = Ours(server, "journal-ours", journal);
  std::filesystem::remove(journal);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const double ratio = Median(ratios);
  fmt::print("broker/messages: {:.0f} messages/s, bare consumer {:.0f} messages/s, {:.2f}, at least {}\n", Median(ours),
             Median(bare), ratio, kBound);
  fmt::print("broker/journal: {:.0f} messages/s, without one {:.0f} messages/s, {:.2f}, -\n", journaled, Median(ours),
             journaled / Median(ours));
  fmt::print("broker/processor: {:.2f} us a message, bare consumer {:.2f} us, {:.2f}, -\n", Median(our_processor),
             Median(bare_processor), Median(our_processor) / Median(bare_processor));
  fmt::print("broker/memory: {} MiB, -, -, -\n", usage.ru_maxrss / 1024);
  return ratio < kBound ? 1 : 0;
}
