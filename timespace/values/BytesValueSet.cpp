#include "timespace/values/BytesValueSet.hpp"

#include <fmt/format.h>

#include "openmi/sdk/Error.hpp"

namespace openmi {

ByteView BytesValueSet::BytesAt(std::size_t time, std::size_t element) const {
  if (time != 0 || element >= values_.size()) {
    throw RangeError(
        {}, fmt::format("expected bytes of one time and {} elements, found a question for time {} and element {}",
                        values_.size(), time, element));
  }
  return values_[element].shown;
}

void BytesValueSet::Keep(std::size_t element, ByteView bytes) {
  Kept& value = values_.at(element);
  value.own.assign(bytes.begin(), bytes.end());
  value.shown = value.own;
  value.is_set = true;
}

Value BytesValueSet::At(std::size_t, std::size_t element) const {
  const Kept& value = values_[element];
  if (!value.is_set) return {};
  return Bytes(value.shown.begin(), value.shown.end());
}

void BytesValueSet::Put(std::size_t, std::size_t element, const Value& value) {
  const auto* bytes = value.As<Bytes>();
  if (bytes == nullptr && !value.IsEmpty()) {
    throw TypeError({}, fmt::format("expected bytes, found a value of type {}", value.Type().Name()));
  }
  if (bytes != nullptr) return Keep(element, *bytes);
  values_.at(element) = {};
}

void BytesValueSet::ResizeTimes(std::size_t times) {
  if (times == 1) return;
  throw TypeError({}, fmt::format("expected bytes at one time, found {} times", times));
}

}  // namespace openmi
