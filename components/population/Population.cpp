#include "components/population/Population.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "components/population/PopulationPart.hpp"
#include "components/population/RowProblems.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "openmi/sdk/Dimension.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IArgumentMeaning.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/standard/IByteStateConverter.hpp"
#include "openmi/standard/IManageState.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

using population::Edge;
using population::MemberMaker;
using population::RowProblems;
using population::RowTable;

constexpr std::size_t kMostFailures = 10'000;  // rows; more are not tried
constexpr int kOfAnotherPart = -2;

std::unique_ptr<const IValueDefinition> DefinitionOf(const IValueDefinition& definition) {
  const auto* const given = dynamic_cast<const IQuantity*>(&definition);
  if (given == nullptr) {
    throw ArgumentError(
        {.item = "member-omi"},
        fmt::format("expected items of numbers with a unit, found '{}' of categories", definition.Caption()),
        "write a Component for each row");
  }
  const IQuantity& quantity = *given;
  const IUnit& unit = quantity.Unit();
  auto copy = std::make_unique<Quantity>(
      Unit(unit.Caption(), unit.ConversionFactorToSI(), unit.OffSetToSI(), CopyOf(unit.Dimension())),
      quantity.Caption(), quantity.MissingDataValue(), quantity.ValueType().kind);
  copy->SetDescription(quantity.Description());
  return copy;
}

std::string UnitOf(const IBaseExchangeItem& item) {
  const auto* quantity = dynamic_cast<const IQuantity*>(&item.ValueDefinition());
  return quantity != nullptr ? quantity->Unit().Caption() : std::string();
}

/// The difference of an item to that of the first member; empty if there is none.
std::string DifferenceOf(const std::string& id, std::size_t width, int time, const std::string& unit,
                         const std::string& first_id, std::size_t first_width, int first_time,
                         const std::string& first_unit) {
  if (id != first_id) return fmt::format("the item '{}' as that of the first row, found '{}'", first_id, id);
  if (width != first_width)
    return fmt::format("{} values of '{}' as of the first row, found {}", first_width, id, width);
  if (time != first_time) return fmt::format("'{}' at the same times as of the first row", id);
  if (unit != first_unit) return fmt::format("'{}' in '{}' as of the first row, found '{}'", id, first_unit, unit);
  return {};
}

std::string DifferenceOf(const IMember& first, const IMember& member) {
  const auto inputs = member.MemberInputs();
  const auto outputs = member.MemberOutputs();
  if (inputs.size() != first.MemberInputs().size() || outputs.size() != first.MemberOutputs().size()) {
    return fmt::format("{} inputs and {} outputs as of the first row, found {} and {}", first.MemberInputs().size(),
                       first.MemberOutputs().size(), inputs.size(), outputs.size());
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const NumericInput& one = *first.MemberInputs()[i];
    const std::string difference =
        DifferenceOf(inputs[i]->IdText(), inputs[i]->ElementCount(), static_cast<int>(inputs[i]->Asks()),
                     UnitOf(*inputs[i]), one.IdText(), one.ElementCount(), static_cast<int>(one.Asks()), UnitOf(one));
    if (!difference.empty()) return difference;
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const NumericOutput& one = *first.MemberOutputs()[i];
    const std::string difference =
        DifferenceOf(outputs[i]->IdText(), outputs[i]->ElementCount(), static_cast<int>(outputs[i]->Gives()),
                     UnitOf(*outputs[i]), one.IdText(), one.ElementCount(), static_cast<int>(one.Gives()), UnitOf(one));
    if (!difference.empty()) return difference;
  }
  return {};
}

/// What a member states of its balance; all 0 if it states none.
BalanceTerms BalanceOf(const LoadedComponent& member) {
  const auto* balance = dynamic_cast<const IBalance*>(member.component.get());
  return balance != nullptr ? balance->Balance() : BalanceTerms();
}

