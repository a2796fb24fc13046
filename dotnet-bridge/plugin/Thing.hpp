#pragma once

#include <utility>

namespace openmi::dotnet {

/// An object of a component, which the runtime keeps as long as this lives.
class Thing {
 public:
  Thing() = default;
  /// \param number  as a function of the border returned it; 0: null
  explicit Thing(int number) : number_(number) {}
  Thing(Thing&& other) noexcept : number_(std::exchange(other.number_, 0)) {}
  Thing& operator=(Thing&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Thing();

  int Number() const { return number_; }
  explicit operator bool() const { return number_ != 0; }

 private:
  int number_ = 0;
};

}  // namespace openmi::dotnet
