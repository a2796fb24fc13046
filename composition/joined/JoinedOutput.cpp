#include "composition/joined/JoinedOutput.hpp"

#include <fmt/format.h>

#include <utility>

#include "composition/proxy/HostCopies.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {

JoinedOutput::JoinedOutput(NumericOutput& whole, std::vector<NumericOutput*> pieces, JoinedElements elements, Join join,
                           const PieceNames& names)
    : whole_(whole), pieces_(std::move(pieces)), elements_(std::move(elements)), join_(std::move(join)), names_(names) {
  for (NumericOutput* piece : pieces_) {
    where_.push_back(piece->SpatialDefinition());
    keepers_.push_back(std::make_unique<NumericInput>(
        whole_.Id(), HostCopyOf(piece->ValueDefinition()), piece->SharedPlaces(), nullptr,
        piece->Gives() == OutputTime::Span ? InputTime::Span : InputTime::Instant));
    piece->AddConsumer(*keepers_.back());
  }
}

JoinedOutput::~JoinedOutput() {
  for (std::size_t piece = 0; piece < pieces_.size(); ++piece) pieces_[piece]->RemoveConsumer(*keepers_[piece]);
}

void JoinedOutput::CollectPlaces() {
  bool have_changed = false;
  for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
    const ISpatialDefinition* now = pieces_[piece]->SpatialDefinition();
    have_changed = have_changed || now != where_[piece];
    where_[piece] = now;
  }
  if (!have_changed) return;
  const Where place{.component = whole_.Component()->Caption(), .item = whole_.Id()};
  JoinedElements moved = join_(where_, elements_.pieces, place);
  if (moved.places != elements_.places) {
    throw ModelError(
        place, fmt::format("expected each of the {} to have the same elements as before, found others", names_.many),
        fmt::format("elements may move, and must not go from one {} to another", names_.one));
  }
  whole_.SetSpatialDefinition(moved.where);
}

std::span<const double> JoinedOutput::RowOf(std::size_t piece, Stamp end) const {
  const RowHistory& rows = pieces_[piece]->History();
  const std::size_t at = rows.LastEndingBy(end);
  const std::size_t count = elements_.places[piece].size();
  if (at < rows.Count() && !Before(rows.End(at), end) && rows.Row(at).size() == count) return rows.Row(at);
  throw ModelError(
      {.component = whole_.Component()->Caption(), .item = whole_.Id()},
      fmt::format("expected all {} to publish {} values at {}, as {} does, found that {} does not", names_.many, count,
                  FormatIsoTime(end), names_.Of(elements_.pieces[0]), names_.Of(elements_.pieces[piece])),
      fmt::format("let all {} make the same steps", names_.many));
}

bool JoinedOutput::Collect() {
  CollectPlaces();
  const RowHistory& lead = pieces_[0]->History();
  whole_.SetTimeless(lead.IsTimeless());
  bool is_new = false;
  for (std::size_t number = 0; number < lead.Count(); ++number) {
    const Stamp end = lead.End(number);
    if (!Before(whole_.LatestEnd(), end)) continue;
    const std::span<double> row = whole_.NextRow();
    for (std::size_t piece = pieces_.size(); piece-- > 0;) {  // the lowest one comes last
      const std::span<const double> own = RowOf(piece, end);
      const std::vector<std::size_t>& places = elements_.places[piece];
      for (std::size_t i = 0; i < own.size(); ++i) row[places[i]] = own[i];
    }
    whole_.PublishAt(lead.Begin(number), lead.Duration(number));
    is_new = true;
  }
  for (const auto& keeper : keepers_) keeper->MoveHorizon(whole_.LatestEnd());
  return is_new;
}

void JoinedOutput::Save(StateWriter& writer) const {
  WriteRows(writer, whole_.History());
}

void JoinedOutput::Load(StateReader& reader) {
  whole_.RestoreRows(ReadRows(reader, whole_.ElementCount()));
  for (const auto& keeper : keepers_) keeper->MoveHorizon(whole_.LatestEnd());
}

}  // namespace openmi
