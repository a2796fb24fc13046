#pragma once

#include <cstdint>
#include <deque>

#include "fmi-bridge/dcp/protocol/pdu/Codes.hpp"
#include "fmi-bridge/dcp/protocol/pdu/Pdu.hpp"

namespace openmi::dcp {

/// Entries of a slave's log until the master requests them. When there are too many, the oldest are dropped.
class SlaveLog {
 public:
  static constexpr std::size_t kMostEntries = 1024;

  /// Adds an entry.
  /// \param time  Unix seconds
  void Add(std::int64_t time, std::uint8_t log_template, std::uint8_t category, ByteView arguments);
  /// Takes up to `most` entries, oldest first, encoded as in RSP_log_ack.
  /// \param category  0: of any category
  /// \param room  the most bytes of the entries together
  /// \returns the entries; valid until the next call
  ByteView Take(std::uint8_t category, std::uint8_t most, std::size_t room);
  void Clear() { entries_.clear(); }

 private:
  struct Entry {
    std::uint8_t category = 0;
    Bytes bytes;
  };
  std::deque<Entry> entries_;
  Bytes taken_;
};

}  // namespace openmi::dcp
