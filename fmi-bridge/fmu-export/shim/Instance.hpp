#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmi-bridge/fmu-export/shim/Runtime.hpp"

namespace openmi::fmu {

/// A state that the importer holds: its number in the process, and its bytes once they were asked for.
struct HeldState {
  std::int64_t number = 0;
  bool has_bytes = false;
  std::string bytes;
};

/// One instance of an exported FMU, whatever version of FMI it is called by: keeps to the order of calls, holds the
/// values, and lets the process compute.
///
/// Values of numbers lie in memory that the process sees, so that a get or set costs no call. No call throws; each
/// returns how it ended, and says why in the log.
class Instance {
 public:
  /// Where messages go.
  using Log = std::function<void(Outcome outcome, const char* category, const char* message)>;
  enum class Phase { Instantiated, Initialization, Step, Terminated, Failed };

  /// \param token      what the importer took from the description
  /// \param resources  the folder, absolute, without slash at the end; empty: the one beside this library
  /// \returns null where the process does not start or is of another description; the log says why
  static std::unique_ptr<Instance> Make(std::string_view token, std::string resources, bool tells_all, Log log);

  void SetTellsAll(bool tells_all) { tells_all_ = tells_all; }
  Phase Now() const { return phase_; }
  double Time() const { return time_; }

  Outcome Setup(double start, bool has_stop, double stop);
  Outcome EnterInitialization();
  Outcome ExitInitialization();
  Outcome Step(double time, double step);
  Outcome Terminate();
  Outcome Reset();

  /// \param references  of variables; shape [count]
  /// \param as_arrays   a reference means a whole variable, else one element
  /// \param read        called with (number, value) for each element
  template <class Read>
  Outcome Get(outward::VariableType type, const std::uint32_t* references, std::size_t count, std::size_t values,
              bool as_arrays, Read&& read);
  template <class Write>
  Outcome Set(outward::VariableType type, const std::uint32_t* references, std::size_t count, std::size_t values,
              bool as_arrays, Write&& write);
  Outcome GetTexts(const std::uint32_t* references, std::size_t count, const char** values);
  Outcome SetTexts(const std::uint32_t* references, std::size_t count, const char* const* values);

  // States: whatever is no handle of this instance is refused, and what the importer does not free goes with it.
  Outcome SaveState(void** state);
  Outcome RestoreState(void* state);
  Outcome FreeState(void** state);
  Outcome StateSize(void* state, std::size_t* size);
  Outcome StateToBytes(void* state, char* bytes, std::size_t size);
  Outcome BytesToState(const char* bytes, std::size_t size, void** state);

  /// Says that a call was wrong. \returns Error
  Outcome Refuse(const std::string& message);
  /// The same for what this FMU does not do.
  Outcome RefuseFunction(const char* function);

 private:
  Instance(std::string resources, bool tells_all, Log log)
      : runtime_([this](StateReader& request) { Serve(request); }),
        resources_(std::move(resources)),
        tells_all_(tells_all),
        log_(std::move(log)) {}
  bool Begin(std::string_view token);
  /// Reads what the process offers. \returns whether it is of this description
  bool TakeOffer(std::string_view token);
  /// Begins a request; its values are written into what is returned.
  StateWriter& Ask(FmuRequest request);
  /// Sends the request; the reply is `answer_`.
  Outcome Call();
  /// Answers what the process asks of the importer.
  void Serve(StateReader& request);
  /// Does `read` with the answer, and says so where it is not what was expected.
  template <class Read>
  Outcome ReadAnswer(Read&& read);
  Outcome RequirePhase(const char* call, std::initializer_list<Phase> allowed);
  Outcome RequireOutputs();
  void Tell(Outcome outcome, const std::string& message);
  const VariableEntry* Find(std::uint32_t reference, bool as_arrays, outward::VariableType type) const;
  Outcome RefuseReference(std::uint32_t reference, outward::VariableType type);
  /// What a handle stands for; null where it is none of this instance.
  HeldState* HeldAt(const void* state) const;
  static std::size_t SlotOf(const VariableEntry& entry, std::uint32_t reference) {
    return std::size_t{entry.first} + (reference - entry.reference);
  }
  /// Outputs are those of other values now.
  void OnSet(const VariableEntry& entry) {
    const bool matters = !begins_once_ || entry.role == outward::VariableRole::Parameter;
    if (phase_ != Phase::Step && matters) is_evaluated_ = false;
  }
  /// Number and text of each output whose text changed.
  Outcome TakeTexts();
  Outcome RequireReadable(const VariableEntry& entry);
  Outcome RequireWritable(const VariableEntry& entry, std::uint32_t reference);

  Runtime runtime_;
  StateWriter request_;
  StateReader answer_{{}};  // the last reply; good until the next call
  std::string resources_;
  std::string token_;
  bool tells_all_;
  Log log_;
  Phase phase_ = Phase::Instantiated;
  bool is_set_up_ = false;
  bool is_evaluated_ = false;  // outputs are those of the parameters and inputs
  bool keeps_state_ = false;
  bool begins_once_ = false;
  double time_ = 0.0;
  double start_ = 0.0;
  double stop_ = 0.0;
  bool has_stop_ = false;
  std::vector<std::unique_ptr<HeldState>> states_;  // that the importer holds
  std::vector<VariableEntry> entries_;
  std::vector<std::uint32_t> entry_of_;  // by value reference
  std::vector<std::string> texts_;       // from the slot `slots` on
};

template <class Read>
Outcome Instance::Get(outward::VariableType type, const std::uint32_t* references, std::size_t count,
                      std::size_t values, bool as_arrays, Read&& read) {
  if (count > 0 && references == nullptr) return Refuse("expected value references, found a null pointer");
  std::size_t place = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const VariableEntry* entry = Find(references[i], as_arrays, type);
    if (entry == nullptr) return RefuseReference(references[i], type);
    if (const Outcome outcome = RequireReadable(*entry); outcome > Outcome::Warning) return outcome;
    const std::size_t width = as_arrays ? entry->count : 1;
    if (width > values - place) return Refuse("expected room for all values, found less");
    const double* from = runtime_.Values() + SlotOf(*entry, references[i]);
    for (std::size_t k = 0; k < width; ++k) read(place + k, from[k]);
    place += width;
  }
  return place == values ? Outcome::Ok : Refuse("expected as many values as the variables have, found more");
}

template <class Write>
Outcome Instance::Set(outward::VariableType type, const std::uint32_t* references, std::size_t count,
                      std::size_t values, bool as_arrays, Write&& write) {
  if (count > 0 && references == nullptr) return Refuse("expected value references, found a null pointer");
  std::size_t place = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const VariableEntry* entry = Find(references[i], as_arrays, type);
    if (entry == nullptr) return RefuseReference(references[i], type);
    if (const Outcome outcome = RequireWritable(*entry, references[i]); outcome > Outcome::Warning) return outcome;
    const std::size_t width = as_arrays ? entry->count : 1;
    if (width > values - place) return Refuse("expected a value for each element, found fewer");
    double* to = runtime_.Values() + SlotOf(*entry, references[i]);
    bool has_changed = false;
    for (std::size_t k = 0; k < width; ++k) {
      const double value = write(place + k);
      has_changed = has_changed || to[k] != value;
      to[k] = value;
    }
    place += width;
    if (has_changed) OnSet(*entry);
  }
  return place == values ? Outcome::Ok : Refuse("expected as many values as the variables have, found more");
}

}  // namespace openmi::fmu
