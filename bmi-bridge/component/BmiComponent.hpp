#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bmi-bridge/component/GridElements.hpp"
#include "bmi-bridge/component/ModelClock.hpp"
#include "bmi-bridge/component/ModelFacts.hpp"
#include "bmi-bridge/component/ModelPorts.hpp"
#include "bmi-bridge/component/ModelStates.hpp"
#include "bmi-bridge/model/Library.hpp"
#include "bmi-bridge/model/SolveFunctions.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "openmi/sdk/IStateAbility.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/optional/IUsesCommunicator.hpp"

namespace openmi::bmi {

/// Arguments that a step does not look up, and the ranks.
struct AsSet {
  std::optional<Communicator> communicator = {};  // no value: it computes in one process, without MPI
  bool has_own_step = true;                       // false: time-step was given
  bool follows_grids = false;
  bool makes_parts = false;  // what is exchanged depends on the model's own steps
  int retries = 0;
};

/// A model of a library that offers BMI 2.0 as a component: `openmi.bmi.Model` of the assembly `openmi-bmi-bridge`.
///
/// The argument `library` names the shared library, `config-file` the file that the model is initialized with.
/// Initialize loads the library and initializes the model, because only then the model gives its variables. Each
/// variable becomes an item, its grid an element set. Update makes one step of the model (or as many as fit into
/// `time-step`); Finish finalizes the model, also after a failure.
///
/// An input is used if it is linked; else the value in the model is kept. OutputPorts says which values are shown
/// without a copy.
///
/// States are kept in the way that ModelStates finds. Before the first is kept, TryStates tries what is claimed.
///
/// A library with SolveFunctions and without states takes part in iterated loops within its solve: the state that the
/// loop keeps is the start of a time step that stays open. Each update makes one iteration, going back leaves the
/// solver as it is, and the step is completed when the loop clears the state.
class BmiComponent final : public StatefulSteppingComponent,
                           public IFamilyKey,
                           public IStateAbility,
                           public IConverges,
                           public IUsesCommunicator {
 public:
  BmiComponent();
  ~BmiComponent() override;

  /// The file of the library.
  std::string FamilyKey() const override;
  /// What the model says of itself.
  /// \throws StateError  it is not initialized
  ModelFacts Facts();
  /// Adds what CheckAnswers finds.
  /// \throws StateError  the model is not initialized
  void CheckModel(Problems& problems);
  void SetCommunicator(const Communicator& communicator) override { as_set_.communicator = communicator; }
  const StateAbility& AbilityOfStates() override;
  const IIdentifiable& KeepCurrentState() override;
  void RestoreState(const IIdentifiable& state_id) override;
  void ClearState(const IIdentifiable& state_id) override;
  bool HasConverged() const override { return !open_ || open_->has_converged; }
  const IIdentifiable& ConvertFromByteArray(ByteView bytes) override;
  /// Number of output values that were copied since Prepare.
  std::uint64_t CopiedValues() const { return outputs_.CopiedValues(); }
  /// Number of rows that were shown in the memory of the model.
  std::uint64_t ShownRows() const { return outputs_.ShownRowCount(); }

 protected:
  void Setup() override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  void End() override;
  Stamp StepEnd(Stamp now) const override;
  bool OnValidate(std::vector<std::string>& messages) override;
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;

 private:
  /// A time step of SolveFunctions that is not completed.
  struct OpenStep {
    Stamp from;
    std::int64_t ticks = 0;  // of `from`
    Stamp to;                // the far past: not prepared yet
    bool has_converged = false;
  };
  bool IteratesInStep() const { return solve_ != nullptr && states_.Way() == StateWay::None; }
  void IterateInStep(Stamp from, Stamp to, double until);
  void CompleteStep();
  void LoadModel();
  /// Another model, initialized, with its parameters.
  std::unique_ptr<Model> MakeModel() const;
  void SetTimes();
  void MakeItems();
  void FollowGrids();
  Model& Initialized() const;
  void RequireStates();
  void RequireRetries();
  /// Makes a step, in parts that are the model's own where amounts of a step or means over it are exchanged.
  void MakeStep(double until, bool is_own_step);
  /// Gives the inputs and makes a step or a part. If it fails, it is tried again in two halves.
  void Advance(double until, bool is_own_step, int retries);
  void SaveModel(StateWriter& writer) const;
  void SetModel(StateReader& reader);

  BmiArguments arguments_;
  std::shared_ptr<Library> library_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<GridElements> grids_;
  std::string folder_;  // working folder of the model; empty: that of the process
  std::string config_;  // absolute; empty: none
  std::vector<std::string> warnings_;
  ModelClock clock_;
  double part_begin_ = 0.0;  // of the last part of a step, in the time of the model
  AsSet as_set_;
  OutputPorts outputs_;
  InputPorts inputs_;
  ModelStates states_;
  std::optional<StateAbility> ability_;    // once it was asked for
  std::unique_ptr<SolveFunctions> solve_;  // null: the library has none
  std::optional<OpenStep> open_;
};

}  // namespace openmi::bmi
