#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fmi-bridge/dcp/pdu/TypedValue.hpp"

namespace openmi::dcp {

/// Bytes of a data PDU before its payload: type, sequence number, data_id.
inline constexpr std::size_t kDataHead = 5;

/// What one data_id (or param_id) carries: which variables, in which order, of which type on the wire.
///
/// The specification calls `pos` a byte position in one place and gives a rule for gaps that only an index can keep;
/// here it is an index, and values follow each other tightly.
class DataLayout {
 public:
  struct Place {
    std::uint64_t value_reference = 0;
    DataType wire_type = DataType::float64;  ///< of the sender
    TypedValue* value = nullptr;             ///< borrowed: where it is kept on this side
  };

  /// Sets what stands at `position`, in place of what stood there.
  /// \pre place.value is not null
  void Put(std::uint16_t position, const Place& place);
  void Clear() { places_.clear(); }
  bool IsEmpty() const { return places_.empty(); }
  /// In the order of positions; a gap has no value.
  std::span<const Place> Places() const { return places_; }
  /// The first position below the last that nothing stands at.
  std::optional<std::uint16_t> Gap() const;

  /// Bytes of the payload with the values as they are now.
  /// \pre no gap
  std::size_t PayloadSize() const;
  /// The most it can become; nothing when a text has no largest size.
  std::optional<std::size_t> LargestPayload() const;
  /// Writes a payload from the values of this side (sent in their own types). No allocation.
  /// \returns bytes written; nothing when `out` is too small, and then its content is unspecified
  [[nodiscard]] std::optional<std::size_t> EncodePayload(std::span<std::byte> out) const;
  /// Takes a payload into the values of this side, converted: all of it, or nothing. No allocation for numbers and
  /// texts with a largest size.
  /// \returns false when it does not have exactly the bytes that the layout asks for; nothing is changed then
  [[nodiscard]] bool DecodePayload(Bytes payload) const;

 private:
  std::vector<Place> places_;
};

/// Writes DAT_input_output or DAT_parameter with the values as they are now. No allocation.
/// \returns bytes written; 0 when `out` is too small
[[nodiscard]] std::size_t EncodeData(PduType type, std::uint16_t sequence, std::uint16_t id, const DataLayout& layout,
                                     std::span<std::byte> out);

/// Watches the sequence numbers of one sender (a data_id at a receiver) as they wrap at 65 536.
class SequenceWatch {
 public:
  enum class Verdict : std::uint8_t {
    First,      ///< nothing came before
    Next,       ///< the one that follows
    Gap,        ///< newer, but `Missed()` are missing in between
    Duplicate,  ///< the same as the last
    Late,       ///< older than the last: within 32 768 behind it
  };
  struct Counts {
    std::uint64_t received = 0;
    std::uint64_t missed = 0;  ///< passed over by gaps; one that arrives late is taken off again
    std::uint64_t duplicated = 0;
    std::uint64_t late = 0;
  };

  /// Judges and counts. After First, Next and Gap `sequence` is the last.
  Verdict See(std::uint16_t sequence);
  /// Missing in the last gap.
  std::uint16_t Missed() const { return missed_; }
  std::uint16_t Last() const { return last_; }
  bool HasSeen() const { return has_seen_; }
  const Counts& Total() const { return counts_; }
  void Reset() { *this = {}; }

 private:
  Counts counts_;
  std::uint16_t last_ = 0;
  std::uint16_t missed_ = 0;
  bool has_seen_ = false;
};

}  // namespace openmi::dcp
