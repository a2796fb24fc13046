#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "openmi/omi/ExportComponent.hpp"  // so that one include makes a component
#include "openmi/sdk/LinkableComponentOf.hpp"
#include "timespace/Handles.hpp"
#include "timespace/items/StepMemory.hpp"
#include "timespace/optional/IMember.hpp"
#include "timespace/optional/ISteps.hpp"
#include "timespace/standard/ITimeSpaceComponent.hpp"
#include "timespace/times/Stamp.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {

/// The properties of an input, as its component declares them.
struct InputOptions {
  std::string caption = {};
  std::string description = {};
  InputTime asks = InputTime::Instant;
  std::optional<double> default_value = {};  ///< used while the input has no provider; no value: a link is required
};

/// The properties of an output, as its component declares them.
struct OutputOptions {
  std::string caption = {};
  std::string description = {};
  OutputTime gives = OutputTime::Instant;
  double initial = 0.0;  ///< the value at the start of the run, unless Start() sets another
};

namespace detail {

/// What steps do not use of a SteppingComponent. A base class, so that what steps use lies together with the members of
/// a derived class.
struct SteppingSetup {
  StepMemory* memory_ = nullptr;  // in which the component lies; null: its own
  std::vector<std::pair<NumericOutput*, double>> initial_;
  std::optional<std::pair<Stamp, Stamp>> output_horizon_;
  Argument<std::string> start_time_;
  Argument<std::string> end_time_;
  Argument<std::string> time_step_;
  TimeSet time_extent_;
  std::vector<NumericInput*> inputs_;
  std::vector<NumericOutput*> outputs_;
};

}  // namespace detail

