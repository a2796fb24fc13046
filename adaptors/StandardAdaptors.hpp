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
/// What there is stands in docs/adaptors.md; each room keeps its own list (AdaptorOffer.hpp). What it offers for a pair
/// of items comes most suitable first.
class StandardAdaptors final : public IdentifiedAs<IAdaptedOutputFactory> {
 public:
  StandardAdaptors();

  std::unique_ptr<IBaseAdaptedOutput> CreateAdaptedOutput(const IIdentifiable& adapted_output_id, IBaseOutput& adaptee,
                                                          IBaseInput* target) override;
  std::vector<const IIdentifiable*> GetAvailableAdaptedOutputIds(const IBaseOutput& adaptee,
                                                                 const IBaseInput* target) override;

  /// The conversion the engine inserts by itself.
  std::unique_ptr<IBaseAdaptedOutput> CreateUnitConversion(IBaseOutput& adaptee, IBaseInput& target);

  /// All ids, whatever they fit.
  std::vector<const IIdentifiable*> AllIds() const;
};

}  // namespace openmi
