#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace openmi {

/// The type of numbers in the memory of a model.
enum class NumberType : std::uint8_t {
  Float64,
  Float32,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Bool
};

/// The integer type of that size.
/// \param bytes  1, 2, 4 or 8
constexpr NumberType IntegerType(std::size_t bytes, bool is_signed) {
  return static_cast<NumberType>(static_cast<int>(is_signed ? NumberType::Int8 : NumberType::UInt8) +
                                 static_cast<int>(std::bit_width(bytes)) - 1);
}

/// The type that belongs to a C++ type.
template <class T>
constexpr NumberType NumberTypeOf() {
  static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8);
  if (std::is_same_v<T, bool>) return NumberType::Bool;
  if (std::is_floating_point_v<T>) return sizeof(T) == 8 ? NumberType::Float64 : NumberType::Float32;
  return IntegerType(sizeof(T), std::is_signed_v<T>);
}

namespace detail {
template <class Use, class First, class... Others>
auto WithFirst(NumberType type, Use& use, First zero, Others... others) {
  if constexpr (sizeof...(Others) > 0) {
    if (type != NumberTypeOf<First>()) return WithFirst(type, use, others...);
  }
  return use(zero);
}
}  // namespace detail

/// Calls `use` with a 0 of the C++ type that `type` stands for.
template <class Use>
auto WithNumber(NumberType type, Use&& use) {
  return detail::WithFirst(type, use, double{}, float{}, std::int8_t{}, std::int16_t{}, std::int32_t{}, std::int64_t{},
                           std::uint8_t{}, std::uint16_t{}, std::uint32_t{}, std::uint64_t{}, bool{});
}

/// The bytes of one number.
inline std::size_t SizeOf(NumberType type) {
  return WithNumber(type, [](auto zero) { return sizeof zero; });
}

/// The number of type T that a double becomes; integers are rounded to the nearest, halves away from 0.
/// \returns nothing for a number that an integer of this type cannot hold, and for NaN
template <class T>
std::optional<T> Rounded(double value) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else {
    const double whole = std::round(value);
    // The upper limit of 64 bits is not a double; the next power of two is.
    const double above = std::ldexp(1.0, std::numeric_limits<T>::digits);
    const bool fits = whole >= static_cast<double>(std::numeric_limits<T>::min()) && whole < above;
    return fits ? std::optional(static_cast<T>(whole)) : std::nullopt;
  }
}

/// Reads one number at any address.
template <class T>
T LoadNumber(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

/// Copies numbers as doubles; those of 64 bits above 2^53 are rounded.
/// \param from  as many numbers of type `type` as `to` has
inline void ReadNumbers(NumberType type, const void* from, std::span<double> to) {
  WithNumber(type, [&]<class T>(T) {
    if constexpr (std::is_same_v<T, double>) {
      if (!to.empty()) std::memcpy(to.data(), from, to.size_bytes());
    } else {
      const auto* at = static_cast<const std::byte*>(from);
      for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<double>(LoadNumber<T>(at + i * sizeof(T)));
    }
  });
}

/// Copies doubles to numbers of type `type`, see Rounded.
/// \returns how many were copied: fewer than `from` has where the type cannot hold the next one
inline std::size_t WriteNumbers(NumberType type, std::span<const double> from, void* to) {
  return WithNumber(type, [&]<class T>(T) {
    auto* at = static_cast<std::byte*>(to);
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::optional<T> number = Rounded<T>(from[i]);
      if (!number) return i;
      std::memcpy(at + i * sizeof(T), &*number, sizeof(T));
    }
    return from.size();
  });
}

/// Numbers of one type, one after another in memory.
class NumberMemory {
 public:
  /// \param count  of numbers, which are 0
  explicit NumberMemory(NumberType type = NumberType::Float64, std::size_t count = 0)
      : type_(type), bytes_(count * SizeOf(type)) {}

  NumberType Type() const { return type_; }
  void Resize(std::size_t count) { bytes_.resize(count * SizeOf(type_)); }
  std::span<const std::byte> Bytes() const { return bytes_; }
  std::span<std::byte> Bytes() { return bytes_; }

  /// A number as a double; one of 64 bits above 2^53 is rounded.
  double Number(std::size_t index) const {
    double value = 0.0;
    Numbers(index, {&value, 1});
    return value;
  }
  /// \returns false, and changes nothing, where the type cannot hold the number, see Rounded
  [[nodiscard]] bool SetNumber(std::size_t index, double value) {
    return WriteNumbers(type_, {&value, 1}, bytes_.data() + index * SizeOf(type_)) == 1;
  }
  /// The bits of an integer; a boolean as 0 or 1. Not for floats.
  std::int64_t Integer(std::size_t index) const {
    return WithNumber(
        type_, [&]<class T>(T) { return static_cast<std::int64_t>(LoadNumber<T>(bytes_.data() + index * sizeof(T))); });
  }
  /// Sets an integer; one outside the range of the type wraps.
  void SetInteger(std::size_t index, std::int64_t value) {
    WithNumber(type_, [&]<class T>(T) {
      const T number = static_cast<T>(value);
      std::memcpy(bytes_.data() + index * sizeof(T), &number, sizeof(T));
    });
  }
  /// Copies the numbers [first, first + out.size()) as doubles.
  void Numbers(std::size_t first, std::span<double> out) const {
    ReadNumbers(type_, bytes_.data() + first * SizeOf(type_), out);
  }
  /// The numbers as an array of T.
  /// \pre  T is of the size of the type
  template <class T>
  T* As() {
    return reinterpret_cast<T*>(bytes_.data());
  }
  template <class T>
  const T* As() const {
    return reinterpret_cast<const T*>(bytes_.data());
  }

 private:
  NumberType type_;
  std::vector<std::byte> bytes_;  // of operator new: aligned for all of the types
};

}  // namespace openmi
