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
  /// How many members there are; of a search, its budget.
  /// \pre HasMembers()
  std::uint64_t Count() const { return IsSearch() ? File().calibrate->budget : design_->Count(); }
  /// The values of a member of a design, from 0.
  MemberValues Values(std::uint64_t member) const { return design_->Values(member); }
  /// The values for a point of a search.
  MemberValues ValuesAt(const std::vector<double>& point) const;
  /// The search, from its start.
  std::unique_ptr<Search> NewSearch() const { return MakeSearch(File()); }
  /// Changes the budget of a search.
  void SetBudget(std::uint64_t budget);
  /// Changes the budget of a search to the one that a journal was started with, if that was not the one of the file.
  void TakeBudget(const StudyInfo& info);

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
  Variables variables_;
  std::unique_ptr<StudyPlan> plan_;
  std::unique_ptr<Design> design_;
  bool is_sound_ = false;
};

/// The whole text of a file.
/// \throws FileError  not readable
std::string ReadWholeFile(const std::filesystem::path& path);

/// The estimate of a study before it runs.
struct StudyEstimate {
  std::uint64_t members = 0;
  int workers = 1;
  double member_seconds = 0.0;  ///< of the trial
  double seconds = 0.0;         ///< of all, wall-clock time
  double bytes = 0.0;           ///< of journal and NetCDF file
  double free_bytes = 0.0;      ///< on the disk of the results
};

/// How many workers a study has.
/// \param wanted  0: as the file says, else one for each core
int WorkerCount(const StudyFile& study, int wanted);

/// Checks a study in a worker, where the code of components can do no harm, and runs its first member as a trial; where
/// there are errors, the composition without what varies.
/// \param study     sound; it may have errors, which are in `problems`
/// \param folder    for results
/// \param problems  receives everything that is wrong, and a study that does not fit on the disk
/// \returns nothing if there are errors
std::optional<StudyEstimate> CheckStudy(const Study& study, const std::filesystem::path& folder, int workers,
                                        bool with_trial, Problems& problems);

}  // namespace openmi
