#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "fmi-bridge/fmi/run/FmuLibrary.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::fmi {

/// A function of the library of an FMU and its name in the standard; the address is null if the library lacks it.
template <class Signature>
struct Function {
  void Find(const FmuLibrary& library, const char* its_name) {
    name = its_name;
    library.Find(address, name);
  }
  explicit operator bool() const { return address != nullptr; }

  Signature* address = nullptr;
  const char* name = "";
};

/// Throws `error` again, with the names of the variables that were set.
/// \throws ModelError  always
[[noreturn]] void ThrowWithNames(const ModelError& error, const ModelDescription& description, VariableType type,
                                 std::span<const ValueReference> references);

/// Calls `work` with the functions that get and set numbers of a type, for versions with three such types.
decltype(auto) OfThreeTypes(const auto& functions, VariableType type, auto&& work) {
  switch (type) {
    case VariableType::Float64:
      return work(functions.GetReal, functions.SetReal);
    case VariableType::Boolean:
      return work(functions.GetBoolean, functions.SetBoolean);
    default:
      return work(functions.GetInteger, functions.SetInteger);
  }
}

/// The common part of the instances of all versions: functions, calls, numbers and texts.
///
/// Functions are looked up once for each library.
/// \tparam Functions  made from a FmuLibrary; names its types Component and String; `Of(type, work)` calls `work` with
///   the functions that get and set numbers of a type
template <class Functions>
class InstanceOf : public Instance {
 protected:
  using Component = typename Functions::Component;

  InstanceOf(std::shared_ptr<FmuLibrary> library, const std::filesystem::path& folder,
             const ModelDescription& description, InstanceOptions options)
      : Instance(std::move(library), folder, description, std::move(options)),
        functions_(library_->template TableOf<Functions>()) {}

  /// Calls a function and returns its status: OK, Warning, and Discard if `may_discard`. Other statuses throw.
  template <class Status, class... Parameters>
  CallStatus Ask(const Function<Status(Component, Parameters...)>& function, bool may_discard,
                 std::type_identity_t<Parameters>... arguments) {
    return Judge(Need(function.address, function.name)(component_, arguments...), function.name, may_discard);
  }
  template <class Status, class... Parameters>
  void Call(const Function<Status(Component, Parameters...)>& function, std::type_identity_t<Parameters>... arguments) {
    Ask(function, false, arguments...);
  }

  /// Reads or writes values; passes their number to functions that take it (3.0).
  template <class Status, class Value, class... Count>
  void Move(const Function<Status(Component, const ValueReference[], std::size_t, Value*, Count...)>& function,
            std::span<const ValueReference> vr, auto* values, std::size_t count) {
    if constexpr (sizeof...(Count) == 0) {
      Call(function, vr.data(), vr.size(), static_cast<Value*>(values));
    } else {
      Call(function, vr.data(), vr.size(), static_cast<Value*>(values), count);
    }
  }

 public:
  void LimitAnswers(std::optional<std::chrono::milliseconds> limit) override {
    library_->LimitAnswers(component_, limit);
  }
  NumberType NativeOf(VariableType type) const override {
    return functions_.Of(type, [](const auto& get, const auto&) { return NativeIn(get); });
  }
  void Get(VariableType type, std::span<const ValueReference> vr, void* values, std::size_t count) override {
    functions_.Of(type, [&](const auto& get, const auto&) { Move(get, vr, values, count); });
  }
  void Set(VariableType type, std::span<const ValueReference> vr, const void* values, std::size_t count) override {
    try {
      functions_.Of(type, [&](const auto&, const auto& set) { Move(set, vr, values, count); });
    } catch (const ModelError& error) {
      ThrowWithNames(error, Description(), type, vr);
    }
  }
  void GetTexts(std::span<const ValueReference> vr, std::span<std::string> texts) override {
    pointers_.resize(texts.size());
    Move(functions_.GetString, vr, pointers_.data(), pointers_.size());
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = pointers_[i] != nullptr ? pointers_[i] : "";
  }
  void SetTexts(std::span<const ValueReference> vr, std::span<const std::string> texts) override {
    pointers_.resize(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) pointers_[i] = texts[i].c_str();
    Move(functions_.SetString, vr, pointers_.data(), pointers_.size());
  }

 protected:
  const Functions& functions_;  // of library_
  Component component_ = nullptr;

 private:
  template <class Status, class Value, class... Count>
  static constexpr NumberType NativeIn(
      const Function<Status(Component, const ValueReference[], std::size_t, Value*, Count...)>&) {
    return NumberTypeOf<Value>();
  }

  std::vector<typename Functions::String> pointers_;
};

/// The common part of 1.0 and 2.0.
template <class Base, class Functions>
class WithOldValues : public Base {
  [[noreturn]] void NoBinaries() const { this->NotInThisVersion("binaries"); }
  [[noreturn]] void NoClocks() const { this->NotInThisVersion("clocks"); }