/// The lines of an argument, and their parts between tabs.
std::vector<std::vector<std::string>> LinesOf(const std::string& text, std::size_t parts) {
  std::vector<std::vector<std::string>> lines;
  for (const std::string& line : Split(text, "\n")) {
    std::vector<std::string>& cells = lines.emplace_back();
    for (std::size_t begin = 0; begin <= line.size();) {
      const std::size_t end = std::min(line.find('\t', begin), line.size());
      cells.emplace_back(Trimmed(std::string_view(line).substr(begin, end - begin)));
      begin = end + 1;
    }
    cells.resize(std::max(parts, cells.size()));
  }
  return lines;
}

}  // namespace

Population::Population() : StatefulSteppingComponent("population") {
  SetDescription("a component for each row of a table");
  SetRestartable(true);
  omi_ = AddArgument<std::string>("member-omi", {.caption = "OMI file of the members",
                                                 .description = "its arguments become arguments of the population",
                                                 .meaning = ArgumentMeaning::Library});
  table_file_ = AddArgument<std::string>("member-table", {.caption = "table with a row for each member",
                                                          .description = "CSV, GeoJSON, GeoPackage, shapefile",
                                                          .meaning = ArgumentMeaning::Path});
  layer_ =
      ArgumentItems().AddPlain("member-layer", {.caption = "layer of that file", .description = "empty: the only one"});
  key_ = ArgumentItems().AddPlain("member-key", {.caption = "column with the keys: the ids of the elements"});
  further_tables_ = ArgumentItems().AddText(
      "member-tables", {.caption = "further tables",
                        .description = "a line each: id, file, layer, key, between tabs; columns are called id.column",
                        .value = "",
                        .meaning = ArgumentMeaning::Path});
  networks_ = ArgumentItems().AddText(
      "member-networks",
      {.caption = "links of the population to itself",
       .description = "a line each, between tabs: output, input, and a column with the key downstream; or output, "
                      "input, empty, file, layer, and the columns from, to and weight (which may be empty)",
       .value = "",
       .meaning = ArgumentMeaning::Path});
  parts_ = ArgumentItems().AddPlain(
      "member-parts",
      {.caption = "into how many parts the rows are divided", .description = "empty: one", .value = ""});
  parts_by_ =
      ArgumentItems().AddPlain("member-parts-by", {.caption = "column whose cells keep rows in one part", .value = ""});
  part_ = ArgumentItems().AddPlain(
      "member-part", {.caption = "which of the parts this is", .description = "from 1; empty: the whole", .value = ""});
  part_rows_ = ArgumentItems().AddPlain(
      "member-rows", {.caption = "numbers of the rows of the part, from 0", .value = "", .read_only = true});
  omi_.Item().changed = [this] { ShowMemberArguments(); };
}

Population::~Population() {
  rows_.Clear();
}

void Population::ShowMemberArguments() {
  maker_ = std::make_unique<MemberMaker>(PathOf(omi_.Value()));
  prototype_ = maker_->MakePrototype();
  for (const IArgument* argument : prototype_.component->Arguments()) {
    const std::string id = argument->Id();
    if (argument->IsReadOnly() || ArgumentItems().Find(id) != nullptr) continue;
    std::string description = argument->Description();
    if (const std::string text = DisplayText(*argument); !text.empty()) {
      description += fmt::format("{}the members have '{}'", description.empty() ? "" : "; ", text);
    }
    ArgumentItems().AddText(
        id, {.caption = argument->Caption(), .description = description, .meaning = MeaningOf(*argument)});
    shown_.push_back(id);
  }
  ArgumentItems().SetOwner(Caption());
}

std::string Population::FamilyKey() const {
  return prototype_.component != nullptr ? FamilyKeyOf(members_.empty() ? prototype_ : members_.front()) : "population";
}

void Population::Setup() {
  End();
  ReadTables();
  MakeMembers();
  MakeItems();
  ReadNetworks();
}

void Population::ReadTables() {
  const auto path_of = [this](const std::string& path) { return PathOf(path); };
  table_ = RowTable::Read({path_of(table_file_.Value()), TextOf(layer_), TextOf(key_)});
  for (const auto& line : LinesOf(further_tables_.Value(), 4)) {
    table_->Join(line[0], RowTable::Read({path_of(line[1]), line[2], line[3]}));
  }
  whole_ = nullptr;
  const auto part = population::PopulationPart::Of(parts_.Value(), parts_by_.Value(), part_.Value());
  part_of_ = part.count > 1 ? part.PartOfRows(*table_) : std::vector<std::size_t>();
  if (part.count == 1 || !part.number) return;
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < part_of_.size(); ++row) {
    if (part_of_[row] == *part.number) rows.push_back(row);
  }
  part_rows_.Item().Assign(Value(population::RangesOf(rows)));
  whole_ = table_->Elements();
  table_->Keep(rows);
  part_of_.clear();
}

