#include "fmi-bridge/osmp/trace/McapTrace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::osi {
namespace {

constexpr std::string_view kPackage = "osi3.";

/// "'truth' (GroundTruth), 'view' (SensorView)".
std::string NamesOf(const std::vector<McapChannel>& channels) {
  std::string names;
  for (const McapChannel& channel : channels) {
    const std::string type = channel.IsOsi() ? channel.schema.substr(kPackage.size()) : "not of OSI";
    names += fmt::format("{}'{}' ({})", names.empty() ? "" : ", ", channel.topic, type);
  }
  return names.empty() ? "none" : names;
}

const McapChannel* Choose(const McapReader& reader, const std::string& file, const std::string& topic,
                          const std::string& type) {
  const std::vector<McapChannel>& channels = reader.Channels();
  const auto refuse = [&](const std::string& problem, const std::string& remedy) {
    throw ArgumentError({.file = file, .item = "channel"}, problem, remedy);
  };
  if (!topic.empty()) {
    const auto found = std::ranges::find(channels, topic, &McapChannel::topic);
    if (found == channels.end()) {
      std::vector<std::string> topics;
      for (const McapChannel& channel : channels) topics.push_back(channel.topic);
      const std::string nearest = Suggest(topic, topics);
      refuse(fmt::format("expected a channel '{}', found {}", topic, NamesOf(channels)), nearest);
    }
    if (!found->IsOsi() || (!type.empty() && found->schema != std::string(kPackage) + type)) {
      refuse(fmt::format("expected a channel of {}, found '{}' with {}", type.empty() ? "OSI" : type, topic,
                         found->schema.empty() ? "no schema" : found->schema),
             "name another channel");
    }
    return &*found;
  }
  const McapChannel* only = nullptr;
  for (const McapChannel& channel : channels) {
    if (!channel.IsOsi() || (!type.empty() && channel.schema != std::string(kPackage) + type)) continue;
    if (only != nullptr) {
      refuse(fmt::format("expected one channel{}, found {}", type.empty() ? "" : " of " + type, NamesOf(channels)),
             "name the channel");
    }
    only = &channel;
  }
  if (only == nullptr) {
    refuse(fmt::format("expected a channel of {}, found {}", type.empty() ? "OSI" : type, NamesOf(channels)),
           "name another file");
  }
  return only;
}

}  // namespace

bool IsMcap(const std::string& file) {
  if (file.ends_with(".mcap")) return true;
  std::ifstream stream(file, std::ios::binary);
  std::string head(kMcapMagic.size(), '\0');
  return stream.read(head.data(), static_cast<std::streamsize>(head.size())) && head == kMcapMagic;
}

std::unique_ptr<TraceMessages> OpenTrace(const std::string& file, const std::string& channel, const std::string& type) {
  if (IsMcap(file)) return std::make_unique<McapTrace>(std::make_shared<McapReader>(file), file, channel, type);
  if (!channel.empty()) {
    throw ArgumentError(
        {.file = file, .item = "channel"},
        fmt::format("expected an .mcap file with a channel '{}', found a trace without channels", channel),
        "leave out the channel");
  }
  return std::make_unique<TraceReader>(file);
}

McapTrace::McapTrace(std::shared_ptr<McapReader> reader, const std::string& file, const std::string& channel,
                     const std::string& type)
    : reader_(std::move(reader)),
      channel_(Choose(*reader_, file, channel, type)),
      places_(reader_->MessagesOf(channel_->id)) {}

std::string McapTrace::Type() const {
  return channel_->schema.substr(kPackage.size());
}

std::vector<std::int64_t> McapTrace::Times() const {
  std::vector<std::int64_t> times;
  times.reserve(places_.size());
  for (const McapPlace& place : places_) times.push_back(static_cast<std::int64_t>(place.nanos));
  return times;
}

std::optional<Message> McapTrace::Next() {
  if (next_ == places_.size()) return std::nullopt;
  return reader_->At(places_[next_++], channel_->id);
}

void McapTrace::ReadAt(std::uint64_t place, Bytes& buffer) {
  const Message message = reader_->At(places_.at(place), channel_->id);
  buffer.assign(message.begin(), message.end());
}

}  // namespace openmi::osi
