#include "fmi-bridge/dcp/protocol/pdu/TypedValue.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace openmi::dcp {
namespace {

/// Calls `use` with a value of the C++ type of a numeric type.
template <class Use>
auto WithType(DataType type, Use&& use) {
  switch (type) {
    case DataType::uint8:
      return use(std::uint8_t{});
    case DataType::uint16:
      return use(std::uint16_t{});
    case DataType::uint32:
      return use(std::uint32_t{});
    case DataType::uint64:
      return use(std::uint64_t{});
    case DataType::int8:
      return use(std::int8_t{});
    case DataType::int16:
      return use(std::int16_t{});
    case DataType::int32:
      return use(std::int32_t{});
    case DataType::int64:
      return use(std::int64_t{});
    case DataType::float32:
      return use(float{});
    default:
      return use(double{});
  }
}

template <class T>
T Load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <class T>
void Store(T value, std::byte* to) {
  std::memcpy(to, &value, sizeof(T));
}

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
    : type_(type), elements_(elements), max_size_(max_size), numbers_(SizeOf(type) * elements) {
  if (IsText(type)) text_.reserve(std::min(max_size, kReserved));
}

double TypedValue::Number(std::size_t index) const {
  return WithType(type_, [&]<class T>(T) { return static_cast<double>(Load<T>(numbers_.data() + index * sizeof(T))); });
}

void TypedValue::SetNumber(double value, std::size_t index) {
  WithType(type_, [&]<class T>(T) { Store(Nearest<T>(value), numbers_.data() + index * sizeof(T)); });
}

std::int64_t TypedValue::Integer(std::size_t index) const {
  return WithType(type_,
                  [&]<class T>(T) { return static_cast<std::int64_t>(Load<T>(numbers_.data() + index * sizeof(T))); });
}

void TypedValue::SetInteger(std::int64_t value, std::size_t index) {
  WithType(type_, [&]<class T>(T) { Store(static_cast<T>(value), numbers_.data() + index * sizeof(T)); });
}

void TypedValue::Numbers(std::span<double> out) const {
  WithType(type_, [&]<class T>(T) {
    for (std::size_t i = 0; i < elements_; ++i) out[i] = static_cast<double>(Load<T>(numbers_.data() + i * sizeof(T)));
  });
}

void TypedValue::SetNumbers(std::span<const double> values) {
  WithType(type_, [&]<class T>(T) {
    for (std::size_t i = 0; i < elements_; ++i) Store(Nearest<T>(values[i]), numbers_.data() + i * sizeof(T));
  });
}

bool TypedValue::SetText(std::string_view text) {
  if (text.size() > max_size_) return false;
  text_ = text;
  return true;
}

std::size_t TypedValue::EncodedSize() const {
  return IsText(type_) ? kLengthBytes + text_.size() : numbers_.size();
}

std::size_t TypedValue::Encode(std::span<std::byte> out) const {
  const std::size_t size = EncodedSize();
  if (size > out.size()) return 0;
  if (IsText(type_)) {
    Store(static_cast<std::uint32_t>(text_.size()), out.data());
    std::memcpy(out.data() + kLengthBytes, text_.data(), text_.size());
  } else {
    std::memcpy(out.data(), numbers_.data(), size);
  }
  return size;
}

std::size_t TypedValue::Measure(DataType source, Bytes bytes) const {
  if (!CanConvert(source, type_)) return kMismatch;
  if (!IsText(type_)) {
    const std::size_t size = SizeOf(source) * elements_;
    return size <= bytes.size() ? size : kMismatch;
  }
  if (bytes.size() < kLengthBytes) return kMismatch;
  const auto length = Load<std::uint32_t>(bytes.data());
  if (length > max_size_ || length > bytes.size() - kLengthBytes) return kMismatch;
  return kLengthBytes + length;
}

std::size_t TypedValue::Take(DataType source, Bytes bytes) {
  if (IsText(type_)) {
    const auto length = Load<std::uint32_t>(bytes.data());
    text_.assign(reinterpret_cast<const char*>(bytes.data()) + kLengthBytes, length);
    return kLengthBytes + length;
  }
  if (source == type_) {
    std::memcpy(numbers_.data(), bytes.data(), numbers_.size());
    return numbers_.size();
  }
  return WithType(source, [&]<class From>(From) {
    WithType(type_, [&]<class To>(To) {
      for (std::size_t i = 0; i < elements_; ++i) {
        Store(static_cast<To>(Load<From>(bytes.data() + i * sizeof(From))), numbers_.data() + i * sizeof(To));
      }
    });
    return elements_ * sizeof(From);
  });
}

}  // namespace openmi::dcp
