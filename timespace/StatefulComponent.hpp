#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "openmi/sdk/Described.hpp"
#include "openmi/standard/IByteStateConverter.hpp"
#include "openmi/standard/IManageState.hpp"
#include "timespace/SteppingComponent.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {

/// The base class of components that compute step by step and can return to an earlier state.
///
/// It is a SteppingComponent with IManageState and IByteStateConverter.
///
/// A derived class adds `SaveState` and `LoadState` for the data that the solver keeps from one step to the next. The
/// base class keeps time, ticks and the rows of the outputs. States can be kept and restored after `Prepare` until
/// `Finish`, between two updates, and restored also after a failure. They live until they are cleared or the component
/// is destroyed. A run that continues from a restored state gives the same values to the last bit. After an exception
/// the component is unchanged.
///
/// The bytes contain a magic word, the version of this format, length, id of the component, version of the derived
/// class, times, rows, the data of the derived class, and a checksum. Bytes that do not fit are refused before anything
/// changes.
class StatefulSteppingComponent : public SteppingComponent, public IManageState, public IByteStateConverter {
 public:
  using SteppingComponent::SteppingComponent;

  const IIdentifiable& KeepCurrentState() override;
  void RestoreState(const IIdentifiable& state_id) override;
  void ClearState(const IIdentifiable& state_id) override;
  const IIdentifiable& ConvertFromByteArray(ByteView bytes) override;
  Bytes ConvertToByteArray(const IIdentifiable& state_id) override;

 protected:
  /// Writes the data that the solver keeps from one step to the next.
  virtual void SaveState(StateWriter& writer) const = 0;
  /// Reads the data of `SaveState`, in the same order.
  virtual void LoadState(StateReader& reader) = 0;
  /// The version of the data of `SaveState`. Increase it when they change: states of another version are refused.
  virtual int StateVersion() const { return 1; }

 private:
  struct Kept {
    std::unique_ptr<Identifier> id;
    Bytes bytes;
  };
  const IIdentifiable& Add(Bytes bytes);
  Kept& Find(const IIdentifiable& state_id);
  void RequireRunning(const char* call, bool may_have_failed) const;
  Bytes Encode() const;
  /// Checks everything that can be checked without the outputs.
  /// \returns the part after the header
  StateReader Open(ByteView bytes) const;

  std::map<std::string, Kept> states_;
  std::int64_t next_id_ = 1;
};

}  // namespace openmi
