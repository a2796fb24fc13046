#pragma once

#include <memory>
#include <span>
#include <vector>

#include "openmi/standard/IArgument.hpp"

namespace openmi::dotnet {

/// The arguments of a component or an adapted output.
class Arguments {
 public:
  Arguments() = default;
  /// \param thing  the component or adapted output
  explicit Arguments(int thing);
  std::span<IArgument* const> Items() const { return items_; }

 private:
  std::vector<std::unique_ptr<IArgument>> owned_;
  std::vector<IArgument*> items_;
};

}  // namespace openmi::dotnet
