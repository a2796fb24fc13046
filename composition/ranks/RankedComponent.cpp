#include "composition/ranks/RankedComponent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "composition/proxy/HostCopies.hpp"
#include "composition/ranks/JoinedElements.hpp"
#include "composition/threads/CurrentComponent.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr std::string_view kMagic = "openmi2-ranks";

/// The ids of the items of all ranks: those of rank 0, then what others have beside them.
template <class Items>
std::vector<std::string> IdsOf(const std::vector<IsolatedComponent*>& ranks, Items items) {
  std::vector<std::string> ids;
  for (const IsolatedComponent* rank : ranks) {
    for (const auto* item : items(*rank)) {
      if (std::ranges::find(ids, item->Id()) == ids.end()) ids.push_back(item->Id());
    }
  }
  return ids;
}

/// An item of the ranks that have it.
template <class Item>
struct Pieces {
  std::vector<Item*> items;
  JoinedElements elements;
};

/// \throws LinkError  it holds no numbers by time, or its elements do not fit together
template <class Item, class Items>
Pieces<Item> PiecesOf(const std::vector<IsolatedComponent*>& ranks, Items items, const Where& place) {
  Pieces<Item> pieces;
  std::vector<std::size_t> owners;
  std::vector<const ISpatialDefinition*> parts;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const auto list = items(*ranks[rank]);
    const auto found = std::ranges::find(list, place.item, [](const auto* item) { return item->Id(); });
    if (found == list.end()) continue;
    auto* item = dynamic_cast<Item*>(*found);
    if (item == nullptr) {
      throw LinkError(place, "expected items of numbers with times in a component on several ranks, found another",
                      "leave out Ranks, or the item");
    }
    pieces.items.push_back(item);
    parts.push_back(item->SpatialDefinition());
    owners.push_back(rank);
  }
  pieces.elements = JoinElements(parts, std::move(owners), place);
  return pieces;
}

}  // namespace

RankedComponent::RankedComponent(std::unique_ptr<RankThreads> threads, std::vector<LoadedComponent> pieces)
    : LinkableComponentOf(pieces[0].component->Id()), threads_(std::move(threads)), loaded_(std::move(pieces)) {
  for (const LoadedComponent& loaded : loaded_) {
    pieces_.push_back(&dynamic_cast<IsolatedComponent&>(*loaded.component));
    steps_.push_back(dynamic_cast<const ISteps*>(loaded.component.get()));
    if (steps_.back() != nullptr) continue;
    throw LoadError({.component = Caption()}, "expected a component that states its steps (ISteps), for several ranks");
  }
  SetDescription(pieces_[0]->Description());
  LinkableComponentOf::SetCaption(pieces_[0]->Caption());
}

RankedComponent::~RankedComponent() {
  inputs_.clear();
  outputs_.clear();
  threads_->Run([this](std::size_t rank) { loaded_[rank].Reset(); }, true);
}

void RankedComponent::OnAll(const std::function<void(std::size_t, IsolatedComponent&)>& job) {
  const HostWork talk;  // no code of a component runs on this thread
  for (const auto& input : inputs_) input->BeginCall();
  const auto failures = threads_->Run([&](std::size_t rank) { job(rank, *pieces_[rank]); }, has_failed_);
  if (failures.empty()) return;
  has_failed_ = true;
  ThrowFirst(failures);
}

void RankedComponent::ThrowFirst(const std::vector<RankThreads::Failure>& failures) const {
  auto first = failures.begin();
  const bool has_ended = !pieces_[first->rank]->Process().End().empty();
  if (has_ended) {  // the others followed at once
    const auto is_first = [this](const RankThreads::Failure& failure) {
      return pieces_[failure.rank]->Process().EndedFirst();
    };
    const auto found = std::ranges::find_if(failures, is_first);
    if (found != failures.end()) first = found;
  }
  try {
    std::rethrow_exception(first->error);
  } catch (const Error& error) {
    if (has_ended) throw;  // names the rank
    throw ModelError(error.Place(), fmt::format("rank {} of {}: {}", first->rank, pieces_.size(), error.Problem()),
                     error.Remedy());
  } catch (const std::exception& error) {
    throw ModelError({.component = Caption()},
                     fmt::format("rank {} of {}: {}", first->rank, pieces_.size(), error.what()));
  }
}

void RankedComponent::SetCaption(const std::string& caption) {
  LinkableComponentOf::SetCaption(caption);
  for (IsolatedComponent* piece : pieces_) piece->SetCaption(caption);
}

void RankedComponent::ShareArguments() {
  for (std::size_t rank = 1; rank < pieces_.size(); ++rank) {
    for (std::size_t i = 0; i < Arguments().size(); ++i) {  // setting one may add others
      const auto others = pieces_[rank]->Arguments();
      const std::string text = Arguments()[i]->ValueAsString();
      if (i >= others.size() || others[i]->IsReadOnly() || others[i]->ValueAsString() == text) continue;
      others[i]->SetValueAsString(text);
    }
  }
}

