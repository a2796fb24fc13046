#include "composition/joined/JoinedComponent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "composition/joined/JoinedElements.hpp"
#include "composition/proxy/HostCopies.hpp"
#include "composition/threads/CurrentComponent.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

/// The ids of the items of all pieces: those of the first, then what others have beside them.
template <class Items>
std::vector<std::string> IdsOf(const std::vector<IsolatedComponent*>& pieces, Items items) {
  std::vector<std::string> ids;
  for (const IsolatedComponent* piece : pieces) {
    for (const auto* item : items(*piece)) {
      if (std::ranges::find(ids, item->Id()) == ids.end()) ids.push_back(item->Id());
    }
  }
  return ids;
}

/// An item of the pieces that have it.
template <class Item>
struct Pieces {
  std::vector<Item*> items;
  JoinedElements elements;
};

/// \throws LinkError  it holds no numbers by time, or its elements do not fit together
template <class Item, class Items>
Pieces<Item> PiecesOf(const std::vector<IsolatedComponent*>& all, Items items, const PieceNames& names,
                      const JoinedOutput::Join& join, const Where& place) {
  Pieces<Item> pieces;
  std::vector<std::size_t> owners;
  std::vector<const ISpatialDefinition*> each;
  for (std::size_t piece = 0; piece < all.size(); ++piece) {
    const auto list = items(*all[piece]);
    const auto found = std::ranges::find(list, place.item, [](const auto* item) { return item->Id(); });
    if (found == list.end()) continue;
    auto* item = dynamic_cast<Item*>(*found);
    if (item == nullptr) {
      throw LinkError(
          place,
          fmt::format("expected items of numbers with times in a component on several {}, found another", names.many),
          fmt::format("leave out {}, or the item", names.attribute));
    }
    pieces.items.push_back(item);
    each.push_back(item->SpatialDefinition());
    owners.push_back(piece);
  }
  pieces.elements = join(each, std::move(owners), place);
  return pieces;
}

std::string MagicOf(const PieceNames& names) {
  return std::string("openmi2-") + names.many;
}

}  // namespace

JoinedComponent::JoinedComponent(const PieceNames& names, std::unique_ptr<JoinedThreads> threads,
                                 std::vector<LoadedComponent> pieces)
    : LinkableComponentOf(pieces[0].component->Id()),
      names_(names),
      threads_(std::move(threads)),
      loaded_(std::move(pieces)) {
  for (const LoadedComponent& loaded : loaded_) {
    pieces_.push_back(&dynamic_cast<IsolatedComponent&>(*loaded.component));
    steps_.push_back(dynamic_cast<const ISteps*>(loaded.component.get()));
    if (steps_.back() != nullptr) continue;
    throw LoadError({.component = Caption()},
                    fmt::format("expected a component that states its steps (ISteps), for several {}", names_.many));
  }
  SetDescription(pieces_[0]->Description());
  LinkableComponentOf::SetCaption(pieces_[0]->Caption());
}

JoinedComponent::~JoinedComponent() {
  inputs_.clear();
  outputs_.clear();
  threads_->Run([this](std::size_t piece) { loaded_[piece].Reset(); }, true);
}

std::vector<IsolatedProcess*> JoinedComponent::Processes() const {
  std::vector<IsolatedProcess*> processes;
  for (const IsolatedComponent* piece : pieces_) piece->AddProcesses(processes);
  return processes;
}

void JoinedComponent::BeginCall() {
  for (const auto& input : inputs_) input->BeginCall();
}

void JoinedComponent::OnAll(const std::function<void(std::size_t, IsolatedComponent&)>& job) {
  const HostWork talk;  // no code of a component runs on this thread
  BeginCall();
  const auto failures = threads_->Run([&](std::size_t piece) { job(piece, *pieces_[piece]); }, has_failed_);
  if (!failures.empty()) ThrowFirst(failures);
}

std::string JoinedComponent::NameOf(std::size_t piece) const {
  return fmt::format("{} of {}", names_.Of(piece), pieces_.size());
}

void JoinedComponent::ThrowFirst(const std::vector<JoinedThreads::Failure>& failures) {
  has_failed_ = true;
  auto first = failures.begin();
  if (!pieces_[first->piece]->Process().End().empty()) {  // the others may have followed at once
    const auto is_first = [this](const JoinedThreads::Failure& failure) {
      return pieces_[failure.piece]->Process().EndedFirst();
    };
    const auto found = std::ranges::find_if(failures, is_first);
    if (found != failures.end()) first = found;
  }
  const std::string name = NameOf(first->piece);
  try {
    std::rethrow_exception(first->error);
  } catch (const Error& error) {
    if (error.Problem().find(name) != std::string::npos) throw;
    throw ModelError(error.Place(), fmt::format("{}: {}", name, error.Problem()), error.Remedy());
  } catch (const std::exception& error) {
    throw ModelError({.component = Caption()}, fmt::format("{}: {}", name, error.what()));
  }
}

void JoinedComponent::SetCaption(const std::string& caption) {
  LinkableComponentOf::SetCaption(caption);
  for (IsolatedComponent* piece : pieces_) piece->SetCaption(caption);
}