void Population::MakeMembers() {
  std::vector<MemberMaker::Setting> settings;
  for (const std::string& id : shown_) {
    const ArgumentItem& item = *ArgumentItems().Find(id);
    const bool is_path = item.Meaning() == ArgumentMeaning::Path || item.Meaning() == ArgumentMeaning::Unstated;
    if (item.IsSet()) settings.push_back({id, item.ValueAsString(), is_path});
  }
  for (const char* id : {"start-time", "end-time", "time-step"}) {
    const ArgumentItem& item = *ArgumentItems().Find(id);
    if (item.IsSet() && !item.ValueAsString().empty()) settings.push_back({id, item.ValueAsString()});
  }
  maker_->Begin(*table_, settings, PathOf("."));
  const std::vector<std::string>& keys = table_->Keys();
  RowProblems problems;
  for (std::size_t row = 0; row < keys.size(); ++row) {
    for (const auto& [argument, column] : maker_->MissingOf(row)) {
      problems.Add(keys[row], argument + '\n' + column, fmt::format("expected a value of '{}', found none", column),
                   fmt::format("fill the column, or give a value for empty cells: {{{{{}:value}}}}", column), argument);
    }
  }
  problems.ThrowIfAny({.component = Caption()});
  std::vector<IMember*> driven;
  bool are_safe = true;
  members_.reserve(keys.size());
  memory_ = std::make_unique<StepMemory>();
  const StepMemory::Use use(*memory_);
  for (std::size_t row = 0; row < keys.size(); ++row) {
    LoadedComponent made;
    try {
      made = maker_->Make(row, Caption() + "/" + keys[row]);
      made.component->Initialize();
    } catch (const LoadError&) {
      throw;  // the same for all rows
    } catch (const std::exception& error) {
      problems.Add(keys[row], error);
      if (problems.Count() >= kMostFailures) break;
      continue;
    }
    auto* const member = dynamic_cast<IMember*>(made.component.get());
    if (member == nullptr) {
      throw ArgumentError({.component = Caption(), .item = "member-omi"},
                          "expected components that a population can drive (SteppingComponent of the SDK, a component "
                          "in C, a BMI library), found another kind",
                          "write a Component for each row");
    }
    if (!driven.empty()) {
      if (const std::string difference = DifferenceOf(*driven.front(), *member); !difference.empty()) {
        problems.Add(keys[row], "items", "expected " + difference, "give all members the same items");
        continue;
      }
    }
    const auto* safety = dynamic_cast<const IThreadSafety*>(made.component.get());
    are_safe = are_safe && safety != nullptr && safety->IsThreadSafe();
    driven.push_back(member);
    members_.push_back(std::move(made));
  }
  maker_->RemoveFiles();
  problems.ThrowIfAny({.component = Caption()});
  SetThreadSafe(are_safe);
  const auto* steps = dynamic_cast<const IStepLimit*>(members_.front().component.get());
  SetWholeSteps(steps == nullptr || !steps->CanShortenSteps());
  rows_.Begin(std::move(driven));
}

std::shared_ptr<const ISpatialDefinition> Population::PlacesFor(const ITimeSpaceExchangeItem& item) {
  const ISpatialDefinition* const own = item.SpatialDefinition();
  const std::size_t width = own != nullptr ? static_cast<std::size_t>(own->ElementCount()) : 1;
  if (width == 1) return table_->Elements();
  auto& places = wide_places_[width];
  if (places == nullptr) {
    const auto* elements = dynamic_cast<const IElementSet*>(own);
    std::vector<std::string> ids;
    for (const std::string& key : table_->Keys()) {
      for (std::size_t element = 0; element < width; ++element) {
        const IIdentifiable* id = elements != nullptr ? elements->GetElementId(static_cast<int>(element)) : nullptr;
        ids.push_back(fmt::format("{}/{}", key, id != nullptr ? id->Id() : std::to_string(element + 1)));
      }
    }
    places = std::make_shared<const ElementSet>(ElementSet::IdBased(table_->Elements()->Caption(), ids));
  }
  return places;
}

