#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "openmi/omi/ExportComponent.hpp"  // so that one include makes a component
#include "openmi/sdk/LinkableComponentOf.hpp"
#include "timespace/Handles.hpp"
#include "timespace/IStepLimit.hpp"
#include "timespace/ISteps.hpp"
#include "timespace/Stamp.hpp"
#include "timespace/TimeSet.hpp"
#include "timespace/standard/ITimeSpaceComponent.hpp"

namespace openmi {

/// What can be said about an input when it is declared.
struct InputOptions {
  std::string caption = {};
  std::string description = {};
  InputTime asks = InputTime::Instant;
  std::optional<double> default_value = {};  ///< used while the input has no provider; without it a link is needed
};

/// What can be said about an output when it is declared.
struct OutputOptions {
  std::string caption = {};
  std::string description = {};
  OutputTime gives = OutputTime::Instant;
  double initial = 0.0;  ///< the value at the begin of the run, unless Start() sets another
};

/// The base of components that compute step by step.
///
/// A writer declares arguments and items in the constructor (or in Setup, when they depend on arguments) and fills in
/// Step. The base pulls the linked inputs before each step, publishes the outputs after it, and walks through the
/// states. Three arguments are there already: `start-time` and `end-time` (ISO 8601, UTC unless a zone is given; the
/// engine sets them to the run's) and `time-step`. Time is counted in nanoseconds from the start: a million steps of a
/// millisecond do not drift.
class SteppingComponent : public LinkableComponentOf<ITimeSpaceComponent>, public ISteps, public IStepLimit {
 public:
  /// \param id         of the component, as its reports name it
  /// \param time_step  the default of the argument `time-step`, ISO 8601 ("PT1H") or with a unit ("300 s")
  explicit SteppingComponent(std::string id, const std::string& time_step = "PT1H");
  ~SteppingComponent() override;

  const ITimeSet& TimeExtent() const override { return time_extent_; }
  Stamp CurrentTime() const override { return now_; }
  Stamp NextTime() const override { return next_; }
  std::uint64_t StepCount() const override { return step_count_; }
  /// Steps are cut at the end of the run, and so anywhere else, unless they must be whole.
  bool CanShortenSteps() const override { return !whole_steps_; }
  void ShortenNextStep(Stamp end) override;

 protected:
  /// Reads arguments and makes items that depend on them. Part of Initialize.
  virtual void Setup() {}
  /// Gets ready at `begin` and sets initial values of instants. Part of Prepare. An output that was published here
  /// (NumericOutput::PublishAt) is left as it is.
  virtual void Start(Stamp begin) { static_cast<void>(begin); }
  /// Computes from `from` to `to`: inputs were pulled for it; set all outputs for it. Part of Update. An output that
  /// was published here up to `to` or further (NumericOutput::PublishAt) is left as it is; all others are published.
  virtual void Step(Stamp from, Stamp to) = 0;
  /// Gives everything back. Part of Finish; also called after a failure.
  virtual void End() {}
  /// The end of the step that begins at `now`, before it is cut at the end of the run. The default adds the time step,
  /// in ticks.
  virtual Stamp StepEnd(Stamp now) const;
  /// What the default of StepEnd gives.
  Stamp WholeStepEnd() const { return whole_step_end_; }

  ScalarInput AddInput(std::string id, const std::string& unit, const InputOptions& options = {});
  /// \param where  the elements; may be shared with other items
  ArrayInput AddInput(std::string id, const std::string& unit, std::shared_ptr<const ISpatialDefinition> where,
                      const InputOptions& options = {});
  ScalarOutput AddOutput(std::string id, const std::string& unit, const OutputOptions& options = {});
  ArrayOutput AddOutput(std::string id, const std::string& unit, std::shared_ptr<const ISpatialDefinition> where,
                        const OutputOptions& options = {});

  Stamp StartTime() const { return start_; }
  /// The far future when no end was given.
  Stamp EndTime() const { return end_; }
  Days TimeStep() const;
  void SetTimeStep(Days step);
  /// Lets the last step go beyond the end of the run instead of cutting it.
  void SetWholeSteps(bool whole) { whole_steps_ = whole; }
  /// The begin and end of the run where the arguments give none: for components that have times of their own. In Setup.
  void SetDefaultTimes(Stamp begin, Stamp end);
  /// Where the outputs can deliver, if that is not the whole run: what data there are. In Setup.
  void SetOutputHorizon(Stamp begin, Stamp end);
  /// Nanoseconds since the start of the run.
  std::int64_t Ticks() const { return ticks_; }
  /// Goes back to `time`, where a state was kept: forgets what the outputs published later.
  void ReturnTo(Stamp time);
  /// The same with the exact ticks that belong to `time`, which as a stamp is rounded.
  void ReturnTo(Stamp time, std::int64_t ticks);
  std::span<NumericOutput* const> NumericOutputs() const { return outputs_; }

  void OnInitialize() final;
  bool OnValidate(std::vector<std::string>& messages) override;
  void OnPrepare() final;
  void OnPrepared() final;
  UpdateResult OnUpdate(std::span<IBaseOutput* const> required_outputs) final;
  void OnFinish() final { End(); }

 private:
  void ReadTimes();
  void RequireEndAfterStart() const;
  Stamp StampOfTicks(std::int64_t ticks) const;
  inline void FindNext();

  // What is used in every step stands together.
  Stamp now_;
  Stamp next_;
  Stamp end_ = kFarFuture;
  Stamp start_;
  Stamp whole_step_end_;    // of the step that begins at now_, by ticks
  std::int64_t ticks_ = 0;  // nanoseconds since start_
  std::int64_t step_ticks_ = 0;
  std::uint64_t step_count_ = 0;
  bool whole_steps_ = false;
  bool has_start_ = false;
  std::vector<NumericInput*> inputs_;
  std::vector<NumericOutput*> outputs_;
  std::vector<std::pair<NumericOutput*, double>> initial_;
  std::optional<std::pair<Stamp, Stamp>> output_horizon_;
  Argument<std::string> start_time_;
  Argument<std::string> end_time_;
  Argument<std::string> time_step_;
  TimeSet time_extent_;
};

}  // namespace openmi
