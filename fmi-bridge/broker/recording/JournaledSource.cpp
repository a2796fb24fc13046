#include "fmi-bridge/broker/recording/JournaledSource.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "openmi/sdk/Error.hpp"

namespace openmi::broker {

JournaledSource::JournaledSource(std::unique_ptr<AmqpSource> queue, std::filesystem::path journal,
                                 std::uint64_t most_bytes)
    : queue_(std::move(queue)), file_(std::move(journal)), most_bytes_(most_bytes) {}

void JournaledSource::ExpectWhatIsThere() {
  std::vector<std::size_t> keys;  // used as a ring
  std::size_t next = 0;
  RecordedSource all(file_, most_bytes_);
  all.Open();
  Delivery delivery;
  StreamCounts counts;
  while (all.Take(delivery, {}, counts) == Taken::Message) {
    const std::size_t key = AmqpSource::KeyOf(delivery.id, delivery.body);
    if (keys.size() < AmqpSource::kRemembered) {
      keys.push_back(key);
    } else {
      keys[next++ % keys.size()] = key;
    }
  }
  if (!keys.empty()) queue_->ExpectAgain(keys);
}

void JournaledSource::Open() {
  if (writer_) return;
  writer_ = std::make_unique<RecordingWriter>(file_, true);
  reader_ = std::make_unique<RecordedSource>(file_, most_bytes_);
  reader_->Open();
  reads_ = writer_->Size() > 0;
  ExpectWhatIsThere();
  queue_->Open();
}

Taken JournaledSource::Take(Delivery& delivery, std::chrono::milliseconds wait, StreamCounts& counts) {
  Taken taken = Taken::End;
  if (reads_) {
    taken = reader_->Take(delivery, wait, counts);
    if (taken == Taken::End) reads_ = false;
  }
  if (!reads_) {
    // a step of that many messages: they are in the journal
    if (queue_place_ - settled_ >= queue_->Prefetch()) Settle();
    taken = queue_->Take(delivery, wait, counts);
    if (taken != Taken::Message) return taken;
    queue_place_ = delivery.place;
    if (!delivery.is_oversized) writer_->Append({.received = WallClock(), .id = delivery.id, .body = delivery.body});
  }
  delivery.place = ++place_;
  return taken;
}

void JournaledSource::Release(std::uint64_t) {
  constexpr std::chrono::milliseconds kBetween{100};
  const bool is_much = queue_place_ - settled_ >= (queue_->Prefetch() + 1) / 2;
  if (is_much || AmqpConnection::Clock::now() - last_settled_ >= kBetween) Settle();
}

void JournaledSource::Settle() {
  if (!writer_ || queue_place_ == settled_) return;
  // The broker need not deliver again what the journal holds, whether it was used or not.
  writer_->Sync();
  queue_->Release(queue_place_);
  queue_->Settle();
  settled_ = queue_place_;
  last_settled_ = AmqpConnection::Clock::now();
}

std::uint64_t JournaledSource::Position() {
  if (!writer_) return 0;
  writer_->Sync();  // a checkpoint depends on it
  return reads_ ? reader_->Position() : writer_->Size();
}

void JournaledSource::ReturnTo(std::uint64_t position) {
  Open();
  writer_->Flush();
  if (position > writer_->Size()) {
    throw FormatError({.file = file_.string()},
                      fmt::format("expected a journal of at least {} bytes, found {}", position, writer_->Size()),
                      "give the journal that the state was kept with");
  }
  reader_->ReturnTo(position);
  reads_ = position < writer_->Size();
}

}  // namespace openmi::broker
