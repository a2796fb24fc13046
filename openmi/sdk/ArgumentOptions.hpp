#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "openmi/sdk/EnumNames.hpp"
#include "openmi/sdk/IArgumentMeaning.hpp"

namespace openmi {

/// The properties of an argument, as its component declares them.
///
/// Example: `AddArgument<double>("k", {.caption = "storage coefficient", .unit = "d", .value = 2.0, .minimum = 1e-6})`.
///
/// \tparam T  bool, int, std::int64_t, double or std::string
template <class T>
struct ArgumentOptions {
  std::string caption = {};  ///< empty: the id
  std::string description = {};
  std::string unit = {};                ///< the unit of the numbers ("d"); empty: numbers without a unit, or no numbers
  std::optional<T> value = {};          ///< the default; no value: the argument has none
  std::optional<T> minimum = {};        ///< least value allowed
  std::optional<T> maximum = {};        ///< greatest value allowed
  std::vector<T> possible_values = {};  ///< the allowed values; empty: all within the range
  bool optional = false;                ///< may have no value
  bool read_only = false;               ///< users can see the value but not change it
  ArgumentMeaning meaning = {};         ///< what the value means; a text without a meaning can be set only by its owner
};

/// The properties of an argument whose texts are the names of an enumeration.
template <class E>
requires std::is_enum_v<E>
struct ArgumentOptions<E> {
  std::string caption = {};  ///< empty: the id
  std::string description = {};
  std::optional<E> value = {};   ///< the default; no value: the argument has none
  const EnumNames<E>& names;     ///< the allowed texts; a constant of the program
  bool optional = false;         ///< may have no value
  ArgumentMeaning meaning = {};  ///< what the value means

  /// The same for an argument that holds the text.
  ArgumentOptions<std::string> AsText() const {
    return {.caption = caption,
            .description = description,
            .value = value ? std::optional<std::string>(names.NameOf(*value)) : std::nullopt,
            .possible_values = names.List(),
            .optional = optional,
            .meaning = meaning};
  }
};

}  // namespace openmi
