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

#include "fmi-bridge/export/fmu/shim/Runtime.hpp"

namespace openmi::fmu {

/// A state that the importer holds: its number in the process, and its bytes after they were requested.
struct HeldState {
  std::int64_t number = 0;
  bool has_bytes = false;
  std::string bytes;
};

/// One instance of an exported FMU, for any version of FMI: checks the order of calls, holds the values, and lets the
/// process compute.
///
/// Numbers are in memory that the process shares, so that reading or writing them needs no call. No function throws;
/// each returns its outcome and logs the reason.
class Instance {
 public:
  /// Receives the messages.
  using Log = std::function<void(Outcome outcome, const char* category, const char* message)>;
  enum class Phase { Instantiated, Initialization, Step, Terminated, Failed };

  /// \param token      the token that the importer took from the description
  /// \param resources  the folder, absolute, without slash at the end; empty: the one of the FMU that holds this
  ///   library
  /// \param reports_all  whether messages below Error are logged, too
  /// \param log        receives the messages
  /// \returns null if the process does not start or belongs to another description; the log states why
  static std::unique_ptr<Instance> Make(std::string_view token, std::string resources, bool reports_all, Log log);

  void SetReportsAll(bool reports_all) { reports_all_ = reports_all; }
  Phase Now() const { return phase_; }
  double Time() const { return time_; }

  /// Sets the experiment, in seconds. Allowed before EnterInitialization.
  /// \param stop  used if `has_stop`; after `start`
  Outcome Setup(double start, bool has_stop, double stop);
  Outcome EnterInitialization();
  Outcome ExitInitialization();
  /// Advances the model.
  /// \param time  present time in s
  /// \param step  length in s, above 0
  Outcome Step(double time, double step);
  Outcome Terminate();
  Outcome Reset();

  /// \param references  value references of variables; shape [count]
  /// \param values      number of values in the caller's array
  /// \param as_arrays   true: a reference means a whole variable; false: one element
  /// \param read        called with (number, value) for each element
  template <class Read>
  Outcome Get(exported::VariableType type, const std::uint32_t* references, std::size_t count, std::size_t values,
              bool as_arrays, Read&& read);
  template <class Write>
  Outcome Set(exported::VariableType type, const std::uint32_t* references, std::size_t count, std::size_t values,
              bool as_arrays, Write&& write);
  Outcome GetTexts(const std::uint32_t* references, std::size_t count, const char** values);
  Outcome SetTexts(const std::uint32_t* references, std::size_t count, const char* const* values);

  // States: a handle that is not of this instance is refused, and states that the importer does not free end with it.
  Outcome SaveState(void** state);
  Outcome RestoreState(void* state);
  Outcome FreeState(void** state);
  /// Requests the bytes of a state and gives their number.
  Outcome StateSize(void* state, std::size_t* size);
  Outcome StateToBytes(void* state, char* bytes, std::size_t size);
  Outcome BytesToState(const char* bytes, std::size_t size, void** state);

  /// Logs that a call was wrong.
  /// \returns Error
  Outcome Refuse(const std::string& message);
  /// The same for a function that this FMU does not support.
  Outcome RefuseFunction(const char* function);

 private:
  Instance(std::string resources, bool reports_all, Log log)
      : runtime_([this](StateReader& request) { Serve(request); }),
        resources_(std::move(resources)),
        reports_all_(reports_all),
        log_(std::move(log)) {}
  bool Begin(std::string_view token);
  /// Reads the interface from the process.
  /// \returns whether it belongs to this description
  bool TakeOffer(std::string_view token);
  /// Starts a request; its arguments are written into the result.
  StateWriter& Ask(FmuRequest request);
  /// Sends the request; the reply is `answer_`.
  Outcome Call();
  /// Answers a request of the process to the importer.
  void Serve(StateReader& request);
  /// Calls `read` with the answer; logs an error if the answer does not have the expected form.
  template <class Read>
  Outcome ReadAnswer(Read&& read);
  /// Sends the request, and calls `read` with the answer.
  template <class Read>
  Outcome CallAndRead(Read&& read);
  /// Whether the instance is in one of some phases; logs an error where it is not.
  bool IsIn(const char* call, std::initializer_list<Phase> allowed);
  Outcome RequireOutputs();
  void Report(Outcome outcome, const std::string& message);
  const VariableEntry* Find(std::uint32_t reference, bool as_arrays, exported::VariableType type) const;
  /// The process is not there.
  Outcome RefuseValues();
  Outcome RefuseReference(std::uint32_t reference, exported::VariableType type);
  /// The state of a handle; null if the handle is not of this instance.
  HeldState* HeldAt(const void* state) const;
  static std::size_t SlotOf(const VariableEntry& entry, std::uint32_t reference) {
    return std::size_t{entry.first} + (reference - entry.reference);
  }
  /// Marks outputs as computed from other values.
  void OnSet(const VariableEntry& entry) {
    const bool matters = !begins_once_ || entry.role == exported::VariableRole::Parameter;
    if (phase_ != Phase::Step && matters) is_evaluated_ = false;
  }
  /// Reads number and text of each output whose text has changed.
  Outcome TakeTexts();
  Outcome RequireReadable(const VariableEntry& entry);
  Outcome RequireWritable(const VariableEntry& entry, std::uint32_t reference);

  Runtime runtime_;
  StateWriter request_;
  StateReader answer_{{}};  // the last reply; valid until the next call
  std::string resources_;
  std::string token_;
  bool reports_all_;
  Log log_;
  Phase phase_ = Phase::Instantiated;
  bool is_set_up_ = false;
  bool is_evaluated_ = false;  // whether outputs belong to the present parameters and inputs
  bool keeps_state_ = false;
  bool begins_once_ = false;
  double time_ = 0.0;
  double start_ = 0.0;
  double stop_ = 0.0;
  bool has_stop_ = false;
  std::vector<std::unique_ptr<HeldState>> states_;  // held by the importer
  std::vector<VariableEntry> entries_;
  std::vector<std::uint32_t> entry_of_;  // by value reference
  std::vector<std::string> texts_;       // from the slot `slots` on
};

template <class Read>
Outcome Instance::Get(exported::VariableType type, const std::uint32_t* references, std::size_t count,
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
Outcome Instance::Set(exported::VariableType type, const std::uint32_t* references, std::size_t count,
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
