#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "timespace/optional/IBalance.hpp"

namespace openmi {

/// A component of many parts that states the balance of each; `IBalance` states their sum.
///
/// Optional interface, of populations.
class IElementBalances {
 public:
  virtual ~IElementBalances() = default;
  /// The ids of the parts; empty: they state no storage.
  virtual const std::vector<std::string>& BalanceIds() const = 0;
  /// The present terms of each part, in `IBalance::BalanceUnit`. To be called while the component is prepared.
  /// \param each  shape [ids]
  virtual void BalanceOfEach(std::span<BalanceTerms> each) const = 0;
};

}  // namespace openmi
