#include "fmi-bridge/broker/recording/RecordedSource.hpp"

#include <fmt/format.h>

#include <utility>

namespace openmi::broker {
namespace {
/// The longest recorded line: a body in hexadecimal digits is twice as long.
std::uint64_t MostOfLine(std::uint64_t most_bytes) {
  return 2 * most_bytes + 1024;
}
}  // namespace

RecordedSource::RecordedSource(std::filesystem::path file, std::uint64_t most_bytes)
    : file_(std::move(file)), most_bytes_(most_bytes) {}

void RecordedSource::Open() {
  if (!reader_) reader_ = std::make_unique<FileLineReader>(file_, MostOfLine(most_bytes_));
}

Taken RecordedSource::Take(Delivery& delivery, std::chrono::milliseconds, StreamCounts&) {
  FileLineReader::Line line;
  do {
    if (!reader_->Next(line)) return Taken::End;
  } while (line.size == 0);
  const RecordingLine message = codec_.Decode(line.text);
  received_ = message.received;
  delivery.id = message.id;
  delivery.body = message.body;
  delivery.size = line.is_too_long ? line.size : message.body.size();
  delivery.is_oversized = delivery.size > most_bytes_;
  delivery.place = ++place_;
  return Taken::Message;
}

void RecordedSource::ReturnTo(std::uint64_t position) {
  Open();
  reader_->ReturnTo(position);
}

std::string RecordedSource::Name() const {
  return fmt::format("recording '{}'", file_.string());
}

}  // namespace openmi::broker
