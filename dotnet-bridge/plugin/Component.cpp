#include "dotnet-bridge/plugin/Component.hpp"

#include <algorithm>
#include <utility>

#include "dotnet-bridge/plugin/Border.hpp"
#include "openmi/sdk/ArgumentList.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IArgumentMeaning.hpp"
#include "openmi/standard/IByteStateConverter.hpp"
#include "openmi/standard/IManageState.hpp"
#include "timespace/standard/ITimeSpaceComponent.hpp"

namespace openmi::dotnet {

void ComponentCore::Make(const std::string& path, const std::string& type) {
  type_ = type;
  thing_ = Thing(TheBorder().Make(path, type, Key()));
  arguments_ = openmi::dotnet::Arguments(Number());
}

template <class Work>
auto ComponentCore::Calling(Work&& work) const {
  static std::string entered;  // by one component at a time, as all calls here
  try {
    if (entered != folder_) {
      TheBorder().Enter(folder_);
      entered = folder_;
    }
    return work();
  } catch (const ModelError& error) {
    Where where = error.Place();
    if (where.component.empty()) where.component = Caption();
    throw ModelError(where, error.Problem(), error.Remedy());
  }
}

namespace {

/// What a component says of itself. Before Initialize it need not know, and some throw.
template <class Ask>
std::string Said(Ask&& ask, const std::string& otherwise) {
  try {
    return ask();
  } catch (const ModelError&) {
    return otherwise;
  }
}

}  // namespace

std::string ComponentCore::Id() const {
  return Said([this] { return TheBorder().Id(Number()); }, type_);
}

std::string ComponentCore::Caption() const {
  return caption_ ? *caption_ : Said([this] { return TheBorder().Caption(Number()); }, type_);
}

std::string ComponentCore::Description() const {
  return Said([this] { return TheBorder().Description(Number()); }, {});
}

void ComponentCore::SetCaption(const std::string& caption) {
  try {
    TheBorder().SetCaption(Number(), caption);
    caption_.reset();
  } catch (const ModelError&) {  // messages need it, and the component does not
    caption_ = caption;
  }
}

std::vector<IAdaptedOutputFactory*>& ComponentCore::Factories() {
  std::vector<int> numbers = Calling([&] { return TheBorder().AdaptedOutputFactories(Number()); });
  for (const int number : numbers) {
    Thing thing(number);
    if (std::ranges::find(factories_, number, [](const auto& one) { return one->Number(); }) != factories_.end()) {
      continue;
    }
    factories_.push_back(std::make_unique<Factory>(std::move(thing)));
    factory_list_.push_back(factories_.back().get());
  }
  return factory_list_;
}

std::span<IBaseInput* const> ComponentCore::Inputs() const {
  if (!is_initialized_) Calling([this] { TheBorder().Inputs(Number()); });  // for what it throws
  return input_list_;
}

std::span<IBaseOutput* const> ComponentCore::Outputs() const {
  if (!is_initialized_) Calling([this] { TheBorder().Outputs(Number()); });
  return output_list_;
}

LinkableComponentStatus ComponentCore::Status() const {
  if (const LinkableComponentStatus* const reported = status_.Get()) return *reported;
  return static_cast<LinkableComponentStatus>(TheBorder().Status(Number()));
}

void ComponentCore::OnStatusChanged(LinkableComponentStatus from, LinkableComponentStatus to,
                                    const std::string& message) {
  changed_.Raise({&self_, message, to, from});
}

void ComponentCore::Initialize() {
  Calling([&] { TheBorder().Initialize(Number()); });
  Calling([&] {
    input_list_.clear();
    output_list_.clear();
    inputs_.clear();
    outputs_.clear();
    for (const int input : TheBorder().Inputs(Number())) {
      inputs_.push_back(std::make_unique<Input>(Thing(input), &self_));
      input_list_.push_back(inputs_.back().get());
    }
    for (const int output : TheBorder().Outputs(Number())) {
      outputs_.push_back(std::make_unique<Output>(Thing(output), &self_));
      output_list_.push_back(outputs_.back().get());
    }
  });
  is_initialized_ = true;
}

std::vector<std::string> ComponentCore::Validate() {
  return Calling([&] { return TheBorder().Validate(Number()); });
}

void ComponentCore::Prepare() {
  Calling([&] { TheBorder().Prepare(Number()); });
  for (const auto& output : outputs_) output->InitializeOthers();  // the component initializes its own
  TakeRows();
}

void ComponentCore::Update(std::span<IBaseOutput* const> required_outputs) {
  std::vector<int> required;
  for (IBaseOutput* output : required_outputs) {
    if (const auto* managed = dynamic_cast<IManaged*>(output)) required.push_back(managed->Number());
  }
  asked_.clear();
  for (const auto& output : outputs_) {
    asked_.insert(asked_.end(), {output->Number(), output->KnownPlaces().Number(), output->HasRows() ? 1 : 0});
  }
  constexpr std::size_t kRoom = 32;  // of an output with a few short rows
  report_.resize(1 + kRoom * outputs_.size());
  Calling([&] {
    const int reported = TheBorder().Update(Number(), required, asked_.data(), static_cast<int>(outputs_.size()),
                                            report_.data(), static_cast<int>(report_.size()));
    TakeReport(static_cast<std::size_t>(reported));
  });
}

void ComponentCore::TakeReport(std::size_t count) {
  status_.Set(static_cast<LinkableComponentStatus>(report_[0]));
  std::span<const double> rest = std::span<const double>(report_).subspan(1);
  // All is noted before the first row is taken, which may call .NET.
  for (std::size_t i = 0; i < count; ++i) {
    outputs_[i]->KnownPlaces().Report(static_cast<int>(rest[0]), static_cast<int>(rest[1]));
    rest = rest.subspan(3 + static_cast<std::size_t>(rest[2]));
  }
  rest = std::span<const double>(report_).subspan(1);
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (i >= count) {
      outputs_[i]->TakeRows();
      continue;
    }
    const auto size = static_cast<std::size_t>(rest[2]);
    outputs_[i]->TakeRows(rest.subspan(3, size));
    rest = rest.subspan(3 + size);
  }
}

