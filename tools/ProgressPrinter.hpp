#pragma once

#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "composition/run/CompositionRun.hpp"
#include "composition/run/RecentPace.hpp"

namespace openmi::tools {

/// How the progress of a run is shown.
enum class ProgressForm {
  None,
  Bar,    ///< one line, redrawn
  Lines,  ///< a line every 10 %
  Json    ///< an object on a line of its own
};

/// Prints how far a run is, on standard error; as JSON on a stream of its own.
class ProgressPrinter {
 public:
  /// \param json  where JSON goes; borrowed
  ProgressPrinter(std::string title, ProgressForm form, std::FILE* json);
  void Show(const RunProgress& progress);
  /// Shows what a component waits for: in the line that is redrawn, else at first and then every ten times.
  void ShowWait(const std::string& component, const std::string& sentence);
  /// What is shown beside the progress: how the sources are that components draw on.
  void SetAside(std::function<std::string()> aside) { aside_ = std::move(aside); }
  /// Ends a line that is being redrawn, so that something else can be printed.
  void End();

  /// "upper-creek  2015-12-17 04:00  [########......]  54 %  1.2e6x real time  3 s left", in at most `columns` columns.
  std::string BarText(const RunProgress& progress, int columns) const;
  /// "upper-creek  2015-12-17 04:00   50 %  1.2e6x real time  3 s left".
  std::string LineText(const RunProgress& progress) const;

 private:
  std::string Rate() const;
  std::string Left(const RunProgress& progress) const;

  std::string title_;
  ProgressForm form_;
  std::FILE* json_;
  RecentPace pace_;
  int told_tenths_ = -1;
  bool is_open_ = false;
  std::function<std::string()> aside_;
  std::map<std::string, int> waits_;  // sentences of components
};

}  // namespace openmi::tools
