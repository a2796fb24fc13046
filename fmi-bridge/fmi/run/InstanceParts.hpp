#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fmi-bridge/fmi/run/FmuLibrary.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"

namespace openmi::fmi {

/// A function of an FMU's library and its name in the standard; without an address where the library lacks it.
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

/// What the instances of all versions share: the functions, looked up once a library, and how one is called.
///
/// \tparam Functions  made from a FmuLibrary; names its types: Component, String
template <class Functions>
class InstanceOf : public Instance {
 protected:
  using Component = typename Functions::Component;

  InstanceOf(std::shared_ptr<FmuLibrary> library, const std::filesystem::path& folder,
             const ModelDescription& description, InstanceOptions options)
      : Instance(std::move(library), folder, description, std::move(options)),
        functions_(library_->template TableOf<Functions>()) {}

  /// What the function answered; Discard where `may_discard`, else only OK and Warning. The others throw.
  template <class Signature, class... Arguments>
  CallStatus Ask(const Function<Signature>& function, bool may_discard, Arguments... arguments) {
    return Judge(Need(function.address, function.name)(component_, arguments...), function.name, may_discard);
  }
  template <class Signature, class... Arguments>
  void Call(const Function<Signature>& function, Arguments... arguments) {
    Ask(function, false, arguments...);
  }

  const Functions& functions_;  // of library_
  Component component_ = nullptr;
  std::vector<typename Functions::String> pointers_;
};

/// Numbers and texts of 1.0 and 2.0, which know three types of numbers.
template <class Base, class Functions>
class WithOldValues : public Base {
  [[noreturn]] void NoBinaries() const { this->NotInThisVersion("binaries"); }
  [[noreturn]] void NoClocks() const { this->NotInThisVersion("clocks"); }

 public:
  void Get(VariableType type, std::span<const ValueReference> vr, void* values, std::size_t) override {
    switch (type) {
      case VariableType::Float64:
        this->Call(this->functions_.GetReal, vr.data(), vr.size(), static_cast<typename Functions::Real*>(values));
        return;
      case VariableType::Boolean:
        this->Call(this->functions_.GetBoolean, vr.data(), vr.size(),
                   static_cast<typename Functions::Boolean*>(values));
        return;
      default:
        this->Call(this->functions_.GetInteger, vr.data(), vr.size(),
                   static_cast<typename Functions::Integer*>(values));
    }
  }
  void Set(VariableType type, std::span<const ValueReference> vr, const void* values, std::size_t) override {
    switch (type) {
      case VariableType::Float64:
        this->Call(this->functions_.SetReal, vr.data(), vr.size(),
                   static_cast<const typename Functions::Real*>(values));
        return;
      case VariableType::Boolean:
        this->Call(this->functions_.SetBoolean, vr.data(), vr.size(),
                   static_cast<const typename Functions::Boolean*>(values));
        return;
      default:
        this->Call(this->functions_.SetInteger, vr.data(), vr.size(),
                   static_cast<const typename Functions::Integer*>(values));
    }
  }
  void GetTexts(std::span<const ValueReference> vr, std::span<std::string> texts) override {
    this->pointers_.resize(vr.size());
    this->Call(this->functions_.GetString, vr.data(), vr.size(), this->pointers_.data());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      texts[i] = this->pointers_[i] != nullptr ? this->pointers_[i] : "";
    }
  }
  void SetTexts(std::span<const ValueReference> vr, std::span<const std::string> texts) override {
    this->pointers_.resize(vr.size());
    for (std::size_t i = 0; i < texts.size(); ++i) this->pointers_[i] = texts[i].c_str();
    this->Call(this->functions_.SetString, vr.data(), vr.size(), this->pointers_.data());
  }
  void SetInputDerivatives(std::span<const ValueReference> vr, std::span<const std::int32_t> orders,
                           std::span<const double> values) override {
    this->Call(this->functions_.SetRealInputDerivatives, vr.data(), vr.size(), orders.data(), values.data());
  }
  void GetOutputDerivatives(std::span<const ValueReference> vr, std::span<const std::int32_t> orders,
                            std::span<double> values) override {
    this->Call(this->functions_.GetRealOutputDerivatives, vr.data(), vr.size(), orders.data(), values.data());
  }

  void GetBinaries(std::span<const ValueReference>, std::span<std::string>) override { NoBinaries(); }
  void SetBinaries(std::span<const ValueReference>, std::span<const std::string>) override { NoBinaries(); }
  void GetClocks(std::span<const ValueReference>, std::span<bool>) override { NoClocks(); }
  void SetClocks(std::span<const ValueReference>, std::span<const bool>) override { NoClocks(); }
  void GetInterval(ValueReference, double&, bool&) override { NoClocks(); }
  double GetShift(ValueReference) override {
    NoClocks();
    return 0.0;  // never; a template's calls that do not return are not seen
  }

 protected:
  using Base::Base;

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
  std::vector<std::byte> Serialize(void* state) override {
    std::size_t size = 0;
    this->Call(this->functions_.SerializedFMUStateSize, state, &size);
    std::vector<std::byte> bytes(size);
    this->Call(this->functions_.SerializeFMUState, state, reinterpret_cast<typename Functions::Byte*>(bytes.data()),
               size);
    return bytes;
  }
  void* Deserialize(std::span<const std::byte> bytes) override {
    void* state = nullptr;
    this->Call(this->functions_.DeserializeFMUState, reinterpret_cast<const typename Functions::Byte*>(bytes.data()),
               bytes.size(), &state);
    return state;
  }

 protected:
  using Base::Base;

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