/// The base class of components that compute step by step.
///
/// A derived class declares arguments and items in the constructor, or in `Setup` when they depend on arguments, and
/// implements `Step`. The base class pulls the linked inputs before each step, publishes the outputs after it, and
/// handles the status.
///
/// Three arguments exist already: `start-time` and `end-time` (ISO 8601, UTC unless a zone is given; the engine sets
/// them to those of the run) and `time-step`. Time is counted in nanoseconds from the start: a million steps of a
/// millisecond do not drift.
class SteppingComponent : public LinkableComponentOf<ITimeSpaceComponent>,
                          private detail::SteppingSetup,
                          public ISteps,
                          public IStepLimit,
                          public IMember {
 public:
  /// \param id         the id of the component, as its messages name it
  /// \param time_step  the default of the argument `time-step`, in ISO 8601 ("PT1H") or with a unit ("300 s")
  explicit SteppingComponent(std::string id, const std::string& time_step = "PT1H");
  ~SteppingComponent() override;

  /// Components may lie together in a StepMemory.
  static void* operator new(std::size_t bytes) { return StepMemory::TakeForComponent(bytes); }
  static void* operator new(std::size_t bytes, std::align_val_t alignment) { return ::operator new(bytes, alignment); }
  static void operator delete(void* component) noexcept { StepMemory::GiveBack(component); }
  static void operator delete(void* component, std::align_val_t alignment) noexcept {
    ::operator delete(component, alignment);
  }

  const ITimeSet& TimeExtent() const override { return time_extent_; }
  Stamp CurrentTime() const override { return now_; }
  Stamp NextTime() const override { return next_; }
  std::uint64_t StepCount() const override { return step_count_; }
  /// Whether steps can be shortened: true unless `SetWholeSteps(true)` was called. If true, the end of the run shortens
  /// the last step, too.
  bool CanShortenSteps() const override { return !whole_steps_; }
  void ShortenNextStep(Stamp end) override;
  std::span<NumericInput* const> MemberInputs() const override { return inputs_; }
  std::span<NumericOutput* const> MemberOutputs() const override { return outputs_; }
  void StepTo(Stamp to) override;

 protected:
  /// Part of `Initialize`: reads arguments and makes items that depend on them.
  virtual void Setup() {}
  /// Part of `Prepare`: makes the solver ready at `begin`, and sets the initial values of the outputs that give
  /// instants.
  ///
  /// The base class then publishes these outputs. It skips an output that published a row here
  /// (`NumericOutput::PublishAt`): that row stays.
  virtual void Start(Stamp begin) { static_cast<void>(begin); }
  /// Part of `Update`: computes from `from` to `to`.
  ///
  /// The linked inputs have the values for this step. Set the values of all outputs for this step; the base class then
  /// publishes the outputs. It skips an output that published rows here until `to` or a later time
  /// (`NumericOutput::PublishAt`): those rows stay.
  virtual void Step(Stamp from, Stamp to) = 0;
  /// Part of `Finish`: releases everything. Also called after a failure.
  virtual void End() {}
  /// The end of the step that starts at `now`. The base class then limits it to the end of the run, unless steps stay
  /// whole (`SetWholeSteps`).
  ///
  /// The default adds the time step, counted in ticks (nanoseconds).
  virtual Stamp StepEnd(Stamp now) const;
  /// What the default implementation of `StepEnd` returns.
  Stamp WholeStepEnd() const { return whole_step_end_; }

  /// Declares an input with a single value, or with a value for each element of `where`.
  /// \param unit  as `Unit::Parse` reads it
  /// \throws UnitError  the unit cannot be read
  ScalarInput AddInput(std::string id, const std::string& unit, const InputOptions& options = {});
  /// \param where  the elements; may be shared with other items
  ArrayInput AddInput(std::string id, const std::string& unit, std::shared_ptr<const ISpatialDefinition> where,
                      const InputOptions& options = {});
  /// Declares an output with a single value, or with a value for each element of `where`.
  /// \param unit  as `Unit::Parse` reads it
  /// \throws UnitError  the unit cannot be read
  ScalarOutput AddOutput(std::string id, const std::string& unit, const OutputOptions& options = {});
  /// \param where  the elements; may be shared with other items
  ArrayOutput AddOutput(std::string id, const std::string& unit, std::shared_ptr<const ISpatialDefinition> where,
                        const OutputOptions& options = {});

  /// Declares an item of any kind.
  /// \tparam Item      an input or output class; its constructor takes id, definition, elements, component and `more`
  /// \param definition  what the values mean; not null
  /// \param where       the elements, which may be shared with other items; null for a single value without a place
  template <class Item, class... More>
  Item& AddItem(std::string id, std::unique_ptr<const IValueDefinition> definition,
                std::shared_ptr<const ISpatialDefinition> where = nullptr, const std::string& description = {},
                More... more) {
    auto item = std::make_unique<Item>(std::move(id), std::move(definition), std::move(where), this, more...);
    item->SetDescription(description);
    if constexpr (std::is_same_v<NumericInput, Item>) {
      if (memory_ != nullptr) item->SetStepPlace(*new (memory_->Take(sizeof(StepInput), alignof(StepInput))) StepInput);
    } else if constexpr (std::is_same_v<NumericOutput, Item>) {
      if (memory_ != nullptr)
        item->SetStepPlace(*new (memory_->Take(sizeof(StepOutput), alignof(StepOutput))) StepOutput);
    }
    if constexpr (std::is_base_of_v<IBaseInput, Item>) {
      return TakeInput(std::move(item));
    } else {
      return TakeOutput(std::move(item));
    }
  }

  /// The start of the run, UTC.
  Stamp StartTime() const { return start_; }
  /// The end of the run, UTC; the far future when none was given.
  Stamp EndTime() const { return end_; }
  /// The present time step.
  Days TimeStep() const;
  /// Sets the time step for all steps after the present one.
  /// \throws ArgumentError  the step is not above 0, or is too long
  void SetTimeStep(Days step);
  /// Sets whether steps stay whole. If so, the last step may end after the end of the run; otherwise it is shortened.
  void SetWholeSteps(bool whole) { whole_steps_ = whole; }
  /// Sets the default start and end of the run. They apply if the arguments give none. For components that have their
  /// own times. Call it in `Setup`.
  void SetDefaultTimes(Stamp begin, Stamp end);
  /// Sets the times for which the outputs have values, if they do not have values for the whole run: for example, the
  /// times of a data file. Call it in `Setup`.
  void SetOutputHorizon(Stamp begin, Stamp end);
  /// Nanoseconds since the start of the run.
  /// \throws RangeError  more than 292 years have passed: 64 bits cannot hold more nanoseconds
  std::int64_t Ticks() const { return eras_ == 0 ? ticks_ : TicksOfEras(); }
  /// The nanoseconds since the last whole century after the start of the run, for `ReturnTo`.
  std::int64_t TicksOfCentury() const { return ticks_; }
  /// Nanoseconds since the start of a run of any length, in floating point. Exact for the first 104 days.
  double Nanoseconds() const;
  /// Returns to `time`, at which a state was kept. Discards the rows that the outputs published for later times.
  void ReturnTo(Stamp time);
  /// As above, with the exact ticks of `time` (`TicksOfCentury`); the stamp is a rounded value.
  void ReturnTo(Stamp time, std::int64_t ticks);
  /// The outputs of numbers.
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
  std::int64_t TicksOfEras() const;
  void CountTicks(Stamp time);
  void NextEras();
  inline void FindNext();
  /// `Step`, and the time after it.
  inline void Compute(Stamp from, Stamp to);

  // The members that every step uses are next to each other.
  Stamp now_;
  Stamp next_;
  Stamp end_ = kFarFuture;
  Stamp start_;
  Stamp whole_step_end_;    // the end of the step that starts at now_, if that step is not shortened; from ticks
  std::int64_t ticks_ = 0;  // nanoseconds since the last whole century after start_
  std::int64_t eras_ = 0;   // whole centuries since start_; 64 bits hold only 292 years of nanoseconds
  std::int64_t step_ticks_ = 0;
  std::uint64_t step_count_ = 0;
  bool whole_steps_ = false;
  bool has_start_ = false;
  StepOutput* first_lent_ = nullptr;  // of the outputs of numbers, in their order
};

}  // namespace openmi
