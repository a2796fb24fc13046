#include "study/run/Study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "composition/results/FileHash.hpp"
#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"

namespace openmi {

namespace {

constexpr std::string_view kBudget = "budget ";  // in a journal, in place of the hash of a table

}  // namespace

std::string ReadWholeFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  if (file && !std::filesystem::is_directory(path)) return text;
  throw FileError({.file = path.string()},
                  "expected a readable file, found: " + std::error_code(errno, std::generic_category()).message(),
                  "check the path");
}

Study::Study(const std::filesystem::path& path, Variables variables, Problems& problems)
    : text_(ReadWholeFile(path)), variables_(std::move(variables)) {
  Read(path, problems);
}

Study::Study(const std::filesystem::path& path, std::string text, std::string composition_text, Variables variables,
             Problems& problems)
    : text_(std::move(text)), composition_text_(std::move(composition_text)), variables_(std::move(variables)) {
  Read(path, problems);
}

void Study::Read(const std::filesystem::path& path, Problems& problems) {
  StudyFile study = ReadStudyText(text_, path, problems);
  composition_path_ = study.CompositionPath();
  CompositionFile composition;
  composition.path = composition_path_;
  if (!study.composition.empty()) {
    try {
      if (composition_text_.empty()) composition_text_ = ReadWholeFile(composition_path_);
      composition = ReadCompositionText(composition_text_, composition_path_, problems);
      if (!composition.run && !HasErrors(problems)) {
        AddError(problems, {.file = composition_path_.string()}, "expected a Run element, found none",
                 "add <Run From=\"...\" To=\"...\"/>");
      }
    } catch (const FileError& error) {
      AddError(problems, {.file = path.string(), .line = study.composition_line},
               fmt::format("expected a composition, found no readable file '{}'", composition_path_.string()),
               "check the path; it is relative to the study");
    }
  }
  is_sound_ = !HasErrors(problems);
  plan_ = std::make_unique<StudyPlan>(std::move(study), std::move(composition), problems);
  if (!plan_->Study().design || plan_->Study().varies.empty()) return;
  // A table can be read whatever else is wrong; other designs need all their values.
  if (!is_sound_ && plan_->Study().design->method != DesignMethod::Table) return;
  try {
    Problems of_design;
    auto design = std::make_unique<Design>(plan_->Study(), of_design);
    problems.insert(problems.end(), of_design.begin(), of_design.end());
    if (!HasErrors(of_design)) design_ = std::move(design);
  } catch (const Error& error) {
    Where where = error.Place();
    if (where.file.empty()) where = {.file = path.string(), .line = plan_->Study().design->line};
    AddError(problems, where, error.Problem(), error.Remedy());
  }
}

void Study::SetBudget(std::uint64_t budget) {
  plan_->Calibrate().budget = budget;
  budget_ = budget;
}

void Study::TakeJournal(const StudyJournalReader& journal) {
  if (IsAsked()) {
    asked_.assign(journal.Members().size(), MemberValues(File().varies.size()));
    for (std::uint64_t member = 0; member < asked_.size(); ++member) {
      const auto result = journal.Read(member);
      if (result && result->values.size() == File().varies.size()) asked_[member] = result->values;
    }
  }
  const std::string& text = journal.Info().table_hash;
  if (!IsSearch() || budget_ || !text.starts_with(kBudget)) return;
  const auto budget = AsNumber<std::uint64_t>(std::string_view(text).substr(kBudget.size()));
  if (budget && *budget >= 1 && *budget <= kMostMembers) SetBudget(*budget);
}

std::uint64_t Study::Count() const {
  if (IsSearch()) return File().calibrate->budget;
  return IsAsked() ? asked_.size() : design_->Count();
}

void Study::SetAsked(std::uint64_t member, MemberValues values) {
  if (member >= asked_.size()) asked_.resize(member + 1);
  asked_[member] = std::move(values);
}

MemberValues Study::ValuesAt(const std::vector<double>& point) const {
  MemberValues values;
  for (std::size_t k = 0; k < point.size(); ++k) values.push_back(File().varies[k].At(point[k]));
  return values;
}

StudyInfo Study::Info() const {
  StudyInfo info{text_, composition_text_, {}, {}};
  if (File().design && File().design->method == DesignMethod::Table) {
    info.table_hash = HashFile(File().Folder() / File().design->table);
  }
  if (budget_) info.table_hash = fmt::format("{}{}", kBudget, *budget_);
  for (const auto& [name, value] : variables_) info.variables.insert(info.variables.end(), {name, value});
  return info;
}

StudySetup Study::Setup(const std::filesystem::path& folder) const {
  return {text_,
          File().path,
          composition_text_,
          composition_path_,
          folder / (File().id + "-members"),
          folder / (File().id + "-branch"),
          variables_,
          File().workers};
}

MemberValues Study::FirstValues() const {
  return IsSearch() || IsAsked() ? ValuesAt(std::vector<double>(File().varies.size(), 0.5)) : Values(0);
}

std::vector<MemberValues> Study::Tried() const {
  constexpr std::uint64_t kMost = 100'000;
  const std::size_t width = File().varies.size();
  std::vector<MemberValues> tried;
  const bool is_sampled = IsSearch() || File().design->method >= DesignMethod::Program;
  if (is_sampled) {
    std::size_t most = 2;
    for (const VarySpec& vary : File().varies) most = std::max(most, vary.values.size());
    for (std::size_t i = 0; i < most; ++i) {
      MemberValues& values = tried.emplace_back();
      for (const VarySpec& vary : File().varies) {
        values.push_back(vary.IsRange() ? vary.At(i == 0 ? 0.0 : 1.0) : vary.values[i % vary.values.size()].text);
      }
    }
    return tried;
  }
  // Each value once, in whichever member it occurs.
  std::vector<std::set<std::string>> known(width);
  for (std::uint64_t member = 0; member < std::min(Count(), kMost); ++member) {
    MemberValues values = Values(member);
    bool is_new = false;
    for (std::size_t k = 0; k < width; ++k) is_new = known[k].insert(values[k]).second || is_new;
    if (is_new) tried.push_back(std::move(values));
  }
  return tried;
}

}  // namespace openmi
