#pragma once

#include <optional>
#include <string>
#include <vector>

#include "openmi/sdk/ArgumentMeaning.hpp"

namespace openmi {

/// What a component says about one of its arguments when it declares it:
/// `AddArgument<double>("k", {.caption = "storage coefficient", .unit = "d", .value = 2.0, .minimum = 1e-6})`.
///
/// \tparam T  bool, int, std::int64_t, double or std::string
template <class T>
struct ArgumentOptions {
  std::string caption = {};  ///< the id where empty
  std::string description = {};
  std::string unit = {};                ///< unit of the numbers ("d"); empty: a bare number, or no number
  std::optional<T> value = {};          ///< the default; nothing: none
  std::optional<T> minimum = {};        ///< least value allowed
  std::optional<T> maximum = {};        ///< greatest value allowed
  std::vector<T> possible_values = {};  ///< the values allowed; empty: any within the range
  bool optional = false;                ///< may stay without a value
  bool read_only = false;               ///< shown, never edited by the composer
  ArgumentMeaning meaning = {};         ///< what the value stands for; a text without one is set by its owner alone
};

}  // namespace openmi
