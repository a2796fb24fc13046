#pragma once

#include <filesystem>
#include <optional>
#include <utility>

#include "fmi-bridge/broker/recording/RecordingWriter.hpp"
#include "fmi-bridge/broker/stream/IMessageSink.hpp"

namespace openmi::broker {

/// Publishes into a file, where there is no broker: the file holds what a broker would receive.
class RecordingSink final : public IMessageSink {
 public:
  explicit RecordingSink(std::filesystem::path file) : file_(std::move(file)) {}
  void Open() override { writer_.emplace(file_, false); }
  void Publish(std::string_view body, std::string_view id, Nanos stamp) override {
    writer_->Append({.received = stamp, .id = id, .body = body});
  }
  void Flush() override { writer_->Flush(); }

 private:
  std::filesystem::path file_;
  std::optional<RecordingWriter> writer_;
};

}  // namespace openmi::broker
