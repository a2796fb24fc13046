#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "composition/link/Variables.hpp"
#include "openmi/sdk/Problem.hpp"
#include "study/design/Design.hpp"
#include "study/model/Member.hpp"
#include "study/run/StudyJournal.hpp"
#include "study/run/StudyWorker.hpp"
#include "study/search/Search.hpp"

namespace openmi {

/// A study with everything that its files say: the plan, the design or the budget of its search.
class Study {
 public:
  /// Reads the study, its composition, its templates and its table.
  /// \param variables  values of `${name}` in the composition
  /// \param problems   receives everything that is wrong
  /// \throws FileError    a file cannot be read
  /// \throws FormatError  a file is not well-formed XML, or exceeds a limit
  Study(const std::filesystem::path& path, Variables variables, Problems& problems);
  /// The same from the texts that a journal keeps; of the table of a design, the file is read.
  Study(const std::filesystem::path& path, std::string text, std::string composition_text, Variables variables,
        Problems& problems);

  /// Whether study and composition have the right form, so that targets can be checked although others are wrong.
  bool IsSound() const { return is_sound_; }
  /// Whether the members are known: a search, or a design without errors.
  bool HasMembers() const { return IsSearch() || design_ != nullptr; }

  const StudyFile& File() const { return plan_->Study(); }
  const StudyPlan& Plan() const { return *plan_; }
  bool IsSearch() const { return File().calibrate.has_value(); }
  /// Whether a program asks for the members, one after another.
  bool IsAsked() const { return File().design && File().design->method == DesignMethod::Program; }
  /// How many members there are; of a search, its budget.
  /// \pre HasMembers()
  std::uint64_t Count() const;
  /// The values of a member of a design, from 0; empty texts: a program has not asked for it.
  MemberValues Values(std::uint64_t member) const { return IsAsked() ? asked_[member] : design_->Values(member); }
  /// Adds the values that a program asks for, or replaces those of a member that has no result.
  void SetAsked(std::uint64_t member, MemberValues values);
  /// The values for a point of a search.
  MemberValues ValuesAt(const std::vector<double>& point) const;
  /// The search, from its start.
  std::unique_ptr<Search> NewSearch() const { return MakeSearch(File()); }
  /// Changes the budget of a search.
  void SetBudget(std::uint64_t budget);
  /// Changes the wall-clock time of a search, seconds. It is not part of what a journal belongs to.
  void SetTime(double seconds) { plan_->Calibrate().seconds = seconds; }
  /// Takes what only the journal knows: the budget that a search was started with, if it was not that of the file, and
  /// the members that a program asked for.
  void TakeJournal(const StudyJournalReader& journal);

  /// Tells the plan where results are: the states of a Branch are beside them.
  void SetFolder(const std::filesystem::path& folder) { plan_->SetBranchFolder(folder / (File().id + "-branch")); }

  StudyInfo Info() const;
  /// What a worker gets.
  StudySetup Setup(const std::filesystem::path& folder) const;
  /// Values that a check tries: of all members, or of the ends of all ranges.
  std::vector<MemberValues> Tried() const;
  /// The first member's values, for a check or a trial.
  MemberValues FirstValues() const;

 private:
  void Read(const std::filesystem::path& path, Problems& problems);

  std::string text_;
  std::string composition_text_;
  std::filesystem::path composition_path_;
  std::optional<std::uint64_t> budget_;
  std::vector<MemberValues> asked_;  // by a program
  Variables variables_;
  std::unique_ptr<StudyPlan> plan_;
  std::unique_ptr<Design> design_;
  bool is_sound_ = false;
};

/// The whole text of a file.
/// \throws FileError  not readable
std::string ReadWholeFile(const std::filesystem::path& path);

}  // namespace openmi
