#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "openmi/sdk/Described.hpp"
#include "openmi/standard/IByteStateConverter.hpp"
#include "openmi/standard/IManageState.hpp"
#include "timespace/StateReader.hpp"
#include "timespace/StateWriter.hpp"
#include "timespace/SteppingComponent.hpp"

namespace openmi {

/// The base of components that compute step by step and can go back: SteppingComponent with IManageState and
/// IByteStateConverter.
///
/// A writer adds SaveState and LoadState for what the solver remembers from one step to the next; time, ticks and the
/// rows of the outputs are kept by the base. States can be kept and restored from Prepare until Finish (restored after
/// a failure, too); they live until they are cleared or the component dies. Going on from a restored state gives
/// the same values to the last bit. After a throw the component is as it was.
///
/// Bytes: a magic word, the version of this form, length, id of the component, version of the writer's part, times,
/// rows, the writer's part, a checksum. What does not fit is refused before anything changes.
class StatefulSteppingComponent : public SteppingComponent, public IManageState, public IByteStateConverter {
 public:
  using SteppingComponent::SteppingComponent;

  const IIdentifiable& KeepCurrentState() override;
  void RestoreState(const IIdentifiable& state_id) override;
  void ClearState(const IIdentifiable& state_id) override;
  const IIdentifiable& ConvertFromByteArray(std::span<const std::byte> bytes) override;
  Bytes ConvertToByteArray(const IIdentifiable& state_id) override;

 protected:
  /// Writes what the solver remembers.
  virtual void SaveState(StateWriter& writer) const = 0;
  /// Reads it back, in the same order.
  virtual void LoadState(StateReader& reader) = 0;
  /// Raised by a writer whose SaveState changes: states of another version are refused.
  virtual int StateVersion() const { return 1; }

 private:
  struct Kept {
    std::unique_ptr<Identifier> id;
    std::vector<std::byte> bytes;
  };
  const IIdentifiable& Add(std::vector<std::byte> bytes);
  Kept& Find(const IIdentifiable& state_id);
  void RequireRunning(const char* call, bool may_have_failed) const;
  std::vector<std::byte> Encode() const;
  /// Checks all that can be checked without a look at the outputs. \returns the part after the header
  StateReader Open(std::span<const std::byte> bytes) const;

  std::map<std::string, Kept> states_;
  std::int64_t next_id_ = 1;
};

}  // namespace openmi
