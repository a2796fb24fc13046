#pragma once

#include <cassert>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include "openmi/sdk/ArgumentItem.hpp"
#include "openmi/sdk/ArgumentOptions.hpp"
#include "openmi/sdk/EnumNames.hpp"

namespace openmi {

/// A component's typed handle to one of its arguments.
///
/// Borrows the ArgumentItem, which the component owns.
/// \tparam T  bool, int, std::int64_t, double or std::string
template <class T>
class Argument {
  static_assert(std::same_as<T, bool> || std::same_as<T, int> || std::same_as<T, std::int64_t> ||
                std::same_as<T, double> || std::same_as<T, std::string>);

 public:
  Argument() = default;
  /// \pre  `item` was declared with `ArgumentOptions<T>`
  explicit Argument(ArgumentItem& item) : item_(&item) {}

  /// The current value, in the argument's unit.
  /// \throws ArgumentError  the argument has no value
  T Value() const {
    using Held = std::conditional_t<std::same_as<T, int>, std::int64_t, T>;
    const openmi::Value value = Item().Value();
    const Held* held = value.template As<Held>();
    if (!held) Item().ThrowMissing();
    return static_cast<T>(*held);  // an int argument is declared with the range of int
  }
  /// Whether there is a value, either set or the default.
  bool HasValue() const { return Item().HasValue(); }
  /// The argument itself.
  /// \pre  not default constructed
  ArgumentItem& Item() const {
    assert(item_ && "an argument is used before AddArgument");
    return *item_;
  }

 private:
  ArgumentItem* item_ = nullptr;
};

/// The text of an argument; empty where it has none.
inline std::string TextOf(const Argument<std::string>& argument) {
  return argument.HasValue() ? argument.Value() : std::string();
}

/// A handle to an argument whose texts are the names of an enumeration.
template <class E>
requires std::is_enum_v<E>
class Argument<E> : public Argument<std::string> {
 public:
  Argument() = default;
  /// \param names  borrowed; a constant of the program
  Argument(ArgumentItem& item, const EnumNames<E>& names) : Argument<std::string>(item), names_(&names) {}

  /// The value that the text names.
  /// \throws ArgumentError  the argument has no value
  E Value() const { return names_->Find(Argument<std::string>::Value()).value(); }

 private:
  const EnumNames<E>* names_ = nullptr;
};

}  // namespace openmi
