#include "study/results/StudyTable.hpp"

#include <algorithm>
#include <cmath>

#include "composition/results/CsvText.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {

StudyTable::StudyTable(const Study& study, const StudyJournalReader& journal) {
  const StudyFile& file = study.File();
  has_cost_ = std::ranges::any_of(file.objectives, [](const ObjectiveSpec& one) { return one.weight > 0.0; });
  for (std::uint64_t member = 0; member < study.Count(); ++member) {
    MemberRow& row = rows_.emplace_back(MemberRow{.member = member});
    row.objectives.assign(file.objectives.size(), kNotANumber);
    row.persistence.assign(file.objectives.size(), kNotANumber);
    row.cost = kNotANumber;
    std::optional<MemberResult> result = journal.Read(member);
    if (!result) {
      row.values = study.IsSearch() ? MemberValues(file.varies.size()) : study.Values(member);
      continue;
    }
    row.end = result->end;
    row.attempts = result->attempts;
    row.seconds = result->seconds;
    row.problem = std::move(result->problem);
    row.values = std::move(result->values);
    row.values.resize(file.varies.size());
    if (result->objectives.size() == row.objectives.size()) row.objectives = std::move(result->objectives);
    if (result->persistence.size() == row.persistence.size()) row.persistence = std::move(result->persistence);
    if (has_cost_ && row.IsDone()) row.cost = CostOf(file, row.objectives);
    for (const MemberSeries& series : result->series) {
      row.missing += static_cast<std::size_t>(
          std::ranges::count_if(series.values, [](double value) { return std::isnan(value); }));
    }
  }
}

const MemberRow* StudyTable::Best() const {
  const MemberRow* best = nullptr;
  for (const MemberRow& row : rows_) {
    if (std::isfinite(row.cost) && (best == nullptr || row.cost < best->cost)) best = &row;
  }
  return best;
}

std::size_t StudyTable::CountOf(MemberEnd end) const {
  return static_cast<std::size_t>(std::ranges::count_if(rows_, [end](const MemberRow& row) { return row.end == end; }));
}

std::size_t StudyTable::NotRun() const {
  return static_cast<std::size_t>(std::ranges::count_if(rows_, [](const MemberRow& row) { return !row.end; }));
}

std::optional<std::vector<double>> StudyTable::Numbers(std::size_t vary) const {
  std::vector<double> numbers;
  for (const MemberRow& row : rows_) {
    const bool is_unknown = !row.end && row.values[vary].empty();
    const auto number = is_unknown ? std::optional(kNotANumber) : AsNumber<double>(row.values[vary]);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::string StudyTable::Csv(const StudyFile& study) const {
  std::string text = "member,end";
  const auto add = [&text](std::string_view field) {
    text += ',';
    AppendCsvField(text, field);
  };
  const auto add_number = [&text](double number) {
    text += ',';
    AppendNumber(text, number);
  };
  for (const VarySpec& vary : study.varies) add(vary.unit.empty() ? vary.id : vary.id + " (" + vary.unit + ")");
  for (const ObjectiveSpec& objective : study.objectives) add(objective.id);
  if (has_cost_) add("cost");
  add("missing");
  add("problem");
  text += '\n';
  for (const MemberRow& row : rows_) {
    text += std::to_string(row.member + 1);
    add(row.end ? kMemberEnds.NameOf(*row.end) : "not-run");
    for (const std::string& value : row.values) add(WithoutControls(value));
    for (const double objective : row.objectives) add_number(objective);
    if (has_cost_) add_number(row.cost);
    add(std::to_string(row.missing));
    add(WithoutControls(row.problem));
    text += '\n';
  }
  return text;
}

}  // namespace openmi
