#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "fmi-bridge/dcp/protocol/pdu/Codes.hpp"
#include "fmi-bridge/dcp/protocol/pdu/Pdu.hpp"

namespace openmi::dcp {

/// Entries of a slave's log until the master requests them. When there are too many, the oldest are dropped.
class SlaveLog {
 public:
  static constexpr std::size_t kMostEntries = 1024;

  /// Adds an entry.
  /// \param time  Unix seconds
  void Add(std::int64_t time, std::uint8_t log_template, std::uint8_t category, Bytes arguments);
  /// Moves up to `most` entries, oldest first, to the end of `out`, encoded as in RSP_log_ack.
  /// \param category  0: of any category
  /// \param room  largest size of `out` in bytes
  void Take(std::uint8_t category, std::uint8_t most, std::size_t room, std::vector<std::byte>& out);
  void Clear() { entries_.clear(); }
  std::size_t Size() const { return entries_.size(); }

 private:
  struct Entry {
    std::uint8_t category = 0;
    std::vector<std::byte> bytes;
  };
  std::deque<Entry> entries_;
};

}  // namespace openmi::dcp