void Population::MakeItems() {
  inputs_.clear();
  outputs_.clear();
  feeders_.clear();
  wide_places_.clear();
  const auto members = [this](std::size_t row) { return dynamic_cast<IMember*>(members_[row].component.get()); };
  const IMember& first = *members(0);
  for (std::size_t i = 0; i < first.MemberInputs().size(); ++i) {
    const NumericInput& of = *first.MemberInputs()[i];
    auto& item = AddItem<NumericInput>(of.IdText(), DefinitionOf(of.ValueDefinition()), PlacesFor(of), of.Description(),
                                       of.Asks());
    item.SetCaption(of.Caption());
    const auto has_default = [&](const LoadedComponent& member) {
      return dynamic_cast<const IMember&>(*member.component).MemberInputs()[i]->HasDefault();
    };
    if (std::ranges::all_of(members_, has_default)) item.SetDefault(kNotANumber);  // the members use their own
    inputs_.push_back(&item);
  }
  for (const NumericOutput* of : first.MemberOutputs()) {
    auto& item = AddItem<NumericOutput>(of->IdText(), DefinitionOf(of->ValueDefinition()), PlacesFor(*of),
                                        of->Description(), of->Gives());
    item.SetCaption(of->Caption());
    outputs_.push_back(&item);
  }
}

void Population::ReadNetworks() {
  std::vector<population::Network> networks;
  const auto find = [this](const auto& items, const std::string& id, const char* kind) {
    const auto found = std::ranges::find_if(items, [&](const auto* item) { return item->IdText() == id; });
    if (found != items.end()) return static_cast<std::size_t>(found - items.begin());
    std::vector<std::string> ids;
    for (const auto* item : items) ids.push_back(item->IdText());
    throw ArgumentError({.component = Caption(), .item = "member-networks"},
                        fmt::format("expected an {} of the members, found '{}'", kind, id), Suggest(id, ids));
  };
  for (const auto& line : LinesOf(networks_.Value(), 3)) {
    population::Network network{
        .output = find(outputs_, line[0], "output"), .input = find(inputs_, line[1], "input"), .edges = EdgesOf(line)};
    const NumericOutput& output = *outputs_[network.output];
    const NumericInput& input = *inputs_[network.input];
    const auto refuse = [&](const std::string& problem, const std::string& remedy) {
      throw ArgumentError({.component = Caption(), .item = "member-networks"},
                          fmt::format("{} -> {}: {}", line[0], line[1], problem), remedy);
    };
    const IUnit& from = dynamic_cast<const IQuantity&>(output.ValueDefinition()).Unit();
    const IUnit& to = dynamic_cast<const IQuantity&>(input.ValueDefinition()).Unit();
    if (!Convertible(from, to) || !ConversionBetween(from, to).IsIdentity()) {
      refuse(fmt::format("expected the same unit on both sides, found '{}' and '{}'", from.Caption(), to.Caption()),
             "use items with the same unit");
    }
    if ((output.Gives() == OutputTime::Span) != (input.Asks() == InputTime::Span)) {
      refuse("expected both at instants or both over spans, found one of each", "use items that agree");
    }
    if (rows_.OutputWidth(network.output) != rows_.InputWidth(network.input)) {
      refuse("expected as many values on both sides, found others", "use items that agree");
    }
    networks.push_back(std::move(network));
  }
  try {
    rows_.SetNetworks(std::move(networks), table_->Keys());
  } catch (const ArgumentError& error) {
    throw ArgumentError({.component = Caption(), .item = "member-networks"}, error.Problem(), error.Remedy());
  }
}

