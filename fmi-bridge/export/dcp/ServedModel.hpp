#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fmi-bridge/dcp/slave/SlaveModel.hpp"
#include "fmi-bridge/export/ExportOptions.hpp"
#include "fmi-bridge/export/ExportedModel.hpp"
#include "fmi-bridge/export/dcp/DescribeModel.hpp"

namespace openmi::dcp {

/// A component or composition as the model of a slave.
///
/// The model is loaded when a master configures the slave, because parameters are arguments of its components. It is
/// loaded again when the master sends other inputs before it initializes. Inputs that are not linked are the slave's
/// inputs; the values that they hold at the start of a step apply to the whole step.
///
/// While the model is loaded, and within a step, the slave answers requests for its state whenever another component
/// starts or ends; not while a component computes.
class ServedModel final : public SlaveModel {
 public:
  /// Loads the model once, to find its items and arguments.
  /// \param problems  what is wrong with the model is added
  /// \throws Error  the model cannot be loaded
  ServedModel(const exported::ExportOptions& model, const DescribeOptions& options, Problems& problems);

  const SlaveDescription& Description() const { return description_; }

  void Configure(SlaveValues& values) override;
  void Initialize(SlaveValues& values) override;
  void Step(SlaveValues& values, const StepSpan& span) override;
  void Stop(SlaveValues& values) override;
  void Reset(SlaveValues& values) override;
  /// The problems found while the model ran, since the last call.
  Problems TakeNews() { return std::exchange(news_, {}); }

 private:
  /// Where a variable's elements are among the model's numbers.
  struct Place {
    std::size_t first = 0;
    std::size_t count = 0;
    exported::VariableRole role = exported::VariableRole::Output;
    bool is_text = false;
  };
  /// Runs the body of a hook and adds the problems found meanwhile to the slave's log.
  ///
  /// After a throw they are not logged: the slave logs the exception.
  template <class Work>
  void Noted(Work work) {
    try {
      work();
    } catch (...) {
      TakeUpNews(false);
      throw;
    }
    TakeUpNews(true);
  }
  void TakeUpNews(bool is_logged);
  /// Reports once in an experiment that steps of the master are not whole steps of the model.
  void CompareSteps(const StepSpan& span);
  void Evaluate(SlaveValues& values);
  void Fetch(const SlaveValues& values, exported::VariableRole role);
  void Put(SlaveValues& values) const;

  SlaveDescription description_;
  std::vector<Place> places_;    // in the order of the variables
  std::vector<double> slots_;    // the model's numbers
  std::vector<double> started_;  // the numbers that the model was last evaluated with
  std::size_t texts_ = 0;
  std::unique_ptr<exported::ExportedModel> model_;
  Problems news_;
  bool has_compared_steps_ = false;  // in this experiment
  std::chrono::steady_clock::time_point attended_;
};

}  // namespace openmi::dcp
