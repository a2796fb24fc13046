#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "composition/link/Composition.hpp"
#include "composition/link/Variables.hpp"
#include "openmi/sdk/Problem.hpp"
#include "study/model/Member.hpp"
#include "study/run/StudyTask.hpp"

namespace openmi {

/// How the folder for the templates of a worker begins; its process id follows.
inline constexpr const char* kWorkerFolder = "worker-";

/// Runs members of a study in this process, one after another. Libraries stay loaded in between.
class MemberRunner {
 public:
  /// \param plan       without errors
  /// \param variables  values of `${name}` in the composition
  /// \param folder     for what members write: each task has a folder of its own in it, which is made if it is needed
  MemberRunner(StudyPlan plan, Variables variables, std::filesystem::path folder);
  ~MemberRunner();

  /// What a run left beside its result.
  struct Extras {
    std::vector<std::string> shapes;  ///< bytes of the shapes of `MemberResult::series`, in this order
    std::vector<Observation> observations;
  };
  /// Runs one member. A failure is part of the result.
  MemberResult Run(const StudyTask& task, Extras& extras);

  /// Runs the composition, without what varies, until the time of the branch, and saves the states of its components
  /// for all members.
  Problems Branch();

  /// Loads, links and checks the composition of a member, and tries all values of the study in the arguments that they
  /// are meant for.
  /// \param values  empty: there are none, and only arguments are checked
  /// \param tried  values to try, in addition to those of the study: of members; shape [n][Vary]
  Problems Check(const MemberValues& values, const std::vector<MemberValues>& tried);

 private:
  /// For files made of templates: no other process writes them, even if it runs the same member.
  std::filesystem::path OwnFolder() const;
  /// Keeps the libraries of a composition open.
  void Keep(const Composition& composition);
  /// Tries to start from the states of the branch; removes them if that fails.
  void CheckBranch(Problems& problems);
  void CheckArgument(const VarySpec& vary, std::size_t number, const Composition& composition,
                     const std::vector<MemberValues>& tried, Problems& problems) const;

  StudyPlan plan_;
  Variables variables_;
  std::filesystem::path folder_;
  std::map<std::string, std::shared_ptr<SharedLibrary>> libraries_;  // by path; closed after the compositions
  std::shared_ptr<ComponentLoader> loader_ = std::make_shared<ComponentLoader>();
};

}  // namespace openmi
