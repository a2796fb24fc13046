#include "composition/ranks/RankedOutput.hpp"

#include <fmt/format.h>

#include <utility>

#include "composition/proxy/HostCopies.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {

RankedOutput::RankedOutput(NumericOutput& whole, std::vector<NumericOutput*> pieces, JoinedElements elements)
    : whole_(whole), pieces_(std::move(pieces)), elements_(std::move(elements)) {
  for (NumericOutput* piece : pieces_) {
    parts_.push_back(piece->SpatialDefinition());
    keepers_.push_back(std::make_unique<NumericInput>(
        whole_.Id(), HostCopyOf(piece->ValueDefinition()), piece->SharedPlaces(), nullptr,
        piece->Gives() == OutputTime::Span ? InputTime::Span : InputTime::Instant));
    piece->AddConsumer(*keepers_.back());
  }
}

RankedOutput::~RankedOutput() {
  for (std::size_t part = 0; part < pieces_.size(); ++part) pieces_[part]->RemoveConsumer(*keepers_[part]);
}

void RankedOutput::CollectPlaces() {
  bool have_changed = false;
  for (std::size_t part = 0; part < pieces_.size(); ++part) {
    const ISpatialDefinition* now = pieces_[part]->SpatialDefinition();
    have_changed = have_changed || now != parts_[part];
    parts_[part] = now;
  }
  if (!have_changed) return;
  const Where place{.component = whole_.Component()->Caption(), .item = whole_.Id()};
  JoinedElements moved = JoinElements(parts_, elements_.ranks, place);
  if (moved.places != elements_.places) {
    throw ModelError(place, "expected the same elements on each rank as before, found others",
                     "elements may move, and must not go from one rank to another");
  }
  whole_.SetSpatialDefinition(moved.where);
}

std::span<const double> RankedOutput::RowOf(std::size_t part, Stamp end) const {
  const RowHistory& rows = pieces_[part]->History();
  const std::size_t at = rows.LastEndingBy(end);
  const std::size_t count = elements_.places[part].size();
  if (at < rows.Count() && !Before(rows.End(at), end) && rows.Row(at).size() == count) return rows.Row(at);
  throw ModelError(
      {.component = whole_.Component()->Caption(), .item = whole_.Id()},
      fmt::format("expected all ranks to publish {} values at {}, as rank {} does, found that rank {} does "
                  "not",
                  count, FormatIsoTime(end), elements_.ranks[0], elements_.ranks[part]),
      "let all ranks make the same steps");
}

bool RankedOutput::Collect() {
  CollectPlaces();
  const RowHistory& lead = pieces_[0]->History();
  whole_.SetTimeless(lead.IsTimeless());
  bool is_new = false;
  for (std::size_t number = 0; number < lead.Count(); ++number) {
    const Stamp end = lead.End(number);
    if (!Before(whole_.LatestEnd(), end)) continue;
    const std::span<double> row = whole_.NextRow();
    for (std::size_t part = pieces_.size(); part-- > 0;) {  // the lowest rank comes last
      const std::span<const double> piece = RowOf(part, end);
      const std::vector<std::size_t>& places = elements_.places[part];
      for (std::size_t i = 0; i < piece.size(); ++i) row[places[i]] = piece[i];
    }
    whole_.PublishAt(lead.Begin(number), lead.Duration(number));
    is_new = true;
  }
  for (const auto& keeper : keepers_) keeper->MoveHorizon(whole_.LatestEnd());
  return is_new;
}

void RankedOutput::Save(StateWriter& writer) const {
  WriteRows(writer, whole_.History());
}

void RankedOutput::Load(StateReader& reader) {
  whole_.RestoreRows(ReadRows(reader, whole_.ElementCount()));
  for (const auto& keeper : keepers_) keeper->MoveHorizon(whole_.LatestEnd());
}

}  // namespace openmi
