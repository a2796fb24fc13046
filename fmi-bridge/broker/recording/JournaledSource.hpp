#pragma once

#include <filesystem>
#include <memory>

#include "fmi-bridge/broker/amqp/AmqpSource.hpp"
#include "fmi-bridge/broker/recording/RecordedSource.hpp"
#include "fmi-bridge/broker/recording/RecordingWriter.hpp"

namespace openmi::broker {

/// A queue whose messages are written into a journal when they are taken.
///
/// A message is acknowledged when the journal is on the disk up to it: after half of the prefetched messages, or 0.1 s.
/// So the stream can go back, and a process that continues after another one was killed finds the messages that the
/// other one took. The journal is a recording. An existing one is read first, from its start or from the position of
/// ReturnTo; then the messages of the queue follow. Messages that the broker delivers again are recognised.
class JournaledSource final : public IMessageSource {
 public:
  JournaledSource(std::unique_ptr<AmqpSource> queue, std::filesystem::path journal, std::uint64_t most_bytes);

  void Open() override;
  Taken Take(Delivery& delivery, std::chrono::milliseconds wait, StreamCounts& counts) override;
  void Release(std::uint64_t place) override;
  std::uint64_t Position() override;
  void ReturnTo(std::uint64_t position) override;
  void Settle() override;
  bool IsLive() const override { return true; }
  std::string Name() const override { return queue_->Name(); }
  SourceHealth Health() override { return queue_->Health(); }

 private:
  void ExpectWhatIsThere();

  std::unique_ptr<AmqpSource> queue_;
  std::filesystem::path file_;
  std::uint64_t most_bytes_;
  std::unique_ptr<RecordingWriter> writer_;
  std::unique_ptr<RecordedSource> reader_;
  bool reads_ = false;  // reads the journal, not the queue
  std::uint64_t place_ = 0;
  std::uint64_t queue_place_ = 0;
  std::uint64_t settled_ = 0;  // place in the queue up to which all messages are on the disk and acknowledged
  AmqpConnection::Clock::time_point last_settled_{};
};

}  // namespace openmi::broker