std::vector<Edge> Population::EdgesOf(const std::vector<std::string>& network) const {
  std::vector<Edge> edges;
  RowProblems problems;
  const Where place{.component = Caption(), .item = "member-networks"};
  const std::vector<std::string>& keys = table_->Keys();
  const auto column_in = [&](const RowTable& table, const std::string& name) {
    const int column = table.ColumnOf(name);
    if (column >= 0) return column;
    throw ArgumentError(place, fmt::format("expected a column of '{}', found '{}'", table.Source().file, name),
                        Suggest(name, table.Columns()));
  };
  const auto row_of = [&](const std::string& key, const std::string& edge, const char* side) {
    const int row = table_->RowOf(key);
    if (row < 0 && whole_ != nullptr && whole_->IndexOf(key) >= 0) return kOfAnotherPart;
    if (row < 0) {
      problems.Add(edge, side, fmt::format("expected an edge between rows of the table, found one {} '{}'", side, key),
                   "correct the key; an outlet has an empty cell");
    }
    return row;
  };
  const auto require_within_part = [&](int from, int to, const std::string& edge) {
    const bool is_within = from < 0 || to < 0 ? (from == kOfAnotherPart) == (to == kOfAnotherPart)
                                              : part_of_.empty() || part_of_[static_cast<std::size_t>(from)] ==
                                                                        part_of_[static_cast<std::size_t>(to)];
    if (is_within) return;
    problems.Add(edge, "crossing",
                 "expected a network within each part of the population, found an edge between two parts",
                 "name a column in PartsBy that is the same for all rows of a basin, or leave out Parts");
  };
  if (!network[2].empty()) {
    const int column = column_in(*table_, network[2]);
    for (std::size_t row = 0; row < keys.size(); ++row) {
      const std::string& to = table_->Cell(row, column);
      if (to.empty()) continue;
      const int found = row_of(to, keys[row], "to");
      require_within_part(static_cast<int>(row), found, fmt::format("{} -> {}", keys[row], to));
      if (found >= 0) edges.push_back({row, static_cast<std::size_t>(found)});
    }
  } else {
    if (network.size() < 7 || network[3].empty()) {
      throw ArgumentError(place, "expected a column, or a file with the columns from and to, found neither",
                          "name the column with the key downstream, or a table of edges");
    }
    const RowTable table = RowTable::ReadPlain({PathOf(network[3]), network[4], {}});
    const int from = column_in(table, network[5]);
    const int to = column_in(table, network[6]);
    const int weight = network.size() > 7 && !network[7].empty() ? column_in(table, network[7]) : -1;
    std::set<std::pair<int, int>> seen;
    for (std::size_t i = 0; i < table.RowCount(); ++i) {
      const std::string edge = fmt::format("{} -> {}", table.Cell(i, from), table.Cell(i, to));
      if (table.Cell(i, to).empty()) continue;
      const int source = row_of(table.Cell(i, from), edge, "from");
      const int target = row_of(table.Cell(i, to), edge, "to");
      const auto factor = weight < 0 ? std::optional(1.0) : AsNumber<double>(table.Cell(i, weight));
      const bool is_number = factor && std::isfinite(*factor);
      if (!is_number) {
        problems.Add(edge, "weight", fmt::format("expected a number as weight, found '{}'", table.Cell(i, weight)),
                     "write it with a decimal point");
      }
      require_within_part(source, target, edge);
      if (source < 0 || target < 0 || !is_number) continue;
      if (!seen.emplace(source, target).second) {
        problems.Add(edge, "again", "expected each edge once, found it again",
                     "remove the second line, or add up weights");
        continue;
      }
      edges.push_back({static_cast<std::size_t>(source), static_cast<std::size_t>(target), *factor});
    }
  }
  problems.ThrowIfAny(place);
  return edges;
}

