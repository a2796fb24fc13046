#pragma once

#include "openmi/sdk/ArgumentMeaning.hpp"

namespace openmi {

/// An argument that states what its value means.
///
/// Optional interface of an IArgument.
class IArgumentMeaning {
 public:
  virtual ~IArgumentMeaning() = default;
  /// The meaning. Unless stated otherwise, numbers, booleans and texts with possible values are `Plain`.
  virtual ArgumentMeaning Meaning() const = 0;
};

}  // namespace openmi
