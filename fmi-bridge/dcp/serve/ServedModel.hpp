#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fmi-bridge/dcp/serve/DescribeModel.hpp"
#include "fmi-bridge/dcp/slave/SlaveModel.hpp"
#include "fmi-bridge/outward/ExportOptions.hpp"
#include "fmi-bridge/outward/ExportedModel.hpp"

namespace openmi::dcp {

/// A component or composition as the model of a slave.
///
/// It is loaded when a master configures the slave, since parameters are arguments of its components, and anew when the
/// master sends other inputs before it initializes. Inputs that are not linked are the slave's inputs; what they hold
/// at the begin of a step holds for all of it. While it is loaded, and within a step, the slave answers questions for
/// its state whenever another component begins or ends; not while one of them computes.
class ServedModel final : public SlaveModel {
 public:
  /// Loads it once, to see what it offers.
  /// \throws Error  it cannot be loaded; what is wrong with it is among the problems
  ServedModel(const outward::ExportOptions& model, const DescribeOptions& options, Problems& problems);

  const SlaveDescription& Description() const { return description_; }

  void Configure(SlaveValues& values) override;
  void Initialize(SlaveValues& values) override;
  void Step(SlaveValues& values, const StepSpan& span) override;
  void Stop(SlaveValues& values) override;
  void Reset(SlaveValues& values) override;
  /// What was found while it ran, since the last call.
  Problems TakeNews() { return std::exchange(news_, {}); }

 private:
  /// Where a variable's elements are among the model's numbers.
  struct Place {
    std::size_t first = 0;
    std::size_t count = 0;
    outward::VariableRole role = outward::VariableRole::Output;
    bool is_text = false;
  };
  /// Does what a hook does; what was found meanwhile goes to the slave's log. What it throws, the slave itself logs.
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
  /// Says once in an experiment that steps of the master are no whole steps of the model.
  void CompareSteps(const StepSpan& span);
  void Evaluate(SlaveValues& values);
  void Fetch(const SlaveValues& values, outward::VariableRole role);
  void Put(SlaveValues& values) const;

  SlaveDescription description_;
  std::vector<Place> places_;    // in the order of the variables
  std::vector<double> slots_;    // the model's numbers
  std::vector<double> started_;  // as the model was last evaluated with
  std::size_t texts_ = 0;
  std::unique_ptr<outward::ExportedModel> model_;
  Problems news_;
  bool has_compared_steps_ = false;  // in this experiment
  std::chrono::steady_clock::time_point attended_;
};

}  // namespace openmi::dcp