bool Population::OnValidate(std::vector<std::string>& messages) {
  bool valid = StatefulSteppingComponent::OnValidate(messages);
  std::vector<NumericOutput*> seen;
  feeders_.clear();
  for (NumericInput* input : inputs_) {
    if (input->Provider() == nullptr) {
      seen.push_back(nullptr);
      continue;
    }
    const auto time = input->Asks() == InputTime::Span ? OutputTime::Span : OutputTime::Instant;
    feeders_.push_back(
        std::make_unique<NumericOutput>(input->IdText(), DefinitionOf(input->ValueDefinition()), nullptr, this, time));
    seen.push_back(feeders_.back().get());
  }
  rows_.Lend(seen);
  RowProblems problems;
  std::vector<std::string> warnings;
  for (std::size_t row = 0; row < members_.size(); ++row) {
    const std::string& key = table_->Keys()[row];
    try {
      const std::vector<std::string> said = members_[row].component->Validate();
      const bool is_valid = members_[row].component->Status() == LinkableComponentStatus::Valid;
      // Messages begin with the name of the member.
      const std::string name = Caption() + "/" + key;
      for (std::string message : said) {
        if (message.starts_with(name)) message = message.substr(name.size() + (message.size() > name.size() ? 1 : 0));
        message = Trimmed(message);
        if (!is_valid) {
          problems.Add(key, message, message, {});
        } else if (std::ranges::find(warnings, message) == warnings.end() && warnings.size() < 10) {
          warnings.push_back(message);
          messages.push_back(fmt::format("{}: {} (first in row {})", Caption(), message, key));
        }
      }
    } catch (const std::exception& error) {
      problems.Add(key, error);
    }
  }
  try {
    problems.ThrowIfAny({.component = Caption()});
  } catch (const ArgumentError& error) {
    messages.emplace_back(error.what());
    valid = false;
  }
  return valid;
}

void Population::Start(Stamp) {
  RowProblems problems;
  for (std::size_t row = 0; row < members_.size(); ++row) {
    try {
      members_[row].component->Prepare();
    } catch (const std::exception& error) {
      problems.Add(table_->Keys()[row], error);
    }
  }
  problems.ThrowIfAny({.component = Caption()});
  rows_.SetThreads(IsThreadSafe() ? threads_ : 1);  // before EndStart: it changes the order of the steps
  const std::vector<bool> have_value = rows_.EndStart();
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (have_value[i]) std::ranges::copy(rows_.OutputRow(i), outputs_[i]->NextRow().begin());
  }
}

void Population::Step(Stamp, Stamp to) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const std::span<double> row = rows_.InputRow(i);
    if (!row.empty()) std::ranges::copy(inputs_[i]->Row(), row.begin());
  }
  rows_.Step(to);
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    std::ranges::copy(rows_.OutputRow(i), outputs_[i]->NextRow().begin());
  }
}

Stamp Population::StepEnd(Stamp) const {
  return members_.empty() ? WholeStepEnd() : dynamic_cast<const ISteps&>(*members_.front().component).NextTime();
}

void Population::ShortenNextStep(Stamp end) {
  StatefulSteppingComponent::ShortenNextStep(end);
  for (LoadedComponent& member : members_) dynamic_cast<IStepLimit&>(*member.component).ShortenNextStep(end);
}

void Population::End() {
  RowProblems problems;
  for (std::size_t row = 0; row < members_.size(); ++row) {
    try {
      members_[row].component->Finish();
    } catch (const std::exception& error) {
      problems.Add(table_->Keys()[row], error);
    }
  }
  rows_.Clear();
  members_.clear();
  memory_.reset();
  ability_.reset();
  problems.ThrowIfAny({.component = Caption()});
}

const StateAbility& Population::AbilityOfStates() {
  static const StateAbility kNotYet{.in_memory = false, .as_bytes = false, .why_not = "it is not initialized"};
  if (members_.empty()) return kNotYet;
  if (ability_) return *ability_;
  ability_.emplace();
  // Members of one library have the same answer, and some have to try it: the first one is asked.
  IBaseLinkableComponent& first = *members_.front().component;
  const StateAbility of_first = AbilityOf(first);
  const bool has_states = dynamic_cast<IManageState*>(&first) != nullptr && of_first.in_memory;
  const bool has_bytes = dynamic_cast<IByteStateConverter*>(&first) != nullptr && of_first.as_bytes;
  if (!has_states || !has_bytes) {
    ability_ = StateAbility{
        .in_memory = false,
        .as_bytes = false,
        .why_not = of_first.why_not.empty() ? "its members keep no states" : "of its members: " + of_first.why_not};
  }
  return *ability_;
}

const IIdentifiable& Population::KeepCurrentState() {
  if (!AbilityOfStates().in_memory) {
    throw StateError({.component = Caption()},
                     "expected members that keep states, found some that do not: " + AbilityOfStates().why_not,
                     "run without checkpoints, or with WithoutState=\"skip\"");
  }
  return StatefulSteppingComponent::KeepCurrentState();
}