void ComponentCore::Finish() {
  Calling([&] { TheBorder().Finish(Number()); });
}

void ComponentCore::TakeRows() {
  Calling([&] {
    for (const auto& output : outputs_) output->TakeRows();
  });
}

const ITimeSet& ComponentCore::TimeExtent() const {
  const Thing extent(Calling([&] { return TheBorder().TimeExtent(Number()); }));
  if (!extent) return no_extent_;
  return *extent_.Read([&](double* to, int room) { return TheBorder().Times(extent.Number(), to, room); });
}

const IIdentifiable& ComponentCore::Remember(Thing state) {
  std::string id = TheBorder().Id(state.Number());
  KeptState& remembered = states_[id];
  if (!remembered.id) remembered.id = std::make_unique<Identifier>(id);
  remembered.thing = std::move(state);
  return *remembered.id;
}

int ComponentCore::StateOf(const IIdentifiable& id) const {
  const auto found = states_.find(id.Id());
  return found != states_.end() ? found->second.thing.Number() : 0;
}

template <class Change>
void ComponentCore::WithState(Change&& change) {
  try {
    Calling(change);
  } catch (const ModelError& error) {
    if (error.Problem().find("System.Argument") == std::string::npos) throw;
    throw ArgumentError(error.Place(), error.Problem(), error.Remedy());  // an unknown state
  }
}

const IIdentifiable& ComponentCore::KeepCurrentState() {
  return Remember(Thing(Calling([&] { return TheBorder().KeepCurrentState(Number()); })));
}

void ComponentCore::RestoreState(const IIdentifiable& state_id) {
  WithState([&] { TheBorder().RestoreState(Number(), StateOf(state_id), state_id.Id()); });
  Calling([&] {
    for (const auto& output : outputs_) output->Rewind();
  });
}

void ComponentCore::ClearState(const IIdentifiable& state_id) {
  WithState([&] { TheBorder().ClearState(Number(), StateOf(state_id), state_id.Id()); });
  states_.erase(state_id.Id());
}

