#pragma once

#include <filesystem>
#include <memory>

#include "fmi-bridge/broker/recording/FileLineReader.hpp"
#include "fmi-bridge/broker/recording/RecordingLine.hpp"
#include "fmi-bridge/broker/stream/IMessageSource.hpp"

namespace openmi::broker {

/// Messages of a recording, one per line, as fast as they are taken. Empty lines are skipped.
class RecordedSource final : public IMessageSource {
 public:
  explicit RecordedSource(std::filesystem::path file, std::uint64_t most_bytes = 1 << 20);

  void Open() override;
  Taken Take(Delivery& delivery, std::chrono::milliseconds wait, StreamCounts& counts) override;
  void Release(std::uint64_t) override {}
  std::uint64_t Position() override { return reader_ ? reader_->Position() : 0; }
  void ReturnTo(std::uint64_t position) override;
  std::string Name() const override;
  /// When the last message taken was received; 0: the recording does not state it.
  Nanos Received() const { return received_; }

 private:
  std::filesystem::path file_;
  std::uint64_t most_bytes_;
  std::unique_ptr<FileLineReader> reader_;
  RecordingCodec codec_;
  std::uint64_t place_ = 0;
  Nanos received_ = 0;
};

}  // namespace openmi::broker
