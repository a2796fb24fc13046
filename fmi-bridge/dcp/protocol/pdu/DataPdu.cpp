#include "fmi-bridge/dcp/protocol/pdu/DataPdu.hpp"

#include <algorithm>

namespace openmi::dcp {

void DataLayout::Put(std::uint16_t position, const Place& place) {
  if (position >= places_.size()) places_.resize(std::size_t{position} + 1);
  places_[position] = place;
}

std::optional<std::uint16_t> DataLayout::Gap() const {
  const auto gap = std::ranges::find(places_, nullptr, &Place::value);
  if (gap == places_.end()) return std::nullopt;
  return static_cast<std::uint16_t>(gap - places_.begin());
}

std::size_t DataLayout::PayloadSize() const {
  std::size_t size = 0;
  for (const Place& place : places_) size += place.value->EncodedSize();
  return size;
}

std::optional<std::size_t> DataLayout::LargestPayload() const {
  std::size_t size = 0;
  for (const Place& place : places_) {
    if (!IsText(place.wire_type)) {
      size += SizeOf(place.wire_type) * place.value->Elements();
    } else if (place.value->MaxSize() == TypedValue::kNoMaxSize) {
      return std::nullopt;
    } else {
      size += 4 + std::size_t{place.value->MaxSize()};
    }
  }
  return size;
}

std::optional<std::size_t> DataLayout::EncodePayload(std::span<std::byte> out) const {
  std::size_t size = 0;
  for (const Place& place : places_) {
    const std::size_t written = place.value->Encode(out.subspan(size));
    if (written == 0 && place.value->EncodedSize() > 0) return std::nullopt;
    size += written;
  }
  return size;
}

bool DataLayout::DecodePayload(ByteView payload) const {
  std::size_t size = 0;
  for (const Place& place : places_) {
    const std::size_t taken = place.value->Measure(place.wire_type, payload.subspan(size));
    if (taken == TypedValue::kMismatch) return false;
    size += taken;
  }
  if (size != payload.size()) return false;
  for (const Place& place : places_) payload = payload.subspan(place.value->Take(place.wire_type, payload));
  return true;
}

std::size_t EncodeData(PduType type, std::uint16_t sequence, std::uint16_t id, const DataLayout& layout,
                       std::span<std::byte> out) {
  if (Encode(Dat{.type = type, .sequence = sequence, .id = id}, out) == 0) return 0;
  const std::optional<std::size_t> payload = layout.EncodePayload(out.subspan(kDataHead));
  return payload ? kDataHead + *payload : 0;
}

SequenceWatch::Verdict SequenceWatch::See(std::uint16_t sequence) {
  if (!has_seen_) {
    has_seen_ = true;
    last_ = sequence;
    return Verdict::First;
  }
  const auto ahead = static_cast<std::uint16_t>(sequence - last_);
  if (ahead == 0) return Verdict::Duplicate;
  if (ahead >= 0x8000) return Verdict::Late;
  last_ = sequence;
  missed_ = static_cast<std::uint16_t>(ahead - 1);
  return missed_ == 0 ? Verdict::Next : Verdict::Gap;
}

}  // namespace openmi::dcp
