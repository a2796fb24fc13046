#pragma once

#include <mono/metadata/object.h>

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "dotnet-bridge/plugin/Mono.hpp"

namespace openmi::dotnet {

namespace detail {

/// What crosses for a parameter or result: numbers and pointers as they are, the rest as an object of .NET.
template <class T>
struct Crossing {
  using Type = T;
  static T In(T value) { return value; }
  static T Out(T value) { return value; }
};
template <>
struct Crossing<void> {
  using Type = void;
};
template <class T, class Object>
struct CrossingObject {
  using Type = Object*;
  static Object* In(const T& value) { return ToMono(value); }
};
template <>
struct Crossing<std::string> {
  using Type = MonoString*;
  static MonoString* In(const std::string& text) { return ToMonoText(text); }
  static std::string Out(MonoString* text) { return TextOf(text); }
};
template <>
struct Crossing<std::vector<int>> {
  using Type = MonoArray*;
  /// Null: none.
  static MonoArray* In(const std::vector<int>& numbers) {
    return numbers.empty() ? nullptr : ToMono(std::span<const int>(numbers));
  }
  static std::vector<int> Out(MonoArray* numbers) { return NumbersOf(numbers); }
};
template <>
struct Crossing<Value> : CrossingObject<Value, MonoObject> {
  static Value Out(MonoObject* value) { return ValueOf(value); }
};
template <>
struct Crossing<std::optional<std::vector<Value>>> {
  using Type = MonoArray*;
  static std::optional<std::vector<Value>> Out(MonoArray* values) { return ValuesOf(values); }
};
template <>
struct Crossing<std::vector<std::string>> {
  using Type = MonoArray*;
  static std::vector<std::string> Out(MonoArray* texts) { return TextsOf(texts); }
};
template <>
struct Crossing<Bytes> {
  using Type = MonoArray*;
  static Bytes Out(MonoArray* bytes) { return BytesOf(bytes); }
};
template <>
struct Crossing<ByteView> : CrossingObject<ByteView, MonoArray> {};
template <>
struct Crossing<std::span<const Value>> : CrossingObject<std::span<const Value>, MonoArray> {};
template <>
struct Crossing<std::span<const std::vector<Value>>> : CrossingObject<std::span<const std::vector<Value>>, MonoArray> {
};
/// Rows of numbers; null: none.
template <>
struct Crossing<const std::vector<std::vector<double>>*> {
  using Type = MonoArray*;
  static MonoArray* In(const std::vector<std::vector<double>>* rows) {
    return rows != nullptr ? ToMonoRows(*rows) : nullptr;
  }
};

}  // namespace detail

template <class Signature>
class Method;

/// A function of the class Border. It may be called on any thread, after Mono::Start.
template <class R, class... A>
class Method<R(A...)> {
 public:
  /// \param name  kept; for messages
  explicit Method(const char* name)
      : name_(name), thunk_(reinterpret_cast<Thunk>(Mono::Function(name, static_cast<int>(sizeof...(A))))) {}

  /// \throws ModelError  the component threw; or what the engine threw when the component asked it
  R operator()(const A&... given) const {
    const InsideCall inside(Mono::Enter());
    MonoException* thrown = nullptr;
    if constexpr (std::is_void_v<R>) {
      thunk_(detail::Crossing<A>::In(given)..., &thrown);
      if (thrown != nullptr) Mono::Rethrow(name_, thrown);
    } else {
      const auto result = thunk_(detail::Crossing<A>::In(given)..., &thrown);
      if (thrown != nullptr) Mono::Rethrow(name_, thrown);
      return detail::Crossing<R>::Out(result);
    }
  }

 private:
  using Thunk = typename detail::Crossing<R>::Type (*)(typename detail::Crossing<A>::Type..., MonoException**);
  const char* name_;
  Thunk thunk_;
};

}  // namespace openmi::dotnet
