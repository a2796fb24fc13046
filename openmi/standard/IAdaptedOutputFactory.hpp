#pragma once

#include <memory>
#include <span>
#include <vector>

#include "openmi/standard/IBaseAdaptedOutput.hpp"
#include "openmi/standard/IBaseInput.hpp"
#include "openmi/standard/IIdentifiable.hpp"

namespace openmi {

/// Creates adapted outputs.
///
/// Source: OGC 11-014r3, requirement 10.3 (/req/adapted-output/IAdaptedOutputFactory), table 30.
class IAdaptedOutputFactory : public virtual IIdentifiable {
 public:
  /// Creates the adapted output `adapted_output_id` on `adaptee` and registers it there with `AddAdaptedOutput`.
  ///
  /// \param adapted_output_id  an id from `GetAvailableAdaptedOutputIds`
  /// \param adaptee            the output to adapt; borrowed, must outlive the adapted output
  /// \param target             the input that will be linked; borrowed, null when not known
  /// \returns the adapted output; the caller owns it and must remove it from the adaptee before destroying it
  /// \throws LinkError  this factory does not know the id, or the adapted output does not fit adaptee and target
  virtual std::unique_ptr<IBaseAdaptedOutput> CreateAdaptedOutput(const IIdentifiable& adapted_output_id,
                                                                  IBaseOutput& adaptee, IBaseInput* target) = 0;

  /// The ids of the adapted outputs that this factory can create on `adaptee` for `target`.
  ///
  /// \param target  the input that will be linked; null: all adapted outputs that the adaptee can have
  /// \returns borrowed ids that live as long as the factory; their captions are texts for people
  virtual std::vector<const IIdentifiable*> GetAvailableAdaptedOutputIds(const IBaseOutput& adaptee,
                                                                         const IBaseInput* target) = 0;
};

}  // namespace openmi