void RankedComponent::OnInitialize() {
  ShareArguments();
  pieces_[0]->SetOnArgument([this](std::size_t number, const std::string* text, const Value* value) {
    for (std::size_t rank = 1; rank < pieces_.size(); ++rank) pieces_[rank]->SetArgument(number, text, value);
  });
  OnAll([](std::size_t, IsolatedComponent& piece) { piece.Initialize(); });
  MakeItems();
}

void RankedComponent::MakeItems() {
  inputs_.clear();
  outputs_.clear();
  const auto inputs_of = [](const IsolatedComponent& piece) { return piece.Inputs(); };
  const auto outputs_of = [](const IsolatedComponent& piece) { return piece.Outputs(); };
  for (const std::string& id : IdsOf(pieces_, inputs_of)) {
    auto [pieces, elements] = PiecesOf<NumericInput>(pieces_, inputs_of, PlaceOf(id));
    NumericInput& first = *pieces[0];
    NumericInput& whole = TakeInput(
        std::make_unique<NumericInput>(id, HostCopyOf(first.ValueDefinition()), elements.where, this, first.Asks()));
    whole.EditTimeSet() = first.EditTimeSet();
    whole.SetCaption(first.Caption());
    whole.SetDescription(first.Description());
    inputs_.push_back(std::make_unique<RankedInput>(whole, std::move(pieces), std::move(elements), *threads_));
  }
  for (const std::string& id : IdsOf(pieces_, outputs_of)) {
    auto [pieces, elements] = PiecesOf<NumericOutput>(pieces_, outputs_of, PlaceOf(id));
    NumericOutput& first = *pieces[0];
    NumericOutput& whole = TakeOutput(
        std::make_unique<NumericOutput>(id, HostCopyOf(first.ValueDefinition()), elements.where, this, first.Gives()));
    const ITime& horizon = first.TimeSet()->TimeHorizon();
    const Stamp begin{horizon.StampAsModifiedJulianDay()};
    whole.SetHorizon(begin, begin + Days{horizon.DurationInDays()});
    whole.SetCaption(first.Caption());
    whole.SetDescription(first.Description());
    outputs_.push_back(std::make_unique<RankedOutput>(whole, std::move(pieces), std::move(elements)));
  }
}

bool RankedComponent::OnValidate(std::vector<std::string>& messages) {
  std::vector<std::vector<std::string>> said(pieces_.size());
  OnAll([&](std::size_t rank, IsolatedComponent& piece) { said[rank] = piece.Validate(); });
  bool is_valid = true;
  for (std::size_t rank = 0; rank < pieces_.size(); ++rank) {
    for (const std::string& message : said[rank]) {
      if (std::ranges::find(messages, message) == messages.end()) messages.push_back(message);
    }
    is_valid = is_valid && pieces_[rank]->Status() == LinkableComponentStatus::Valid;
  }
  return is_valid;
}

void RankedComponent::ExpectRestore() {
  for (IsolatedComponent* piece : pieces_) piece->ExpectRestore();
}

void RankedComponent::OnPrepare() {
  OnAll([](std::size_t, IsolatedComponent& piece) { piece.Prepare(); });
  for (const auto& output : outputs_) output->Collect();
}

void RankedComponent::OnPrepared() {
  for (const auto& output : outputs_) output->Whole().Refresh();
}

UpdateResult RankedComponent::OnUpdate(std::span<IBaseOutput* const>) {
  OnAll([](std::size_t, IsolatedComponent& piece) { piece.Update({}); });
  fresh_.clear();
  for (const auto& output : outputs_) {
    if (output->Collect()) fresh_.push_back(&output->Whole());
  }
  for (NumericOutput* output : fresh_) output->Refresh();
  const LinkableComponentStatus status = pieces_[0]->Status();
  for (std::size_t rank = 1; rank < pieces_.size(); ++rank) {
    if (steps_[rank]->CurrentTime() == CurrentTime() && pieces_[rank]->Status() == status) continue;
    throw ModelError(
        {.component = Caption()},
        fmt::format("expected all ranks to be at the same time, found that rank {} is not where rank 0 is", rank),
        "let all ranks make the same steps");
  }
  return status == LinkableComponentStatus::Done             ? UpdateResult::Done
         : status == LinkableComponentStatus::WaitingForData ? UpdateResult::Waiting
                                                             : UpdateResult::Updated;
}

void RankedComponent::OnFinish() {
  OnAll([](std::size_t, IsolatedComponent& piece) { piece.Finish(); });
}