void JoinedComponent::ShareArguments() {
  for (std::size_t piece = 1; piece < pieces_.size(); ++piece) {
    for (std::size_t i = 0; i < Arguments().size(); ++i) {  // setting one may add others
      const IArgument& given = *Arguments()[i];
      if (given.IsReadOnly()) continue;
      const auto others = pieces_[piece]->Arguments();
      const auto other = std::ranges::find(others, given.Id(), [](const IArgument* one) { return one->Id(); });
      if (other == others.end() || (*other)->IsReadOnly()) continue;
      if (const std::string text = given.ValueAsString(); (*other)->ValueAsString() != text) {
        (*other)->SetValueAsString(text);
      }
    }
  }
}

void JoinedComponent::OnInitialize() {
  ShareArguments();
  pieces_[0]->SetOnArgument([this](std::size_t number, const std::string* text, const Value* value) {
    for (std::size_t piece = 1; piece < pieces_.size(); ++piece) pieces_[piece]->SetArgument(number, text, value);
  });
  OnAll([](std::size_t, IsolatedComponent& piece) { piece.Initialize(); });
  MakeItems();
}

void JoinedComponent::MakeItems() {
  inputs_.clear();
  outputs_.clear();
  const JoinedOutput::Join join = [this](auto each, auto pieces, const Where& place) {
    return Join(each, std::move(pieces), place);
  };
  const auto inputs_of = [](const IsolatedComponent& piece) { return piece.Inputs(); };
  const auto outputs_of = [](const IsolatedComponent& piece) { return piece.Outputs(); };
  for (const std::string& id : IdsOf(pieces_, inputs_of)) {
    auto [pieces, elements] = PiecesOf<NumericInput>(pieces_, inputs_of, names_, join, PlaceOf(id));
    NumericInput& first = *pieces[0];
    NumericInput& whole = TakeInput(
        std::make_unique<NumericInput>(id, HostCopyOf(first.ValueDefinition()), elements.where, this, first.Asks()));
    whole.EditTimeSet() = first.EditTimeSet();
    whole.SetCaption(first.Caption());
    whole.SetDescription(first.Description());
    inputs_.push_back(std::make_unique<JoinedInput>(whole, std::move(pieces), std::move(elements), *threads_));
  }
  for (const std::string& id : IdsOf(pieces_, outputs_of)) {
    auto [pieces, elements] = PiecesOf<NumericOutput>(pieces_, outputs_of, names_, join, PlaceOf(id));
    NumericOutput& first = *pieces[0];
    NumericOutput& whole = TakeOutput(
        std::make_unique<NumericOutput>(id, HostCopyOf(first.ValueDefinition()), elements.where, this, first.Gives()));
    const ITime& horizon = first.TimeSet()->TimeHorizon();
    const Stamp begin{horizon.StampAsModifiedJulianDay()};
    whole.SetHorizon(begin, begin + Days{horizon.DurationInDays()});
    whole.SetCaption(first.Caption());
    whole.SetDescription(first.Description());
    outputs_.push_back(std::make_unique<JoinedOutput>(whole, std::move(pieces), std::move(elements), join, names_));
  }
}

bool JoinedComponent::OnValidate(std::vector<std::string>& messages) {
  std::vector<std::vector<std::string>> said(pieces_.size());
  OnAll([&](std::size_t number, IsolatedComponent& piece) { said[number] = piece.Validate(); });
  bool is_valid = true;
  for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
    for (const std::string& message : said[piece]) {
      if (std::ranges::find(messages, message) == messages.end()) messages.push_back(message);
    }
    is_valid = is_valid && pieces_[piece]->Status() == LinkableComponentStatus::Valid;
  }
  return is_valid;
}

void JoinedComponent::ExpectRestore() {
  for (IsolatedComponent* piece : pieces_) piece->ExpectRestore();
}

void JoinedComponent::OnPrepare() {
  OnAll([](std::size_t, IsolatedComponent& piece) { piece.Prepare(); });
  for (const auto& output : outputs_) output->Collect();
}

void JoinedComponent::OnPrepared() {
  for (const auto& output : outputs_) output->Whole().Refresh();
}

void JoinedComponent::UpdatePieces() {
  OnAll([](std::size_t, IsolatedComponent& piece) { piece.Update({}); });
}

UpdateResult JoinedComponent::OnUpdate(std::span<IBaseOutput* const>) {
  UpdatePieces();
  fresh_.clear();
  for (const auto& output : outputs_) {
    if (output->Collect()) fresh_.push_back(&output->Whole());
  }
  for (NumericOutput* output : fresh_) output->Refresh();
  const LinkableComponentStatus status = pieces_[0]->Status();
  for (std::size_t piece = 1; piece < pieces_.size(); ++piece) {
    if (steps_[piece]->CurrentTime() == CurrentTime() && pieces_[piece]->Status() == status) continue;
    throw ModelError({.component = Caption()},
                     fmt::format("expected all {} to be at the same time, found that {} is not where {} is",
                                 names_.many, names_.Of(piece), names_.Of(0)),
                     fmt::format("let all {} make the same steps", names_.many));
  }
  return status == LinkableComponentStatus::Done             ? UpdateResult::Done
         : status == LinkableComponentStatus::WaitingForData ? UpdateResult::Waiting
                                                             : UpdateResult::Updated;
}

