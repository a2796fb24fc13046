#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "fmi-bridge/dcp/pdu/Codes.hpp"
#include "fmi-bridge/dcp/pdu/Pdu.hpp"

namespace openmi::dcp {

/// Entries of a slave's log that wait to be asked for. The oldest go when there are too many.
class SlaveLog {
 public:
  static constexpr std::size_t kMostEntries = 1024;

  void Add(std::int64_t time, std::uint8_t log_template, std::uint8_t category, Bytes arguments);
  /// Moves up to `most` entries of a category (0: of any), oldest first, to the end of `out`, as RSP_log_ack carries
  /// them.
  /// \param room  bytes that `out` may have at most
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