Problems RankedComponent::Remarks() const {
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

const StateAbility& RankedComponent::AbilityOfStates() {
  IBaseLinkableComponent& first = *loaded_[0].component;
  ability_ = AbilityOf(first);
  ability_.in_memory = ability_.in_memory && dynamic_cast<IManageState*>(&first) != nullptr;
  ability_.as_bytes = ability_.as_bytes && ability_.in_memory && dynamic_cast<IByteStateConverter*>(&first) != nullptr;
  return ability_;
}

RankedComponent::Kept& RankedComponent::Find(const IIdentifiable& state_id) {
  const auto found = states_.find(state_id.Id());
  if (found != states_.end()) return found->second;
  throw ArgumentError({.component = Caption()}, fmt::format("expected a kept state, found '{}'", state_id.Id()));
}

const IIdentifiable& RankedComponent::Keep(std::vector<std::string> pieces, Bytes rows) {
  const std::string id = fmt::format("state-{}", next_state_++);
  Kept& kept = states_[id];
  kept.id = std::make_unique<Identifier>(id);
  kept.pieces = std::move(pieces);
  kept.rows = std::move(rows);
  return *kept.id;
}

const IIdentifiable& RankedComponent::KeepCurrentState() {
  std::vector<std::string> ids(pieces_.size());
  OnAll([&](std::size_t rank, IsolatedComponent& piece) {
    ids[rank] = dynamic_cast<IManageState&>(piece).KeepCurrentState().Id();
  });
  StateWriter rows;
  for (const auto& output : outputs_) output->Save(rows);
  return Keep(std::move(ids), rows.Take());
}

void RankedComponent::RestoreState(const IIdentifiable& state_id) {
  Kept& kept = Find(state_id);
  OnAll([&](std::size_t rank, IsolatedComponent& piece) {
    dynamic_cast<IManageState&>(piece).RestoreState(Identifier(kept.pieces[rank]));
  });
  StateReader rows(kept.rows);
  for (const auto& output : outputs_) output->Load(rows);
  has_failed_ = false;
  ResumeUpdated();
}

void RankedComponent::ClearState(const IIdentifiable& state_id) {
  Kept& kept = Find(state_id);
  OnAll([&](std::size_t rank, IsolatedComponent& piece) {
    dynamic_cast<IManageState&>(piece).ClearState(Identifier(kept.pieces[rank]));
  });
  states_.erase(std::string(state_id.Id()));
}

Bytes RankedComponent::ConvertToByteArray(const IIdentifiable& state_id) {
  const Kept& kept = Find(state_id);
  std::vector<Bytes> parts(pieces_.size());
  OnAll([&](std::size_t rank, IsolatedComponent& piece) {
    parts[rank] = dynamic_cast<IByteStateConverter&>(piece).ConvertToByteArray(Identifier(kept.pieces[rank]));
  });
  StateWriter writer;
  writer.Write(kMagic);
  writer.Write(static_cast<std::int64_t>(parts.size()));
  writer.Write(ByteView(kept.rows));
  for (const Bytes& part : parts) writer.Write(ByteView(part));
  return writer.Take();
}

const IIdentifiable& RankedComponent::ConvertFromByteArray(ByteView bytes) {
  StateReader reader(bytes);
  if (reader.ReadText() != kMagic) {
    throw FormatError({.component = Caption()}, "expected the state of a component on several ranks, found another");
  }
  if (const std::int64_t ranks = reader.ReadInteger(); ranks != static_cast<std::int64_t>(pieces_.size())) {
    throw FormatError({.component = Caption()},
                      fmt::format("expected a state of {} ranks, found one of {}", pieces_.size(), ranks),
                      "go on with the number of ranks with which the state was kept");
  }
  const ByteView rows = reader.ReadBytes();
  std::vector<ByteView> parts;
  for (std::size_t rank = 0; rank < pieces_.size(); ++rank) parts.push_back(reader.ReadBytes());
  reader.RequireEnd();
  std::vector<std::string> ids(pieces_.size());
  OnAll([&](std::size_t rank, IsolatedComponent& piece) {
    ids[rank] = dynamic_cast<IByteStateConverter&>(piece).ConvertFromByteArray(parts[rank]).Id();
  });
  return Keep(std::move(ids), Bytes(rows.begin(), rows.end()));
}

BalanceTerms RankedBalance::Balance() const {
  BalanceTerms sum;
  for (const IsolatedComponent* piece : Pieces()) {
    const BalanceTerms terms = dynamic_cast<const IBalance&>(*piece).Balance();
    sum.storage += terms.storage;
    sum.in += terms.in;
    sum.out += terms.out;
    sum.losses += terms.losses;
  }
  return sum;
}

std::string RankedBalance::BalanceUnit() const {
  return dynamic_cast<const IBalance&>(*Pieces()[0]).BalanceUnit();
}

double RankedBalance::BalanceArea() const {
  double area = 0.0;
  for (const IsolatedComponent* piece : Pieces()) area += dynamic_cast<const IBalance&>(*piece).BalanceArea();
  return area;
}

}  // namespace openmi
