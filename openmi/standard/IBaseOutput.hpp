#pragma once

#include <span>

#include "openmi/standard/IBaseExchangeItem.hpp"
#include "openmi/standard/IBaseValueSet.hpp"

namespace openmi {

class IBaseAdaptedOutput;
class IBaseInput;

/// An exchange item that a component delivers values through.
///
/// Order of calls: AddConsumer and AddAdaptedOutput between Initialize and Prepare; GetValues from Prepare until
/// Finish. After a throw the output still holds the values it held before the call.
///
/// Source: OGC 11-014r3, requirement 9.3 (/req/exchange-item/IBaseOutput), table 27.
class IBaseOutput : public virtual IBaseExchangeItem {
 public:
  /// The adapted outputs whose adaptee is this output. The list is good until the next Add or Remove.
  virtual std::span<IBaseAdaptedOutput* const> AdaptedOutputs() const = 0;

  /// Registers an adapted output of this output; borrowed.
  /// \throws LinkError  it does not fit this output
  virtual void AddAdaptedOutput(IBaseAdaptedOutput& adapted_output) = 0;

  /// Registers `consumer` and becomes its provider; borrowed, must outlive the link.
  /// \throws LinkError  the consumer has another provider, or cannot be served, or clashes with the other consumers
  virtual void AddConsumer(IBaseInput& consumer) = 0;

  /// The registered consumers. The list is good until the next Add or Remove.
  virtual std::span<IBaseInput* const> Consumers() const = 0;

  /// Answers `query_specifier`, computing first if it has to.
  ///
  /// The query is a registered consumer as a rule; any other exchange item is legal (a test's, a viewer's).
  /// \returns a view of values that the provider keeps. It stays good until the asking consumer moves the begin of its
  ///          time horizon on; the view given to an unregistered query, until the next such query.
  /// \throws LinkError   the query cannot be served (its times, its elements)
  /// \throws RangeError  beyond what the output can deliver
  virtual const IBaseValueSet& GetValues(const IBaseExchangeItem& query_specifier) = 0;

  /// \throws LinkError  `adapted_output` is not registered here
  virtual void RemoveAdaptedOutput(IBaseAdaptedOutput& adapted_output) = 0;

  /// Takes `consumer` off the list and its provider away.
  /// \throws LinkError  `consumer` is not registered here
  virtual void RemoveConsumer(IBaseInput& consumer) = 0;

  /// The present raw values; may be read when there are none yet (the set is then empty).
  virtual const IBaseValueSet& Values() const = 0;
};

}  // namespace openmi
