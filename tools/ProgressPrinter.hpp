#pragma once

#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "composition/link/Groups.hpp"
#include "composition/run/CompositionRun.hpp"
#include "composition/run/RecentPace.hpp"

namespace openmi::tools {

/// How the progress of a run is shown.
enum class ProgressForm {
  None,
  Bar,    ///< one line, redrawn
  Lines,  ///< a line every 10 %
  Json    ///< one JSON object a line
};

/// Prints the progress of a run on standard error; JSON goes to a separate stream.
class ProgressPrinter {
 public:
  /// \param title  the name of the run
  /// \param form  how progress is shown
  /// \param json  the stream for JSON; borrowed
  ProgressPrinter(std::string title, ProgressForm form, std::FILE* json);
  void Show(const RunProgress& progress);
  /// Shows what a component waits for: in the redrawn line, else at the first and every tenth call.
  void ShowWait(const std::string& component, const std::string& sentence);
  /// Sets a text shown beside the progress: the state of the sources that components read.
  void SetAside(std::function<std::string()> aside) { aside_ = std::move(aside); }
  /// Sets what is asked for the groups that were placed on hosts; they are shown below the progress.
  void SetGroups(std::function<std::vector<GroupState>()> groups) { groups_ = std::move(groups); }
  /// Ends a redrawn line, so that other text can be printed.
  void End();

  /// "upper-creek  2015-12-17 04:00  [########......]  54 %  1.2e6x real time  3 s left", in at most `columns` columns.
  std::string BarText(const RunProgress& progress, int columns) const;
  /// "upper-creek  2015-12-17 04:00   50 %  1.2e6x real time  3 s left".
  std::string LineText(const RunProgress& progress) const;
  /// "  upland on node1 2015-12-17 05:00  lowland on node2 04:00 lost": a day is not repeated. Groups that do not fit
  /// are counted. Empty if there are none.
  /// \param columns  0: any number
  std::string GroupsText(int columns) const;

 private:
  std::string Rate() const;
  std::string Left(const RunProgress& progress) const;

  std::string title_;
  ProgressForm form_;
  std::FILE* json_;
  RecentPace pace_;
  int reported_tenths_ = -1;
  bool is_open_ = false;
  std::function<std::string()> aside_;
  std::function<std::vector<GroupState>()> groups_;
  bool has_groups_line_ = false;      // below the redrawn one
  std::map<std::string, int> waits_;  // by sentence of a component
};

}  // namespace openmi::tools
