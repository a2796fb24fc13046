#pragma once

#include <memory>
#include <string>
#include <vector>

#include "openmi/sdk/Described.hpp"
#include "openmi/standard/IAdaptedOutputFactory.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi {

/// The factory of the adapted outputs that come with the SDK. Its id is "openmi.standard".
///
/// docs/adaptors.md describes them; each module has a list of its adaptors (AdaptorOffer.hpp). For a pair of items, the
/// most suitable adaptor is offered first.
class StandardAdaptors final : public IdentifiedAs<IAdaptedOutputFactory> {
 public:
  StandardAdaptors();

  /// Makes the adaptor with an id of this factory.
  /// \param target  null: the adaptor is made for the adaptee alone
  /// \throws Error  the id is unknown, or the adaptor does not fit
  std::unique_ptr<IBaseAdaptedOutput> CreateAdaptedOutput(const IIdentifiable& adapted_output_id, IBaseOutput& adaptee,
                                                          IBaseInput* target) override;
  /// The ids of the adaptors that fit the pair, most suitable first.
  /// \param target  null: those that fit the adaptee alone
  std::vector<const IIdentifiable*> GetAvailableAdaptedOutputIds(const IBaseOutput& adaptee,
                                                                 const IBaseInput* target) override;

  /// Makes the unit conversion that the engine inserts where the units of a link differ.
  std::unique_ptr<IBaseAdaptedOutput> CreateUnitConversion(IBaseOutput& adaptee, IBaseInput& target);

  /// Makes the adaptor that the engine inserts to hide rows outside the adaptee's data (`WithinHorizon`).
  std::unique_ptr<IBaseAdaptedOutput> CreateWithinHorizon(IBaseOutput& adaptee);

  /// All ids, for any pair of items.
  std::vector<const IIdentifiable*> AllIds() const;
};

}  // namespace openmi