void JoinedComponent::OnFinish() {
  OnAll([](std::size_t, IsolatedComponent& piece) { piece.Finish(); });
}

Problems JoinedComponent::Remarks() const {
  Problems all;
  for (const IsolatedComponent* piece : pieces_) {
    for (Problem& remark : piece->Remarks()) {
      const bool is_known =
          std::ranges::any_of(all, [&](const Problem& other) { return other.problem == remark.problem; });
      if (!is_known) all.push_back(std::move(remark));
    }
  }
  return all;
}

const StateAbility& JoinedComponent::AbilityOfStates() {
  IBaseLinkableComponent& first = *loaded_[0].component;
  ability_ = AbilityOf(first);
  ability_.in_memory = ability_.in_memory && dynamic_cast<IManageState*>(&first) != nullptr;
  ability_.as_bytes = ability_.as_bytes && ability_.in_memory && dynamic_cast<IByteStateConverter*>(&first) != nullptr;
  return ability_;
}

JoinedComponent::Kept& JoinedComponent::Find(const IIdentifiable& state_id) {
  const auto found = states_.find(state_id.Id());
  if (found != states_.end()) return found->second;
  throw ArgumentError({.component = Caption()}, fmt::format("expected a kept state, found '{}'", state_id.Id()));
}

const IIdentifiable& JoinedComponent::Keep(std::vector<std::string> pieces, Bytes rows) {
  const std::string id = fmt::format("state-{}", next_state_++);
  Kept& kept = states_[id];
  kept.id = std::make_unique<Identifier>(id);
  kept.pieces = std::move(pieces);
  kept.rows = std::move(rows);
  return *kept.id;
}

const IIdentifiable& JoinedComponent::KeepCurrentState() {
  std::vector<std::string> ids(pieces_.size());
  OnAll([&](std::size_t number, IsolatedComponent& piece) {
    ids[number] = dynamic_cast<IManageState&>(piece).KeepCurrentState().Id();
  });
  StateWriter rows;
  for (const auto& output : outputs_) output->Save(rows);
  return Keep(std::move(ids), rows.Take());
}

void JoinedComponent::RestoreState(const IIdentifiable& state_id) {
  Kept& kept = Find(state_id);
  OnAll([&](std::size_t number, IsolatedComponent& piece) {
    dynamic_cast<IManageState&>(piece).RestoreState(Identifier(kept.pieces[number]));
  });
  StateReader rows(kept.rows);
  for (const auto& output : outputs_) output->Load(rows);
  has_failed_ = false;
  ResumeUpdated();
}

void JoinedComponent::ClearState(const IIdentifiable& state_id) {
  Kept& kept = Find(state_id);
  OnAll([&](std::size_t number, IsolatedComponent& piece) {
    dynamic_cast<IManageState&>(piece).ClearState(Identifier(kept.pieces[number]));
  });
  states_.erase(std::string(state_id.Id()));
}

Bytes JoinedComponent::ConvertToByteArray(const IIdentifiable& state_id) {
  const Kept& kept = Find(state_id);
  std::vector<Bytes> states(pieces_.size());
  OnAll([&](std::size_t number, IsolatedComponent& piece) {
    states[number] = dynamic_cast<IByteStateConverter&>(piece).ConvertToByteArray(Identifier(kept.pieces[number]));
  });
  StateWriter writer;
  writer.Write(MagicOf(names_));
  writer.Write(static_cast<std::int64_t>(states.size()));
  writer.Write(ByteView(kept.rows));
  for (const Bytes& state : states) writer.Write(ByteView(state));
  return writer.Take();
}

const IIdentifiable& JoinedComponent::ConvertFromByteArray(ByteView bytes) {
  StateReader reader(bytes);
  const std::string again = fmt::format("go on with the number of {} with which the state was kept", names_.many);
  if (reader.ReadText() != MagicOf(names_)) {
    throw FormatError({.component = Caption()},
                      fmt::format("expected the state of a component on several {}, found another", names_.many),
                      again);
  }
  if (const std::int64_t found = reader.ReadInteger(); found != static_cast<std::int64_t>(pieces_.size())) {
    throw FormatError({.component = Caption()},
                      fmt::format("expected a state of {} {}, found one of {}", pieces_.size(), names_.many, found),
                      again);
  }
  const ByteView rows = reader.ReadBytes();
  std::vector<ByteView> states;
  for (std::size_t piece = 0; piece < pieces_.size(); ++piece) states.push_back(reader.ReadBytes());
  reader.RequireEnd();
  std::vector<std::string> ids(pieces_.size());
  OnAll([&](std::size_t number, IsolatedComponent& piece) {
    ids[number] = dynamic_cast<IByteStateConverter&>(piece).ConvertFromByteArray(states[number]).Id();
  });
  return Keep(std::move(ids), Bytes(rows.begin(), rows.end()));
}

}  // namespace openmi