const IIdentifiable& ComponentCore::ConvertFromByteArray(ByteView bytes) {
  return Remember(Thing(Calling([&] { return TheBorder().ConvertFromByteArray(Number(), bytes); })));
}

Bytes ComponentCore::ConvertToByteArray(const IIdentifiable& state_id) {
  return Calling([&] { return TheBorder().ConvertToByteArray(Number(), StateOf(state_id), state_id.Id()); });
}

namespace {

/// \tparam Interface  IBaseLinkableComponent or ITimeSpaceComponent
template <class Interface>
class PlainComponent : public Interface, public IFileRoot, public IOwner {
 public:
  PlainComponent(const std::string& path, const std::string& type) { core_.Make(path, type); }
  std::string Id() const override { return core_.Id(); }
  std::string Caption() const override { return core_.Caption(); }
  void SetCaption(const std::string& caption) override { core_.SetCaption(caption); }
  std::string Description() const override { return core_.Description(); }
  void SetDescription(const std::string& text) override { TheBorder().SetDescription(core_.Number(), text); }
  std::vector<IAdaptedOutputFactory*>& AdaptedOutputFactories() override { return core_.Factories(); }
  std::span<IArgument* const> Arguments() const override { return core_.Arguments(); }
  std::span<IBaseInput* const> Inputs() const override { return core_.Inputs(); }
  std::span<IBaseOutput* const> Outputs() const override { return core_.Outputs(); }
  LinkableComponentStatus Status() const override { return core_.Status(); }
  IEvent<LinkableComponentStatusChangeEventArgs>& StatusChanged() override { return core_.StatusChanged(); }
  void Initialize() override { core_.Initialize(); }
  std::vector<std::string> Validate() override { return core_.Validate(); }
  void Prepare() override { core_.Prepare(); }
  void Update(std::span<IBaseOutput* const> required_outputs) override { core_.Update(required_outputs); }
  void Finish() override { core_.Finish(); }
  void SetFileRoot(const std::string& folder) override { core_.SetFolder(folder); }
  void TakeRows() override { core_.TakeRows(); }

 protected:
  ComponentCore core_{*this};
};

class TimedComponent : public PlainComponent<ITimeSpaceComponent> {
 public:
  using PlainComponent::PlainComponent;
  const ITimeSet& TimeExtent() const override { return core_.TimeExtent(); }
};

template <class Base>
class StatesOf : public Base, public IManageState {
 public:
  using Base::Base;
  void ClearState(const IIdentifiable& state_id) override { this->core_.ClearState(state_id); }
  const IIdentifiable& KeepCurrentState() override { return this->core_.KeepCurrentState(); }
  void RestoreState(const IIdentifiable& state_id) override { this->core_.RestoreState(state_id); }
};

template <class Base>
class BytesOf : public Base, public IByteStateConverter {
 public:
  using Base::Base;
  const IIdentifiable& ConvertFromByteArray(ByteView bytes) override { return this->core_.ConvertFromByteArray(bytes); }
  Bytes ConvertToByteArray(const IIdentifiable& state_id) override { return this->core_.ConvertToByteArray(state_id); }
};

template <class Base>
std::unique_ptr<IBaseLinkableComponent> MakeWith(int forms, const std::string& path, const std::string& type) {
  switch (forms & 3) {
    case 1:
      return std::make_unique<StatesOf<Base>>(path, type);
    case 2:
      return std::make_unique<BytesOf<Base>>(path, type);
    case 3:
      return std::make_unique<BytesOf<StatesOf<Base>>>(path, type);
    default:
      return std::make_unique<Base>(path, type);
  }
}

}  // namespace

std::unique_ptr<IBaseLinkableComponent> MakeComponent(const std::string& path, const std::string& type) {
  const int forms = TheBorder().FormsOf(path, type);
  return (forms & 4) != 0 ? MakeWith<TimedComponent>(forms, path, type)
                          : MakeWith<PlainComponent<IBaseLinkableComponent>>(forms, path, type);
}

}  // namespace openmi::dotnet
