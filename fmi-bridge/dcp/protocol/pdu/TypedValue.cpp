#include "fmi-bridge/dcp/protocol/pdu/TypedValue.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace openmi::dcp {
namespace {

/// The nearest value of T.
template <class T>
T Nearest(double value) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else {
    if (std::isnan(value)) return 0;
    const double rounded = std::nearbyint(value);
    // The largest 64-bit integers are no doubles: the limits round up to a power of two that is out of range.
    if (rounded >= std::ldexp(1.0, std::numeric_limits<T>::digits)) return std::numeric_limits<T>::max();
    if (rounded <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    return static_cast<T>(rounded);
  }
}

constexpr std::size_t kLengthBytes = 4;  // before a text
constexpr std::uint32_t kReserved = 1 << 16;

}  // namespace

TypedValue::TypedValue(DataType type, std::size_t elements, std::uint32_t max_size)
    : type_(type),
      elements_(elements),
      max_size_(max_size),
      numbers_(NumberTypeOf(type), SizeOf(type) == 0 ? 0 : elements) {
  if (IsText(type)) text_.reserve(std::min(max_size, kReserved));
}

void TypedValue::SetNumber(double value, std::size_t index) {
  WithNumber(numbers_.Type(), [&]<class T>(T) { numbers_.As<T>()[index] = Nearest<T>(value); });
}

void TypedValue::SetNumbers(std::span<const double> values) {
  WithNumber(numbers_.Type(), [&]<class T>(T) {
    for (std::size_t i = 0; i < elements_; ++i) numbers_.As<T>()[i] = Nearest<T>(values[i]);
  });
}

bool TypedValue::SetText(std::string_view text) {
  if (text.size() > max_size_) return false;
  text_ = text;
  return true;
}

std::size_t TypedValue::EncodedSize() const {
  return IsText(type_) ? kLengthBytes + text_.size() : numbers_.Bytes().size();
}

std::size_t TypedValue::Encode(std::span<std::byte> out) const {
  const std::size_t size = EncodedSize();
  if (size > out.size()) return 0;
  if (IsText(type_)) {
    const auto length = static_cast<std::uint32_t>(text_.size());
    std::memcpy(out.data(), &length, kLengthBytes);
    std::memcpy(out.data() + kLengthBytes, text_.data(), text_.size());
  } else {
    std::memcpy(out.data(), numbers_.Bytes().data(), size);
  }
  return size;
}

std::size_t TypedValue::Measure(DataType source, ByteView bytes) const {
  if (!CanConvert(source, type_)) return kMismatch;
  if (!IsText(type_)) {
    const std::size_t size = SizeOf(source) * elements_;
    return size <= bytes.size() ? size : kMismatch;
  }
  if (bytes.size() < kLengthBytes) return kMismatch;
  const auto length = LoadNumber<std::uint32_t>(bytes.data());
  if (length > max_size_ || length > bytes.size() - kLengthBytes) return kMismatch;
  return kLengthBytes + length;
}

std::size_t TypedValue::Take(DataType source, ByteView bytes) {
  if (IsText(type_)) {
    const auto length = LoadNumber<std::uint32_t>(bytes.data());
    text_.assign(reinterpret_cast<const char*>(bytes.data()) + kLengthBytes, length);
    return kLengthBytes + length;
  }
  if (source == type_) {
    std::memcpy(numbers_.Bytes().data(), bytes.data(), numbers_.Bytes().size());
    return numbers_.Bytes().size();
  }
  return WithNumber(NumberTypeOf(source), [&]<class From>(From) {
    WithNumber(numbers_.Type(), [&]<class To>(To) {
      for (std::size_t i = 0; i < elements_; ++i) {
        numbers_.As<To>()[i] = static_cast<To>(LoadNumber<From>(bytes.data() + i * sizeof(From)));
      }
    });
    return elements_ * sizeof(From);
  });
}

}  // namespace openmi::dcp
