#pragma once

#include "openmi/sdk/ArgumentMeaning.hpp"

namespace openmi {

/// An argument that says what its value stands for.
class IArgumentMeaning {
 public:
  virtual ~IArgumentMeaning() = default;
  /// Numbers, booleans and texts out of a list of possible values are `Plain` where nothing else was stated.
  virtual ArgumentMeaning Meaning() const = 0;
};

}  // namespace openmi
