#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "openmi/sdk/InputOf.hpp"
#include "openmi/standard/IAdaptedOutputFactory.hpp"
#include "timespace/standard/ITimeSpaceAdaptedOutput.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {

/// The factories of a component in this process, and what they made for the other one (RemoteFactories). Each adapted
/// output has one consumer, which stands for all in the other process.
class HostedAdaptors {
 public:
  HostedAdaptors();
  ~HostedAdaptors();
  /// Forgets all.
  void Clear();
  /// Writes the factories.
  void WriteFactories(StateWriter& reply, std::span<IAdaptedOutputFactory* const> factories);
  /// \param outputs  of the component
  void WriteIds(StateReader& request, StateWriter& reply, std::span<IBaseOutput* const> outputs);
  void Make(StateReader& request, StateWriter& reply, std::span<IBaseOutput* const> outputs);
  /// What was made last.
  ITimeSpaceAdaptedOutput& Last() { return dynamic_cast<ITimeSpaceAdaptedOutput&>(*made_.back()->adaptor); }
  /// The adapted output with a number, counted after the outputs.
  ITimeSpaceAdaptedOutput& At(std::int64_t number, std::size_t outputs);
  /// Has an output of the component asked in the same way: one that has times and does not tell them.
  void Ask(std::int64_t number, ITimeSpaceOutput& output);
  bool IsAsked(std::int64_t number) const { return asked_.contains(number); }
  /// Registers a consumer on such an output, if it is needed; a component may require that each consumer asks.
  void SetNeeded(std::int64_t number, bool is_needed);
  /// Answers a question for the times in a request.
  const ITimeSpaceValueSet& ValuesFor(StateReader& request, std::size_t outputs);

 private:
  class Consumer;
  struct Made {
    explicit Made(IBaseOutput& on);
    Made(const Made&) = delete;
    Made& operator=(const Made&) = delete;
    /// Takes the adapted output from its adaptee, with which the factory registered it.
    ~Made();
    IBaseOutput& adaptee;
    std::unique_ptr<IBaseAdaptedOutput> adaptor;
    std::unique_ptr<Consumer> consumer;
  };
  /// The consumer on an output or adapted output with a number.
  Consumer& ConsumerOf(std::int64_t number, std::size_t outputs);
  struct Ends;
  Ends ReadEnds(StateReader& request, std::span<IBaseOutput* const> outputs);

  std::span<IAdaptedOutputFactory* const> factories_;
  struct Asked {
    ITimeSpaceOutput* output;
    std::unique_ptr<Consumer> consumer;  // null: not needed
  };
  std::map<std::int64_t, Asked> asked_;  // by number of the output
  std::vector<std::unique_ptr<Made>> made_;
};

}  // namespace openmi
