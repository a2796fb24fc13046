#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <variant>
#include <vector>

namespace openmi {

/// Raw bytes, as IByteStateConverter and binary values carry them; owns them.
using Bytes = std::vector<std::byte>;
/// Raw bytes that something else owns.
using ByteView = std::span<const std::byte>;

/// The type of data that a Value holds.
enum class ValueKind : std::uint8_t { Empty, Boolean, Integer, Double, String, Binary, Object };

/// The name of a kind in error messages, schemas and the output of `describe`: "double", "string", ...
constexpr const char* NameOf(ValueKind kind) {
  constexpr const char* kNames[] = {"empty", "boolean", "integer", "double", "string", "binary", "object"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// The type of the values of a value set, value definition or argument; the standard's Type.
struct ValueType {
  ValueKind kind = ValueKind::Double;
  const std::type_info* object = nullptr;  ///< the user's type where `kind` is Object; else null

  /// The type for values that share objects of type `T`.
  template <class T>
  static ValueType ObjectOf() {
    return {ValueKind::Object, &typeid(T)};
  }
  friend bool operator==(const ValueType& a, const ValueType& b) {
    return a.kind == b.kind && (a.object == b.object || (a.object && b.object && *a.object == *b.object));
  }
  /// The name for messages: NameOf(), or for an object the compiler's name of its type.
  std::string Name() const { return object ? std::string("object ") + object->name() : NameOf(kind); }
};

/// One value of any type; the standard's Object.
///
/// An empty Value is the standard's null. Booleans, integers, doubles and strings of up to 15 characters need no heap
/// memory. An object of a user's own type is shared, never copied. Rows of many numbers are not passed as Values but as
/// contiguous memory, through INumericRows.
class Value {
 public:
  /// An empty value.
  Value() = default;
  Value(bool value) : data_(value) {}                           // NOLINT(google-explicit-constructor)
  Value(double value) : data_(value) {}                         // NOLINT(google-explicit-constructor)
  Value(float value) : data_(static_cast<double>(value)) {}     // NOLINT(google-explicit-constructor)
  Value(std::string value) : data_(std::move(value)) {}         // NOLINT(google-explicit-constructor)
  Value(std::string_view value) : data_(std::string(value)) {}  // NOLINT(google-explicit-constructor)
  Value(const char* value) : data_(std::string(value)) {}       // NOLINT(google-explicit-constructor)
  Value(Bytes value) : data_(std::move(value)) {}               // NOLINT(google-explicit-constructor)
  template <std::integral T>
  requires(!std::same_as<T, bool> && !std::same_as<T, char>) Value(T value)
      : data_(static_cast<std::int64_t>(value)) {}  // NOLINT(google-explicit-constructor)
  template <class T>
  requires std::is_pointer_v<T> Value(T)
  = delete;  // a pointer is not a bool

  /// A value that shares a user's object.
  template <class T>
  static Value Of(std::shared_ptr<const T> object) {
    Value value;
    value.data_ = Shared{std::move(object), &typeid(T)};
    return value;
  }

  /// What the value holds.
  ValueKind Kind() const { return static_cast<ValueKind>(data_.index()); }
  /// Whether the value is the standard's null.
  bool IsEmpty() const { return Kind() == ValueKind::Empty; }
  /// The type of the value; for an object with the user's type.
  ValueType Type() const {
    const Shared* shared = std::get_if<Shared>(&data_);
    return {Kind(), shared ? shared->type : nullptr};
  }

  /// The value when it is held as exactly `T` (bool, std::int64_t, double, std::string or Bytes), else null.
  template <class T>
  const T* As() const {
    return std::get_if<T>(&data_);
  }
  /// The user's object when the value holds one of type `T`, else null.
  template <class T>
  std::shared_ptr<const T> ObjectAs() const {
    const Shared* shared = std::get_if<Shared>(&data_);
    if (!shared || *shared->type != typeid(T)) return nullptr;
    return std::static_pointer_cast<const T>(shared->object);
  }
  /// The value as a double when it is a boolean, an integer or a double; otherwise no value.
  std::optional<double> Number() const {
    if (const auto* number = As<double>()) return *number;
    if (const auto* number = As<std::int64_t>()) return static_cast<double>(*number);
    if (const auto* flag = As<bool>()) return *flag ? 1.0 : 0.0;
    return std::nullopt;
  }

  /// Equal kind and equal value. Objects are equal when they are the same object. NaN equals no value.
  friend bool operator==(const Value&, const Value&) = default;

 private:
  struct Shared {
    std::shared_ptr<const void> object;
    const std::type_info* type = nullptr;
    friend bool operator==(const Shared& a, const Shared& b) { return a.object == b.object; }
  };
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Bytes, Shared> data_;
};

}  // namespace openmi
