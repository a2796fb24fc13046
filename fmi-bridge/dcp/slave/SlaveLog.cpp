#include "fmi-bridge/dcp/slave/SlaveLog.hpp"

#include <cstring>

namespace openmi::dcp {

void SlaveLog::Add(std::int64_t time, std::uint8_t log_template, std::uint8_t category, ByteView arguments) {
  if (entries_.size() == kMostEntries) entries_.pop_front();
  Bytes bytes(sizeof time + 1);
  std::memcpy(bytes.data(), &time, sizeof time);
  bytes.back() = static_cast<std::byte>(log_template);
  bytes.insert(bytes.end(), arguments.begin(), arguments.end());
  entries_.push_back({.category = category, .bytes = std::move(bytes)});
}

ByteView SlaveLog::Take(std::uint8_t category, std::uint8_t most, std::size_t room) {
  taken_.clear();
  for (auto entry = entries_.begin(); entry != entries_.end() && most > 0;) {
    if (category != 0 && entry->category != category) {
      ++entry;
      continue;
    }
    if (taken_.size() + entry->bytes.size() > room) break;
    taken_.insert(taken_.end(), entry->bytes.begin(), entry->bytes.end());
    entry = entries_.erase(entry);
    --most;
  }
  return taken_;
}

}  // namespace openmi::dcp
