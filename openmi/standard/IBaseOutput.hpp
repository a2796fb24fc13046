#pragma once

#include <span>

#include "openmi/standard/IBaseExchangeItem.hpp"
#include "openmi/standard/IBaseValueSet.hpp"

namespace openmi {

class IBaseAdaptedOutput;
class IBaseInput;

/// An exchange item through which a component delivers values.
///
/// Order of calls: `AddConsumer` and `AddAdaptedOutput` between `Initialize` and `Prepare`; `GetValues` from `Prepare`
/// until `Finish`. After an exception the output still holds the values that it held before the call.
///
/// Source: OGC 11-014r3, requirement 9.3 (/req/exchange-item/IBaseOutput), table 27.
class IBaseOutput : public virtual IBaseExchangeItem {
 public:
  /// The adapted outputs whose adaptee is this output. The list is valid until the next call that adds or removes one.
  virtual std::span<IBaseAdaptedOutput* const> AdaptedOutputs() const = 0;

  /// Registers an adapted output of this output.
  /// \param adapted_output  borrowed until it is removed
  /// \throws LinkError  the adapted output does not fit this output
  virtual void AddAdaptedOutput(IBaseAdaptedOutput& adapted_output) = 0;

  /// Registers `consumer` and becomes its provider.
  /// \param consumer  borrowed; must outlive the link
  /// \throws LinkError  the consumer has another provider, this output cannot serve it, or it conflicts with another
  ///   consumer
  virtual void AddConsumer(IBaseInput& consumer) = 0;

  /// The registered consumers. The list is valid until the next call that adds or removes one.
  virtual std::span<IBaseInput* const> Consumers() const = 0;

  /// Answers `query_specifier`; the component updates first when it has to.
  ///
  /// \param query_specifier  usually a registered consumer; any other exchange item is allowed, such as that of a test
  ///   or a viewer
  /// \returns a view of values that the provider keeps. For a registered consumer it is valid until that consumer moves
  ///   the start of its time horizon; for an unregistered query, until the next unregistered query.
  /// \throws LinkError   the output cannot serve the query (its times, its elements)
  /// \throws RangeError  the query asks for more than the output can deliver
  virtual const IBaseValueSet& GetValues(const IBaseExchangeItem& query_specifier) = 0;

  /// Removes a registered adapted output.
  /// \throws LinkError  `adapted_output` is not registered here
  virtual void RemoveAdaptedOutput(IBaseAdaptedOutput& adapted_output) = 0;

  /// Removes `consumer` from the list and sets its provider to null.
  /// \throws LinkError  `consumer` is not registered here
  virtual void RemoveConsumer(IBaseInput& consumer) = 0;

  /// The present raw values. The set is empty before the first values exist.
  virtual const IBaseValueSet& Values() const = 0;
};

}  // namespace openmi