const IIdentifiable& Population::ConvertFromByteArray(ByteView bytes) {
  // The run writes this text before the states of parts (composition/joined).
  StateReader reader(bytes);
  std::string start;
  std::int64_t parts = 0;
  try {
    start = reader.ReadText();
    if (start == "openmi2-parts") parts = reader.ReadInteger();
  } catch (const FormatError& error) {
    throw FormatError({.component = Caption()}, error.Problem(), error.Remedy());
  }
  if (start == "openmi2-parts") {
    throw FormatError({.component = Caption()},
                      fmt::format("expected the state of all rows, found that of {} parts", parts),
                      "place one of its groups to go on in parts, on this host for example: --place GROUP=localhost");
  }
  return StatefulSteppingComponent::ConvertFromByteArray(bytes);
}

void Population::SaveState(StateWriter& writer) const {
  writer.Write(CurrentTime().mjd);
  writer.Write(static_cast<std::int64_t>(members_.size()));
  for (const NumericOutput* output : outputs_) {
    writer.Write(std::vector<double>(output->LastRow().begin(), output->LastRow().end()));
  }
  for (const LoadedComponent& member : members_) {
    auto& states = dynamic_cast<IManageState&>(*member.component);
    const IIdentifiable& id = states.KeepCurrentState();
    writer.Write(dynamic_cast<IByteStateConverter&>(*member.component).ConvertToByteArray(id));
    states.ClearState(id);
  }
}

void Population::LoadState(StateReader& reader) {
  const Stamp time{reader.ReadDouble()};
  if (const std::int64_t count = reader.ReadInteger(); count != static_cast<std::int64_t>(members_.size())) {
    throw FormatError({.component = Caption()},
                      fmt::format("expected the state of {} rows, found that of {}", members_.size(), count),
                      "restore it with the table it was kept with");
  }
  std::vector<std::vector<double>> rows(outputs_.size());
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    rows[i] = reader.ReadDoubles();
    const std::size_t width = rows_.OutputWidth(i) * members_.size();
    if (rows[i].empty() || rows[i].size() == width) continue;
    throw FormatError({.component = Caption(), .item = outputs_[i]->IdText()},
                      fmt::format("expected a state with {} values, found {}", width, rows[i].size()),
                      "restore it with the table and the components it was kept with");
  }
  for (const LoadedComponent& member : members_) {
    auto& states = dynamic_cast<IManageState&>(*member.component);
    const IIdentifiable& id =
        dynamic_cast<IByteStateConverter&>(*member.component).ConvertFromByteArray(reader.ReadBytes());
    states.RestoreState(id);
    states.ClearState(id);
  }
  rows_.Restore(rows, time);
}

BalanceTerms Population::Balance() const {
  BalanceTerms sum;
  for (const LoadedComponent& member : members_) {
    const BalanceTerms terms = BalanceOf(member);
    sum.storage += terms.storage;
    sum.in += terms.in;
    sum.out += terms.out;
    sum.losses += terms.losses;
  }
  return sum;
}

const std::vector<std::string>& Population::BalanceIds() const {
  static const std::vector<std::string> kNone;
  return BalanceUnit().empty() ? kNone : table_->Keys();
}

void Population::BalanceOfEach(std::span<BalanceTerms> each) const {
  for (std::size_t row = 0; row < std::min(each.size(), members_.size()); ++row) each[row] = BalanceOf(members_[row]);
}

std::string Population::BalanceUnit() const {
  const auto* balance = members_.empty() ? nullptr : dynamic_cast<const IBalance*>(members_.front().component.get());
  return balance != nullptr ? balance->BalanceUnit() : std::string();
}

double Population::BalanceArea() const {
  double area = 0.0;
  for (const LoadedComponent& member : members_) {
    if (const auto* balance = dynamic_cast<const IBalance*>(member.component.get())) area += balance->BalanceArea();
  }
  return area;
}

}  // namespace openmi

OPENMI_EXPORT_COMPONENT_AS("openmi.Population", openmi::Population)
