#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "study/model/StudyFile.hpp"

namespace openmi {

/// The values of one member, as text; shape [Vary].
using MemberValues = std::vector<std::string>;

/// A file that is made of a template for one member.
struct MemberFile {
  std::filesystem::path path;
  std::string text;
};

/// The composition of one member, and the files that it reads from templates.
struct Member {
  CompositionFile composition;
  std::vector<MemberFile> files;
};

/// A study together with its composition: makes the composition of each member.
class StudyPlan {
 public:
  /// Reads the templates. Checks that all targets exist, as far as the files show; `problems` receives what is wrong.
  /// \param study        the study as read
  /// \param composition  its composition as read
  /// \throws FileError  a template cannot be read
  StudyPlan(StudyFile study, CompositionFile composition, Problems& problems);

  const StudyFile& Study() const { return study_; }
  /// \pre  the study is a calibration
  CalibrateSpec& Calibrate() { return *study_.calibrate; }
  const CompositionFile& Composition() const { return composition_; }

  /// Sets the folder with the states from which members begin, of a study with a Branch. It may not exist yet.
  void SetBranchFolder(const std::filesystem::path& folder) { branch_folder_ = std::filesystem::absolute(folder); }
  const std::filesystem::path& BranchFolder() const { return branch_folder_; }

  /// The composition of the member with these values.
  /// \param folder  for the files made of templates; they are not written
  /// \param values  empty: the composition without what varies
  /// \throws FileError  the study has a Branch, and its states are not there
  /// \pre  the plan has no errors, and values.size() == Study().varies.size(); or there are no values
  Member Make(const MemberValues& values, const std::filesystem::path& folder) const;

 private:
  void CheckTargets(Problems& problems) const;
  void CheckTemplates(Problems& problems) const;
  /// Lets a composition begin at the time of the branch, with the states that are in the folder.
  /// \throws FileError  a component has none there
  void BranchOff(CompositionFile& file) const;
  void Apply(const VarySpec& vary, const std::string& value, CompositionFile& file) const;
  std::string Filled(std::string_view text, const MemberValues& values) const;
  /// A path of the study for the composition: whole, if it would be looked for in another folder.
  std::string FromStudy(const std::string& path) const;

  StudyFile study_;
  CompositionFile composition_;
  std::vector<std::string> templates_;  // texts; shape [Study().templates]
  std::filesystem::path branch_folder_;
  bool is_beside_ = true;  // study and composition are in one folder
};

/// Writes the files of a member; makes their folders.
/// \throws FileError  not writable
void WriteMemberFiles(const Member& member);

/// A composition for another folder: relative paths of files that exist are made to start there.
CompositionFile MovedTo(CompositionFile composition, const std::filesystem::path& folder);

}  // namespace openmi
