#pragma once

#include "openmi/standard/IBaseExchangeItem.hpp"
#include "openmi/standard/IBaseValueSet.hpp"

namespace openmi {

class IBaseOutput;

/// An exchange item that a component takes values through.
///
/// Source: OGC 11-014r3, requirement 9.2 (/req/exchange-item/IBaseInput), table 25.
class IBaseInput : public virtual IBaseExchangeItem {
 public:
  /// Who delivers; null when the input is not linked.
  virtual IBaseOutput* Provider() const = 0;
  /// Set by IBaseOutput::AddConsumer and RemoveConsumer; borrowed, may be null.
  virtual void SetProvider(IBaseOutput* provider) = 0;

  /// The values last given to the input; null before the first.
  virtual const IBaseValueSet* Values() const = 0;
  /// Gives values to the input. Borrowed: they must stay until the next call, as the answer of a provider does until
  /// this input moves its time horizon on. May be null. \throws TypeError  the values are of a type the input cannot
  /// take
  virtual void SetValues(const IBaseValueSet* values) = 0;
};

}  // namespace openmi
