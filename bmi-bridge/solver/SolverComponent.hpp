#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/NumberMemory.hpp"
#include "timespace/SteppingComponent.hpp"

namespace openmi {

/// A pointer to elements. A bare `{}` does not match, so that it means options.
template <class T>
concept ElementsPointer = std::convertible_to<T, std::shared_ptr<const ISpatialDefinition>>;

/// The base of components that wrap an existing solver: functions that open it, advance it and close it, and data in
/// its own arrays (globals of C, common blocks and modules of Fortran).
///
/// A wrapper binds arrays to items and implements three functions. Before each step the values of linked inputs are
/// copied into the arrays; after it the arrays become the rows of the outputs. Times are seconds since the start of the
/// run.
///
/// ```cpp
/// void Open() override {
///   pond_open(PathOf(file_.Value()).c_str());
///   BindInput("inflow", "m3 s-1", pond_inflow, {.asks = InputTime::Span});
///   BindOutput("level", "m", pond_level);
/// }
/// double Advance(double now, double until) override { pond_step(until - now); return until; }
/// void Close() override { pond_close(); }
/// ```
///
/// A solver with global data exists once in a process: Initialize refuses a second component of the same class, with
/// Isolation="instance" as the remedy, unless SetManyInstances() states that each has its own data.
///
/// The argument `working-directory` is the folder in which the solver works. A solver that changes the folder
/// (SetMovesAbout) is in its last folder again at the next call. The process is always back in its own folder after a
/// call.
class SolverComponent : public SteppingComponent {
 public:
  /// \param id         as in SteppingComponent
  /// \param time_step  the default of the argument `time-step`
  explicit SolverComponent(std::string id, const std::string& time_step = "PT1H");
  ~SolverComponent() override;

 protected:
  /// Opens the solver and binds its arrays to items. Called in Initialize; the arguments have their values.
  virtual void Open() = 0;
  /// Moves the solver to the start of the run, if that needs a call. Called in Prepare.
  virtual void Begin() {}
  /// Advances the solver from `now` to `until`, in seconds since the start of the run.
  /// \returns the time that the solver reached: `until`, or the end of a step that the solver chose. If it is before
  ///   `until`, Advance is called again; if it is after `until`, the rows of the step get this time. A solver that was
  ///   at its end before the call and computed nothing returns `now`, which ends the run with an error.
  virtual double Advance(double now, double until) = 0;
  /// Closes the solver. Called once after Open was called, also if Open or a step failed.
  virtual void Close() = 0;
  /// The length of the next step in seconds, for a solver that chooses it; the default is the time step.
  virtual double NextStepLength() { return ToSeconds(TimeStep()); }

  /// States that every component has its own data: a solver with handles. Call it in the constructor.
  void SetManyInstances() { has_many_ = true; }
  /// States that the solver changes its working directory. Call it in the constructor.
  void SetMovesAbout() { moves_about_ = true; }

  /// Numbers of a solver: an array, a span of numbers, or one number.
  struct Memory {
    template <class T, std::size_t N>
    Memory(T (&values)[N]) : Memory(std::span<T>(values)) {}
    template <class T>
    Memory(std::span<T> values) : data(values.data()), kind(KindOf<T>()), count(values.size()) {}
    template <class T>
    requires std::is_arithmetic_v<T> Memory(T& value) : Memory(std::span<T>(&value, 1)) {}

    void* data;
    NumberType kind;
    std::size_t count;
  };

  /// Binds `memory`, which must stay at its address until Close, to an item.
  /// \param where  the elements, one for each value; null: numbered ones, or a value without a place
  /// \throws RangeError  another number of elements than values
  NumericInput& BindInput(std::string id, const std::string& unit, Memory memory, const InputOptions& options = {},
                          std::shared_ptr<const ISpatialDefinition> where = nullptr);
  NumericOutput& BindOutput(std::string id, const std::string& unit, Memory memory, const OutputOptions& options = {},
                            std::shared_ptr<const ISpatialDefinition> where = nullptr);
  /// The same, with the elements before the options, as in AddInput and AddOutput.
  template <ElementsPointer Where>
  NumericInput& BindInput(std::string id, const std::string& unit, Memory memory, Where where,
                          const InputOptions& options = {}) {
    return BindInput(std::move(id), unit, memory, options, std::move(where));
  }
  template <ElementsPointer Where>
  NumericOutput& BindOutput(std::string id, const std::string& unit, Memory memory, Where where,
                            const OutputOptions& options = {}) {
    return BindOutput(std::move(id), unit, memory, options, std::move(where));
  }

  /// \throws ModelError  `code` is not 0: names the function and the code, and `text` if the solver has one
  void Require(int code, const char* function, const std::string& text = {}) const;

  void Setup() final;
  void Start(Stamp begin) final;
  void Step(Stamp from, Stamp to) final;
  void End() final;
  Stamp StepEnd(Stamp now) const final;

 private:
  template <class Item>
  struct Bound {
    Item* item;
    Memory memory;
  };
  /// The type of an array; bool is a byte.
  template <class T>
  static constexpr NumberType KindOf() {
    return NumberTypeOf<std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>>();
  }
  std::shared_ptr<const ISpatialDefinition> Places(const std::string& id, const Memory& memory,
                                                   std::shared_ptr<const ISpatialDefinition> where) const;
  void TakeTurn();
  void GiveTurn();

  Argument<std::string> working_directory_;
  std::string folder_;  // working folder of the solver; empty: that of the process
  bool has_many_ = false;
  bool moves_about_ = false;
  bool is_open_ = false;
  std::string turn_;     // key of its class, which this component has reserved; empty: none
  double now_ = 0.0;     // time of the solver, in seconds since the start
  double length_ = 0.0;  // length of its next step
  std::vector<Bound<NumericInput>> inputs_;
  std::vector<Bound<NumericOutput>> outputs_;
};

}  // namespace openmi
