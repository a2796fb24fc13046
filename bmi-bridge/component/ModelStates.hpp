#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bmi-bridge/component/StepLog.hpp"
#include "openmi/sdk/EnumNames.hpp"

namespace openmi::bmi {

/// How the state of a model is kept.
enum class StateWay : std::uint8_t {
  None,           ///< not at all
  Serialization,  ///< by the reserved variables of NextGen
  Variables,      ///< by the variables that the user names
  Replay          ///< by doing again all that was done since the start
};
inline constexpr EnumNames<StateWay> kStateWays{"none", "serialization", "variables", "replay"};

/// The states of a model, in whichever way it offers them.
class ModelStates {
 public:
  /// Finds the way.
  /// \param wanted     the argument `states`
  /// \param variables  the argument `state-variables`
  /// \throws ArgumentError  the arguments contradict each other, or the model does not have what they name
  void Choose(Model& model, const std::string& wanted, const std::vector<std::string>& variables);
  StateWay Way() const { return way_; }
  /// The way, and what it uses: what was tried for one model of a library holds for all with the same text.
  std::string Text() const;
  /// The log of a replay; null in other ways.
  StepLog* Log() { return way_ == StateWay::Replay ? &log_ : nullptr; }

  /// \pre  Way() is not None
  void Save(Model& model, StateWriter& writer) const;
  /// Sets a model to a state; with Replay, a model that was just made. The clock still has to be set afterwards.
  /// \throws FormatError  the state was kept in another way, or of other variables
  void Load(Model& model, ModelClock& clock, StateReader& reader);

 private:
  StateWay way_ = StateWay::None;
  std::vector<std::pair<std::string, std::size_t>> variables_;  // with their numbers of bytes
  StepLog log_;
};

}  // namespace openmi::bmi
