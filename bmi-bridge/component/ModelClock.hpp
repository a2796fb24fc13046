#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bmi-bridge/component/BmiArguments.hpp"
#include "bmi-bridge/model/Model.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi::bmi {

/// The time of a BMI model, in the model's own unit, and the stamps of the run that it means.
class ModelClock {
 public:
  /// Reads unit, epoch, present time, step and end from the model and the arguments.
  /// \param warnings  receives what had to be guessed
  /// \throws ArgumentError  `epoch` or `time-unit` cannot be read
  /// \throws ModelError     the model does not give its time
  void Read(Model& model, const BmiArguments& arguments, std::vector<std::string>& warnings);
  /// Moves a model with an epoch to the start of the run; without an epoch the present time is that of the start.
  /// \throws ArgumentError  the model begins later, or has no step that ends there
  void Begin(Model& model, Stamp start);
  /// Advances the model to `time`, or beyond it where only whole steps are made.
  /// \param is_own_step  whether `time` is one step of the model away
  /// \throws ModelError  an update fails, or the time stays where it is
  void Advance(Model& model, double time, bool is_own_step);

  /// Reads the time that the model reached by itself.
  /// \throws ModelError  its time did not advance
  void Follow(Model& model);

  /// Times in the unit of the model: the present one, and the end of the next step as the model reported it last.
  double Now() const { return now_; }
  double NextStepEnd() const { return now_ + step_; }
  /// The time of the model at `ticks` nanoseconds after the start of the run.
  double TimeAfter(double ticks) const { return begin_ + ticks / 1e9 / seconds_per_unit_; }
  /// Difference within which two times of the model are equal, in its unit: a share of its step, or the possible error
  /// of a stamp.
  double Tolerance() const { return std::max(step_ * 1e-9, 2e-6 / seconds_per_unit_); }
  /// Seconds of a difference in the unit of the model.
  double InSeconds(double difference) const { return difference * seconds_per_unit_; }
  /// The length of the next step of the model, in seconds.
  /// \throws ModelError  it is too short for stamps
  double StepSeconds(const Model& model) const;

  /// The stamp of a time of the model in a run that starts at `start`.
  Stamp StampAt(double time, Stamp start) const { return start + Seconds(InSeconds(time - begin_)); }
  /// The stamp at the end of the model's next step, which is after `now`.
  Stamp StampAfterStep(Stamp start, Stamp now) const {
    const Stamp end = StampAt(NextStepEnd(), start);
    return Before(now, end) ? end : now + Seconds(InSeconds(step_));
  }
  /// The stamp of a time of the model by its epoch; none if it has no epoch.
  std::optional<Stamp> ByEpoch(double time) const;
  /// The end of the model, in its unit; infinite if it has none.
  double End() const { return end_; }
  /// Whether only whole steps of the model can be made.
  bool MakesWholeSteps() const { return use_until_ == UseUpdateUntil::Never; }
  /// Whether the model has computed since Read.
  bool IsUpdated() const { return is_updated_; }

  void Save(StateWriter& writer) const;
  /// Returns to a time that was saved. The model was set to that state already; if its own time is another one, which
  /// a state need not contain, it is taken as that time from here on.
  /// \param later  seconds by which this run started later than the one that saved
  void Load(Model& model, StateReader& reader, double later);

 private:
  enum class UseUpdateUntil : std::uint8_t { Auto, Always, Never };

  UseUpdateUntil use_until_ = UseUpdateUntil::Auto;
  bool is_updated_ = false;
  double offset_ = 0.0;  // what the own time of the model lacks
  double seconds_per_unit_ = 1.0;
  std::optional<double> epoch_mjd_;
  double now_ = 0.0;
  double begin_ = 0.0;  // at the start of the run
  double step_ = 0.0;   // as the model reported last
  double end_ = 0.0;
};

}  // namespace openmi::bmi
