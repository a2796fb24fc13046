#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bmi-bridge/component/GridElements.hpp"
#include "bmi-bridge/component/Variable.hpp"
#include "bmi-bridge/model/Library.hpp"
#include "bmi-bridge/model/Model.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "timespace/ElementSet.hpp"
#include "timespace/SteppingComponent.hpp"

namespace openmi::bmi {

/// A model of a library that offers BMI 2.0 as a component: `openmi.bmi.Model` of the assembly `openmi-bmi-bridge`.
///
/// The argument `library` names the shared library, `config-file` the file that the model is initialized with.
/// Initialize loads the library and initializes the model, because only then the model gives its variables. Each
/// variable becomes an item, its grid an element set. Update makes one step of the model (or as many as fit into
/// `time-step`); Finish finalizes the model, also after a failure.
///
/// An input is used if it is linked; else the value in the model is kept. Large arrays to which the model gives a
/// pointer are shown in place, without a copy, as long as NobodyLooksBack.
class BmiComponent final : public SteppingComponent, public IFamilyKey {
 public:
  BmiComponent();
  ~BmiComponent() override;

  /// The file of the library.
  std::string FamilyKey() const override;
  /// Number of output values that were copied since Prepare.
  std::uint64_t CopiedValues() const { return copied_values_; }
  /// Number of rows that were shown in the memory of the model.
  std::uint64_t ShownRows() const { return shown_rows_; }

 protected:
  void Setup() override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  void End() override;
  Stamp StepEnd(Stamp now) const override;
  bool OnValidate(std::vector<std::string>& messages) override;

 private:
  struct Port {
    Variable variable;
    bool is_rate = false;           // the values of the model are amounts of a step
    std::vector<std::byte> memory;  // for values that are not doubles
  };
  struct OutputPort : Port {
    NumericOutput* item = nullptr;
    bool is_shown = false;  // its newest row is in the memory of the model
  };
  struct InputPort : Port {
    NumericInput* item = nullptr;
    std::vector<double> scaled;
  };
  enum class UseUpdateUntil : std::uint8_t { Auto, Always, Never };

  Where Place(const std::string& item = {}) const { return {.file = {}, .component = Caption(), .item = item}; }
  void LoadModel();
  void SetParameters();
  void ReadTime();
  void MakeItems();
  /// The element of values without a place, from the arguments; null if they do not give one.
  std::shared_ptr<const ElementSet> LumpedElements() const;
  /// Whether the values can be results: neither subnormal nor above 1e100, as uninitialized memory often is.
  static bool AreMeant(std::span<const double> row);
  /// The outputs at instants whose values are valid from the first update on only, by argument and values.
  std::vector<OutputPort*> UnsetPorts();
  void FollowGrids();
  std::vector<std::string> Chosen(const std::vector<std::string>& all, const Argument<std::string>& argument,
                                  const char* what);
  std::unique_ptr<const IValueDefinition> DefinitionOf(const Variable& variable, const std::string& units,
                                                       bool per_step);
  Stamp StampAt(double time) const;
  double TimeAt(Stamp stamp) const;
  void AdvanceTo(double time, bool is_own_step);
  void GiveInputs(double seconds);
  /// \param until    `to` in the time of the model
  /// \param seconds  length of the step of the model
  void TakeOutputs(Stamp from, Stamp to, double until, double seconds);
  void TakeRow(OutputPort& port, std::span<double> row, double seconds);
  bool MayShow();
  bool Show(OutputPort& port, Stamp from, Stamp end);
  void KeepShownRows();
  /// Difference within which two times of the model are equal, in its units.
  double TimeTolerance() const;
  void DropShownRow(OutputPort& port);
  void OwnShownRow(OutputPort& port);

  Argument<std::string> library_name_;
  Argument<std::string> register_;
  Argument<std::string> flavour_;
  Argument<std::string> config_file_;
  Argument<std::string> working_directory_;
  Argument<std::string> needs_;
  Argument<std::string> instances_;
  Argument<std::string> epoch_;
  Argument<std::string> time_unit_;
  Argument<std::string> wanted_inputs_;
  Argument<std::string> wanted_outputs_;
  Argument<std::string> units_;
  Argument<std::string> spans_;
  Argument<std::string> per_step_;
  Argument<std::string> update_until_;
  Argument<std::string> parameters_;
  Argument<std::string> unset_;
  Argument<std::string> elements_file_;
  Argument<std::string> id_property_;
  Argument<std::string> element_;
  Argument<std::string> area_;
  Argument<std::string> system_;
  Argument<bool> moving_grids_;
  Argument<bool> reentrant_;

  std::shared_ptr<Library> library_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<GridElements> grids_;
  std::string folder_;  // working folder of the model; empty: that of the process
  std::vector<std::string> warnings_;
  std::vector<OutputPort> outputs_;
  std::vector<InputPort> inputs_;
  std::vector<NumericOutput*> items_;  // of the outputs

  bool has_own_step_ = true;  // false: time-step was given
  UseUpdateUntil use_until_ = UseUpdateUntil::Auto;
  double seconds_per_unit_ = 1.0;
  std::optional<double> epoch_mjd_;
  double model_time_ = 0.0;   // present time, in the units of the model
  double model_begin_ = 0.0;  // at the start of the run
  double model_step_ = 0.0;   // as the model reported last
  double model_end_ = 0.0;    // infinite: none
  bool is_updated_ = false;   // since it was initialized
  std::size_t takers_ = 0;
  bool may_show_ = false;
  std::uint64_t copied_values_ = 0;
  std::uint64_t shown_rows_ = 0;
};

}  // namespace openmi::bmi
