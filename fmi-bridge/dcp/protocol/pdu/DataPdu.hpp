#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fmi-bridge/dcp/protocol/pdu/TypedValue.hpp"

namespace openmi::dcp {

/// Bytes of a data PDU before its payload: type, sequence number, data_id.
inline constexpr std::size_t kDataHead = 5;

/// What one data_id (or param_id) carries: which variables, in which order, with which type on the wire.
///
/// The specification calls `pos` a byte position in one place, and states a rule for gaps that only an index can keep.
/// Here it is an index, and values follow each other without padding.
class DataLayout {
 public:
  struct Place {
    std::uint64_t value_reference = 0;
    DataType wire_type = DataType::float64;  ///< the sender's type
    TypedValue* value = nullptr;             ///< borrowed: the value of this side
  };

  /// Sets the place at `position`, and replaces an earlier one.
  /// \pre `place.value` is not null.
  void Put(std::uint16_t position, const Place& place);
  void Clear() { places_.clear(); }
  bool IsEmpty() const { return places_.empty(); }
  /// In the order of positions; in a gap `value` is null.
  std::span<const Place> Places() const { return places_; }
  /// The first position without a place, below the last; nothing where there is no gap.
  std::optional<std::uint16_t> Gap() const;

  /// Bytes of the payload with the current values.
  /// \pre There is no gap.
  std::size_t PayloadSize() const;
  /// The largest size that the payload can have; nothing when a text has no largest size.
  /// \pre There is no gap.
  std::optional<std::size_t> LargestPayload() const;
  /// Writes a payload from the values of this side, with their own types. No allocation.
  /// \pre There is no gap.
  /// \returns bytes written; nothing when `out` is too small, and then its content is unspecified
  [[nodiscard]] std::optional<std::size_t> EncodePayload(std::span<std::byte> out) const;
  /// Reads a payload into the values of this side, with conversion: all of it, or nothing.
  ///
  /// Allocates nothing for numbers, and for texts of up to 65 536 bytes.
  /// \pre There is no gap.
  /// \returns false when its size is not exactly that of the layout; nothing is changed then
  [[nodiscard]] bool DecodePayload(ByteView payload) const;

 private:
  std::vector<Place> places_;
};

/// Writes DAT_input_output or DAT_parameter with the current values. No allocation.
/// \returns bytes written; 0 when `out` is too small
[[nodiscard]] std::size_t EncodeData(PduType type, std::uint16_t sequence, std::uint16_t id, const DataLayout& layout,
                                     std::span<std::byte> out);

/// Checks the sequence numbers of one sender (a data_id at a receiver), which wrap at 65 536.
class SequenceWatch {
 public:
  enum class Verdict : std::uint8_t {
    First,      ///< none was received before
    Next,       ///< the next number
    Gap,        ///< newer, but `Missed()` numbers in between are missing
    Duplicate,  ///< the same as the last number
    Late,       ///< older than the last number by at most 32 768
  };

  /// Classifies a number. After First, Next and Gap `sequence` is the last number.
  Verdict See(std::uint16_t sequence);
  /// How many numbers the last gap skipped.
  std::uint16_t Missed() const { return missed_; }
  std::uint16_t Last() const { return last_; }
  bool HasSeen() const { return has_seen_; }

 private:
  std::uint16_t last_ = 0;
  std::uint16_t missed_ = 0;
  bool has_seen_ = false;
};

}  // namespace openmi::dcp
