#pragma once

#include <memory>
#include <span>
#include <vector>

#include "openmi/standard/IBaseAdaptedOutput.hpp"
#include "openmi/standard/IBaseInput.hpp"
#include "openmi/standard/IIdentifiable.hpp"

namespace openmi {

/// Makes adapted outputs.
///
/// Source: OGC 11-014r3, requirement 10.3 (/req/adapted-output/IAdaptedOutputFactory), table 30.
class IAdaptedOutputFactory : public virtual IIdentifiable {
 public:
  /// Makes the adapted output `adapted_output_id` on `adaptee` and registers it there (AddAdaptedOutput).
  /// \param adapted_output_id  one that GetAvailableAdaptedOutputIds gave
  /// \param target             the input it is meant for; null when not known
  /// \returns the adapted output; the caller owns it, and must remove it from the adaptee before it dies
  /// \throws LinkError  the id is not one of this factory, or does not fit the two
  virtual std::unique_ptr<IBaseAdaptedOutput> CreateAdaptedOutput(const IIdentifiable& adapted_output_id,
                                                                  IBaseOutput& adaptee, IBaseInput* target) = 0;

  /// What could stand on `adaptee` towards `target`; with a null target, all that is usable on the adaptee.
  /// The ids live as long as the factory; captions are for people.
  virtual std::vector<const IIdentifiable*> GetAvailableAdaptedOutputIds(const IBaseOutput& adaptee,
                                                                         const IBaseInput* target) = 0;
};

}  // namespace openmi
