#include "composition/joined/PartedPopulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "composition/threads/CurrentComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"

namespace openmi {
namespace {

constexpr const char* kPart = "member-part";
constexpr const char* kRows = "member-rows";

/// The numbers of the rows of a part, of which each item has one element or more.
std::vector<std::size_t> RowsOf(const IsolatedComponent& piece) {
  const auto arguments = piece.Arguments();
  const auto found = std::ranges::find(arguments, kRows, [](const IArgument* one) { return one->Id(); });
  std::size_t most = 0;
  const auto count = [&most](const IBaseExchangeItem* one) {
    const auto* item = dynamic_cast<const ITimeSpaceExchangeItem*>(one);
    const ISpatialDefinition* where = item != nullptr ? item->SpatialDefinition() : nullptr;
    most = std::max(most, where != nullptr ? static_cast<std::size_t>(where->ElementCount()) : std::size_t{1});
  };
  std::ranges::for_each(piece.Inputs(), count);
  std::ranges::for_each(piece.Outputs(), count);
  const std::string text = found != arguments.end() ? (*found)->ValueAsString() : std::string();
  return RowsOfRanges(text, most, {.component = piece.Caption(), .item = kRows});
}

}  // namespace

std::vector<std::size_t> RowsOfRanges(std::string_view text, std::size_t most, const Where& place) {
  std::vector<std::size_t> rows;
  for (const std::string& range : Split(text)) {
    const std::size_t sign = std::min(range.find('-'), range.size());
    const auto first = AsNumber<std::size_t>(range.substr(0, sign));
    const auto last = sign < range.size() ? AsNumber<std::size_t>(range.substr(sign + 1)) : first;
    if (!first || !last || *last < *first || *last - *first >= most - rows.size()) {
      throw FormatError(place,
                        fmt::format("expected ranges of {} rows at most, as many as items of the part have elements, "
                                    "found {}",
                                    most, Quoted(range)),
                        "use the same version of openmi for all parts");
    }
    for (std::size_t row = *first; row - *first <= *last - *first; ++row) rows.push_back(row);
  }
  return rows;
}

PartedPopulation::PartedPopulation(std::unique_ptr<JoinedThreads> threads, std::vector<LoadedComponent> pieces,
                                   std::vector<std::string> groups)
    : JoinedComponent(kPartNames, std::move(threads), std::move(pieces)), groups_(std::move(groups)) {
  for (const char* id : {kPart, kRows}) ArgumentItems().AddPlain(id, {.value = "", .read_only = true});
}

std::span<IArgument* const> PartedPopulation::Arguments() const {
  shown_.clear();
  for (IArgument* argument : JoinedComponent::Arguments()) {
    const auto own = LinkableComponentOf::Arguments();
    const auto found = std::ranges::find(own, argument->Id(), [](const IArgument* one) { return one->Id(); });
    shown_.push_back(found != own.end() ? *found : argument);
  }
  return shown_;
}

void PartedPopulation::AddProcesses(std::vector<IsolatedProcess*>& processes) const {
  for (IsolatedProcess* process : Processes()) processes.push_back(process);
}

void PartedPopulation::SetThreads(std::size_t threads) {
  for (IsolatedComponent* piece : Pieces()) piece->SetThreads(threads);
}

std::string PartedPopulation::NameOf(std::size_t piece) const {
  return fmt::format("{} (group '{}')", JoinedComponent::NameOf(piece), groups_[piece]);
}

void PartedPopulation::MakeItems() {
  rows_.clear();
  for (const IsolatedComponent* piece : Pieces()) rows_.push_back(RowsOf(*piece));
  JoinedComponent::MakeItems();
}

void PartedPopulation::SendRequests() {
  const HostWork talk;  // no code of a component runs on this thread
  BeginCall();
  is_asked_.clear();
  for (IsolatedComponent* piece : Pieces()) is_asked_.push_back(piece->BeginUpdate());
  is_begun_ = true;
}

bool PartedPopulation::BeginUpdate() {
  if (Status() == LinkableComponentStatus::Done || Status() == LinkableComponentStatus::Updating) return false;
  SendRequests();
  return true;
}

void PartedPopulation::EndUpdate() {
  if (is_begun_) Update({});
}

void PartedPopulation::UpdatePieces() {
  const HostWork talk;
  if (!is_begun_) SendRequests();
  is_begun_ = false;
  std::vector<JoinedThreads::Failure> failures;
  for (std::size_t piece = 0; piece < Pieces().size(); ++piece) {
    try {
      if (is_asked_[piece]) Pieces()[piece]->EndUpdate();
    } catch (...) {
      failures.push_back({piece, std::current_exception()});
    }
  }
  if (!failures.empty()) ThrowFirst(failures);
}

}  // namespace openmi
