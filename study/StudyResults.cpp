#include "study/StudyResults.hpp"

#include "study/report/StudyReport.hpp"
#include "study/results/StudyRows.hpp"

namespace openmi {

std::vector<std::filesystem::path> WriteStudyResults(const Study& study, const StudyJournalReader& journal,
                                                     const std::filesystem::path& folder,
                                                     const StudyResultOptions& options) {
  const StudyFile& file = study.File();
  const StudyTable table(study, journal);
  SeriesColumns columns(journal);
  std::vector<std::filesystem::path> files;
  const auto add = [&](const std::string& ending) -> const std::filesystem::path& {
    return files.emplace_back(folder / (file.id + ending));
  };
  WriteWhole(add("-members.csv"), table.Csv(file));
  const std::filesystem::path netcdf = add(".nc");
  WriteStudyNetcdf(study, journal, table, columns, netcdf);
  if (options.with_csv) WriteStudyCsv(journal, columns, study.Count(), add(".csv"));
  if (const MemberRow* best = table.Best()) {
    const Member member = study.Plan().Make(best->values, folder);
    WriteMemberFiles(member);
    WriteWhole(add("-best.xml"), CompositionText(MovedTo(member.composition, folder)));
  }
  if (options.with_report) WriteStudyReport(study, journal, table, columns, netcdf, options.command, add(".html"));
  return files;
}

}  // namespace openmi
