#pragma once

#include <string>

#include "dotnet-bridge/plugin/StandFor.hpp"
#include "openmi/standard/LinkableComponentStatus.hpp"
#include "openmi/standard/Value.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi::dotnet {

/// Registers the functions that the assembly of the bridge calls (Engine.cs).
void AddEngineCalls();

/// What is asked by a component: an input with a provider.
class IAsks : public virtual StandFor {
 public:
  /// Asks the provider.
  /// \param times  null: the input has no times
  /// \returns how many rows the answer has
  virtual std::size_t Ask(const TimeSet* times) = 0;
  /// A row of the answer, until the next question.
  /// \param size  set to the number of its values
  /// \returns null: they are no numbers (AnswerValue)
  virtual const double* AnswerRow(std::size_t row, int& size) = 0;
  virtual Value AnswerValue(std::size_t row, std::size_t element) = 0;
  /// The times of the provider; null: none.
  virtual const ITimeSet* ProviderTimes() = 0;
};

/// What has times that a component may ask for: a consumer.
class IHasTimes : public virtual StandFor {
 public:
  virtual const ITimeSet* ConsumerTimes() = 0;
  /// Its places, where they may be others than those of the output; null: they are those.
  virtual const ISpatialDefinition* ConsumerPlaces() { return nullptr; }
};

/// What hears events of a component.
class IHears : public virtual StandFor {
 public:
  virtual void OnStatusChanged(LinkableComponentStatus from, LinkableComponentStatus to,
                               const std::string& message) = 0;
};
class IHearsItem : public virtual StandFor {
 public:
  virtual void OnItemChanged(const std::string& message) = 0;
};

}  // namespace openmi::dotnet
