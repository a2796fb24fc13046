#include "timespace/c/Component.hpp"

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "openmi/omi/CLibrary.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "timespace/ResultsFolder.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/SteppingComponent.hpp"
#include "timespace/c/Declarations.hpp"
#include "timespace/c/Instance.hpp"
#include "timespace/optional/IInitialValues.hpp"
#include "timespace/optional/IRemarks.hpp"

namespace openmi::c {
namespace {

/// A component in C as one of the engine.
/// \tparam Base  SteppingComponent, or StatefulSteppingComponent for a type that keeps states
template <class Base>
class Component : public Base,
                  public IFamilyKey,
                  public IFirstValues,
                  public IRemarks,
                  public IResumes,
                  public ITunable,
                  public IUsesCommunicator,
                  public IOwner {
 public:
  Component(const openmi_component& type, std::string library)
      : Base(TextFrom(type.id != nullptr ? type.id : type.type), type.time_step != nullptr ? type.time_step : "PT1H"),
        family_(std::move(library)) {
    if (type.description != nullptr) this->SetDescription(type.description);
    for (const int flag : {OPENMI_THREAD_SAFE, OPENMI_WHOLE_STEPS, OPENMI_RESTARTABLE}) {
      SetFlag(flag, (type.flags & flag) != 0);
    }
    if ((type.flags & OPENMI_WRITES_FILES) != 0) results_ = ResultsFolder(this->ArgumentItems());
    instance_ = std::make_unique<Instance>(type, *this);
    if (auto adaptors = MakeCFactory(type)) {
      this->AdaptedOutputFactories().push_back(adaptors.get());
      adaptors_ = std::move(adaptors);
    }
  }

  std::string FamilyKey() const override { return family_; }
  bool HasFirstValue(const IBaseOutput& output) const override { return instance_->Declared().HasFirstValue(output); }
  Problems Remarks() const override { return instance_->Remarks(); }
  void ExpectRestore() override { expects_state_ = true; }
  bool IsTunable(const std::string& argument) const override { return instance_->Declared().IsTunable(argument); }
  void SetCommunicator(const Communicator& communicator) override {
    if ((instance_->Type().flags & OPENMI_USES_COMMUNICATOR) == 0) {
      throw LoadError({.component = this->Caption()},
                      "expected a component that uses a communicator, for several ranks, found one that does not",
                      "leave out Ranks, or let its type say so (OPENMI_USES_COMMUNICATOR)");
    }
    communicator_ = communicator;
  }

 protected:
  void Setup() override { instance_->Initialize(); }
  bool OnValidate(std::vector<std::string>& messages) override {
    const bool is_valid = Base::OnValidate(messages);
    return instance_->Validate(messages) && is_valid;
  }
  void Start(Stamp begin) override { instance_->Start(begin, std::exchange(expects_state_, false)); }
  void Step(Stamp from, Stamp to) override {
    const double now = this->Nanoseconds();
    // A whole step is counted, because a stamp is exact only to a microsecond.
    const double end = to == this->WholeStepEnd() ? now + std::round(this->TimeStep().count * kTicksPerDay)
                                                  : std::round(ToSeconds(to - this->StartTime()) * 1e6) * 1e3;
    instance_->Step({.size = sizeof(openmi_times),
                     .from = from.mjd,
                     .to = to.mjd,
                     .from_seconds = now / 1e9,
                     .to_seconds = end / 1e9});
  }
  Stamp StepEnd(Stamp now) const override {
    return instance_->HasNext() ? instance_->Next(now, this->WholeStepEnd()) : Base::StepEnd(now);
  }
  void End() override { instance_->Finish(); }
  Instance& InC() const { return *instance_; }

 private:
  std::string Name() const override { return this->Caption(); }
  ArgumentList& Arguments() override { return this->ArgumentItems(); }
  template <class Item, class... More>
  Item& Make(Parts& parts, More... more) {
    return this->template AddItem<Item>(std::move(parts.id), std::move(parts.definition), std::move(parts.where),
                                        parts.description, more...);
  }
  NumericInput& MakeInput(Parts parts, InputTime asks) override { return Make<NumericInput>(parts, asks); }
  NumericOutput& MakeOutput(Parts parts, OutputTime gives) override { return Make<NumericOutput>(parts, gives); }
  ValueInput& MakeValueInput(Parts parts) override { return Make<ValueInput>(parts); }
  ValueOutput& MakeValueOutput(Parts parts) override { return Make<ValueOutput>(parts); }
  std::string Beside(const std::string& path) const override { return this->PathOf(path); }
  std::string Written(const std::string& name) const override { return results_.PathOf(name, this->PathOf(name)); }
  Stamp RunBegin() const override { return Stamp{this->TimeExtent().TimeHorizon().StampAsModifiedJulianDay()}; }
  Stamp RunEnd() const override { return this->EndTime(); }
  const Communicator* OfRanks() const override { return communicator_ ? &*communicator_ : nullptr; }
  void SetFlag(int flag, bool is_set) override {
    if (flag == OPENMI_THREAD_SAFE) this->SetThreadSafe(is_set);
    if (flag == OPENMI_WHOLE_STEPS) this->SetWholeSteps(is_set);
    if (flag == OPENMI_RESTARTABLE) this->SetRestartable(is_set);
  }
  void Describe(const std::string& text) override { this->SetDescription(text); }
  void BelongTo(const std::string& family) override { family_ = family; }
  void StepBy(Days step) override { this->SetTimeStep(step); }
  void DefaultTimes(Stamp begin, Stamp end) override { this->SetDefaultTimes(begin, end); }
  void OutputTimes(Stamp begin, Stamp end) override { this->SetOutputHorizon(begin, end); }

  std::string family_;
  bool expects_state_ = false;
  std::optional<Communicator> communicator_;
  ResultsFolder results_;
  std::unique_ptr<Instance> instance_;
  std::unique_ptr<IAdaptedOutputFactory> adaptors_;
};

class Stateless : public Component<SteppingComponent> {
  using Component::Component;
};

class Stateful : public Component<StatefulSteppingComponent> {
  using Component::Component;

 protected:
  void SaveState(StateWriter& writer) const override {
    InC().Declared().SaveValues(writer);
    writer.Write(ByteView(InC().Save()));
  }
  void LoadState(StateReader& reader) override {
    InC().Declared().LoadValues(reader);
    InC().Load(reader.ReadBytes());
  }
  int StateVersion() const override { return InC().Type().state_version; }
};

/// Adds the balance.
template <class Base>
class Balanced final : public Base, public IBalance {
 public:
  using Base::Base;
  BalanceTerms Balance() const override { return this->InC().Balance(); }
  std::string BalanceUnit() const override { return this->InC().BalanceUnit(); }
  double BalanceArea() const override { return this->InC().BalanceArea(); }
};

std::unique_ptr<IBaseLinkableComponent> MakeLinkable(const openmi_component& type, const std::string& library) {
  return MakeComponent(type, library);
}

// The loader of libraries lies in the layer below, and finds here what makes components of their tables.
[[gnu::used]] const bool kIsRegistered = (RegisterCComponentMaker(&MakeLinkable), true);

}  // namespace

std::unique_ptr<ITimeSpaceComponent> MakeComponent(const openmi_component& type, const std::string& library) {
  const bool has_balance = type.balance != nullptr;
  if (type.save == nullptr) {
    if (has_balance) return std::make_unique<Balanced<Stateless>>(type, library);
    return std::make_unique<Stateless>(type, library);
  }
  if (has_balance) return std::make_unique<Balanced<Stateful>>(type, library);
  return std::make_unique<Stateful>(type, library);
}

}  // namespace openmi::c