 public:
  bool SetInputDerivatives(std::span<const ValueReference> vr, std::span<const std::int32_t> orders,
                           std::span<const double> values) override {
    const auto& set = this->functions_.SetRealInputDerivatives;
    const int status =
        this->Need(set.address, set.name)(this->component_, vr.data(), vr.size(), orders.data(), values.data());
    if (status == static_cast<int>(CallStatus::Discard) || status == static_cast<int>(CallStatus::Error)) return false;
    this->Judge(status, set.name);
    return true;
  }

  void GetOutputDerivatives(std::span<const ValueReference> vr, std::span<const std::int32_t> orders,
                            std::span<double> values) override {
    this->Call(this->functions_.GetRealOutputDerivatives, vr.data(), vr.size(), orders.data(), values.data());
  }
  void ShowBinaries(std::span<const ValueReference>, std::span<ByteView>) override { NoBinaries(); }
  void PutBinaries(std::span<const ValueReference>, std::span<const ByteView>) override { NoBinaries(); }
  void SetClocks(std::span<const ValueReference>, std::span<const bool>) override { NoClocks(); }
  void GetClocks(std::span<const ValueReference>, std::span<bool>) override { NoClocks(); }
  bool GetInterval(ValueReference, bool, ClockSpan&) override {
    NoClocks();
    return false;  // never reached; the compiler does not see that the call in the template does not return
  }
  ClockSpan GetShift(ValueReference, bool) override {
    NoClocks();
    return {};
  }
  void SetInterval(ValueReference, const ClockSpan&) override { NoClocks(); }
  void ActivatePartition(ValueReference, double) override { NoClocks(); }

 protected:
  using Base::Base;

  /// The status that the FMU gives of a step that it did not finish; `otherwise` if it gives none.
  template <class Signature, class Kind, class T>
  T StatusOf(const Function<Signature>& function, Kind kind, T otherwise) {
    T value = otherwise;
    return function && function.address(this->component_, kind, &value) == 0 ? value : otherwise;
  }

 private:
  void OnEnterConfiguration() override { this->NotInThisVersion("structural parameters"); }
  void OnExitConfiguration() override { this->NotInThisVersion("structural parameters"); }
};

/// States and model exchange of 2.0 and 3.0.
template <class Base, class Functions>
class WithStates : public Base {
 public:
  void SetTime(double time) override { this->Call(this->functions_.SetTime, time); }
  void SetContinuousStates(std::span<const double> states) override {
    this->Call(this->functions_.SetContinuousStates, states.data(), states.size());
  }
  void GetContinuousStates(std::span<double> states) override {
    this->Call(this->functions_.GetContinuousStates, states.data(), states.size());
  }
  void GetNominals(std::span<double> nominals) override {
    this->Call(this->functions_.GetNominalsOfContinuousStates, nominals.data(), nominals.size());
  }
  CallStatus GetDerivatives(std::span<double> derivatives) override {
    return this->Ask(this->functions_.GetContinuousStateDerivatives, true, derivatives.data(), derivatives.size());
  }
  CallStatus GetEventIndicators(std::span<double> indicators) override {
    return this->Ask(this->functions_.GetEventIndicators, true, indicators.data(), indicators.size());
  }

  void* GetState(void* reuse) override {
    this->Call(this->functions_.GetFMUState, &reuse);
    return reuse;
  }
  void FreeState(void* state) override { this->Call(this->functions_.FreeFMUState, &state); }
  Bytes Serialize(void* state) override {
    std::size_t size = 0;
    this->Call(this->functions_.SerializedFMUStateSize, state, &size);
    Bytes bytes(size);
    this->Call(this->functions_.SerializeFMUState, state, reinterpret_cast<typename Functions::Byte*>(bytes.data()),
               size);
    return bytes;
  }
  void* Deserialize(ByteView bytes) override {
    void* state = nullptr;
    this->Call(this->functions_.DeserializeFMUState, reinterpret_cast<const typename Functions::Byte*>(bytes.data()),
               bytes.size(), &state);
    return state;
  }

 protected:
  using Base::Base;

  /// Restricts the log to the categories of the options. Call it when the instance is made.
  void ChooseCategories() {
    if (!this->options_.logging || this->options_.log_categories.empty()) return;
    std::vector<typename Functions::String> categories;
    for (const std::string& one : this->options_.log_categories) categories.push_back(one.c_str());
    try {
      this->Call(this->functions_.SetDebugLogging, true, categories.size(), categories.data());
    } catch (...) {
      this->Close();  // no destructor runs for an instance that is not completely made
      throw;
    }
  }

 private:
  void OnExitInitialization() override { this->Call(this->functions_.ExitInitializationMode); }
  void OnTerminate() override { this->Call(this->functions_.Terminate); }
  void OnReset() override { this->Call(this->functions_.Reset); }
  void OnFree() override {
    this->Need(this->functions_.FreeInstance.address, this->functions_.FreeInstance.name)(this->component_);
  }
  void OnEnterEventMode() override { this->Call(this->functions_.EnterEventMode); }
  void OnEnterContinuousTimeMode() override { this->Call(this->functions_.EnterContinuousTimeMode); }
  void OnSetState(void* state) override { this->Call(this->functions_.SetFMUState, state); }
};

}  // namespace openmi::fmi
