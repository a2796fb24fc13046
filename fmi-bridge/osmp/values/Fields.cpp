#include "fmi-bridge/osmp/values/Fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>

#include "fmi-bridge/osmp/schema/MessageType.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/system/ChildTrial.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::osi {
namespace {

constexpr std::size_t kMostNamed = 10;  // ids in a remark

}  // namespace

Fields::Fields()
    : StatefulSteppingComponent("osi-fields", "PT0.02S"),
      arguments_(AddFieldArguments(
          ArgumentItems(), "the outputs, as paths between blanks: `x=moving_object[*].base.position.x`",
          "ids of the elements, whether they are in a message or not; none: those in the message", false)) {
  SetDescription("fields of OSI messages as numbers");
  SetRestartable(true);
}

void Fields::Setup() {
  const std::string file = arguments_.table_file.Value();
  schema_ = SchemaOf(file.empty() ? file : PathOf(file));
  const std::string message = arguments_.message.Value();
  fields_ = ParseFields(*schema_, message, arguments_.fields.Value(), "fields");
  ids_ = ParseIds(arguments_.objects.Value(), "objects");
  std::vector<FieldPath> paths;
  for (const NamedField& field : fields_) paths.push_back(field.path);
  table_.emplace(*schema_, message, paths);
  lists_.assign(table_->ListCount(), {});
  for (std::size_t list = 0; list < lists_.size(); ++list) {
    lists_[list].elements = std::make_shared<ObjectElements>(table_->ListText(list));
    lists_[list].elements->Set(ids_);
  }
  input_ = &AddItem<ValueInput>("message", MessageDefinition(message));
  outputs_.clear();
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const FieldPath& path = fields_[i].path;
    const std::size_t list = table_->ListOf(i);
    std::shared_ptr<const ISpatialDefinition> where;
    if (list != FieldTable::kNoList) where = lists_[list].elements;
    outputs_.push_back(&AddOutput(fields_[i].item, path.unit.empty() ? "1" : path.unit, std::move(where),
                                  {.description = path.text, .initial = kNotANumber})
                            .Item());
  }
}

void Fields::Start(Stamp) {
  source_ = SourceOf(*input_);
  is_resumed_ = false;
  for (List& list : lists_) {
    list.seen.assign(ids_.size(), false);
    list.there.clear();
  }
  RequireProvider(*input_);
  RequireLinkedMessage(*input_, arguments_.message.Value());
}

Stamp Fields::StepEnd(Stamp now) const {
  const Stamp next = NextMessage(*input_, source_, now);
  return next != kFarFuture ? next : WholeStepEnd();
}

void Fields::Step(Stamp, Stamp to) {
  input_->Pull(to);
  const Message message = input_->GetBytes(0);
  if (message.empty()) return ShowMissing();
  try {
    table_->Read(message);
  } catch (const WireError& error) {
    throw ModelError({.component = Caption(), .item = "message"},
                     fmt::format("expected a {}, found {} bytes that are none: {}", arguments_.message.Value(),
                                 message.size(), error.what()),
                     "check the argument 'message', and the component that gives the bytes");
  }
  Show();
}

void Fields::ShowMissing() {
  if (ids_.empty()) {
    for (List& list : lists_) list.elements->Set({});
  }
  for (NumericOutput* output : outputs_) std::ranges::fill(output->NextRow(), kNotANumber);
}

// Finds the row of each element in the table; mostly it is the same as the last time.
void Fields::FindRows(std::size_t index) {
  List& list = lists_[index];
  const std::span<const std::uint64_t> found = table_->Ids(index);
  list.rows.resize(ids_.size(), 0);
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    std::size_t& row = list.rows[i];
    if (row < found.size() && found[row] == ids_[i]) continue;
    row = static_cast<std::size_t>(std::ranges::find(found, ids_[i]) - found.begin());
  }
  if (std::ranges::find(list.seen, false) != list.seen.end()) NoteIds(list, found);
}

void Fields::NoteIds(List& list, std::span<const std::uint64_t> found) {
  for (std::size_t i = 0; i < ids_.size(); ++i) list.seen[i] = list.seen[i] || list.rows[i] < found.size();
  for (std::size_t i = 0; i < found.size() && list.there.size() < kMostNamed; ++i) {
    if (found[i] != FieldTable::kNoId) list.there.insert(found[i]);
  }
}

Problems Fields::Remarks() const {
  Problems remarks;
  if (is_resumed_) return remarks;  // what the messages before had is not known
  for (std::size_t index = 0; index < lists_.size(); ++index) {
    const List& list = lists_[index];
    std::vector<std::uint64_t> missing;
    for (std::size_t i = 0; i < list.seen.size(); ++i) {
      if (!list.seen[i]) missing.push_back(ids_[i]);
    }
    if (missing.empty() || !table_->HasIds(index)) continue;
    const std::string there = fmt::format("{}", fmt::join(list.there, ", "));
    AddWarning(remarks, {.item = "objects"},
               fmt::format("expected objects of {} that the messages have, found that none has the objects {}; there "
                           "are {}",
                           table_->ListText(index), fmt::join(missing, ", "), there.empty() ? "none" : there),
               "correct the ids");
  }
  return remarks;
}

void Fields::Show() {
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    List& list = lists_[i];
    std::span<const std::uint64_t> ids = table_->Ids(i);
    if (!table_->HasIds(i)) {  // identified by their positions
      while (list.places.size() < table_->Count(i)) list.places.push_back(list.places.size());
      ids = std::span(list.places).first(table_->Count(i));
    }
    if (!ids_.empty() && table_->HasIds(i)) {
      FindRows(i);
    } else if (list.elements->Set(ids)) {
      std::unordered_set<std::uint64_t> seen;
      for (const std::uint64_t id : ids) {
        if (seen.insert(id).second) continue;
        throw ModelError({.component = Caption(), .item = table_->ListText(i)},
                         id == FieldTable::kNoId ? std::string("expected objects with ids, found several without")
                                                 : fmt::format("expected each id once, found {} again", id),
                         "check the component that gives the messages, or name the objects wanted in 'objects'");
      }
    }
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const std::span<const double> column = table_->Column(i);
    const std::size_t list = table_->ListOf(i);
    const std::span<double> row = outputs_[i]->NextRow();
    if (list == FieldTable::kNoList || ids_.empty() || !table_->HasIds(list)) {
      std::ranges::copy(column, row.begin());
      continue;
    }
    for (std::size_t element = 0; element < row.size(); ++element) {
      const std::size_t from = lists_[list].rows[element];
      row[element] = from < column.size() ? column[from] : kNotANumber;
    }
  }
}

void Fields::SaveState(StateWriter& writer) const {
  writer.Write(NumberOfThisProcess());
  for (const List& list : lists_) writer.Write(std::as_bytes(list.elements->Ids()));
}

void Fields::LoadState(StateReader& reader) {
  // A loop that is iterated goes back in the same process, where what was seen stays known.
  if (reader.ReadInteger() != NumberOfThisProcess()) is_resumed_ = true;
  for (List& list : lists_) {
    const ByteView bytes = reader.ReadBytes();
    std::vector<std::uint64_t> ids(bytes.size() / sizeof(std::uint64_t));
    if (!ids.empty()) std::memcpy(ids.data(), bytes.data(), ids.size() * sizeof(std::uint64_t));
    list.elements->Set(ids);
  }
}

}  // namespace openmi::osi
