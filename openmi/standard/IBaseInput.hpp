#pragma once

#include "openmi/standard/IBaseExchangeItem.hpp"
#include "openmi/standard/IBaseValueSet.hpp"

namespace openmi {

class IBaseOutput;

/// An exchange item through which a component receives values.
///
/// Source: OGC 11-014r3, requirement 9.2 (/req/exchange-item/IBaseInput), table 25.
class IBaseInput : public virtual IBaseExchangeItem {
 public:
  /// The output that delivers the values; null when the input is not linked.
  virtual IBaseOutput* Provider() const = 0;
  /// Sets the provider. Called by `IBaseOutput::AddConsumer` and `RemoveConsumer`.
  /// \param provider  borrowed; may be null
  virtual void SetProvider(IBaseOutput* provider) = 0;

  /// The values that the input received last; null before the first.
  virtual const IBaseValueSet* Values() const = 0;
  /// Gives values to the input.
  ///
  /// \param values  borrowed until the next call; may be null. The answer of a provider stays valid until this input
  ///   moves the start of its time horizon.
  /// \throws TypeError  the input does not accept values of this type
  virtual void SetValues(const IBaseValueSet* values) = 0;
};

}  // namespace openmi
