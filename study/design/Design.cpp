#include "study/design/Design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/files/TextTable.hpp"

namespace openmi {
namespace {

constexpr std::uint64_t kMostNumbers = 100'000'000;  // of a sample, which is kept: 800 MB

/// \param width  numbers that are kept for each of `Members`
void ExpectSampleFits(const StudyFile& study, std::uint64_t width) {
  if (study.design->members <= kMostNumbers / width) return;
  throw RangeError({.file = study.path.string(), .line = study.design->line},
                   fmt::format("expected Members of at most {}, since {} numbers are kept for each, found {}",
                               kMostNumbers / width, width, study.design->members),
                   "use fewer members, or a grid");
}

/// The cells of a table, row by row.
struct Cells {
  std::vector<MemberValues> rows;
};

std::vector<std::string> IdsOf(const StudyFile& study) {
  std::vector<std::string> ids;
  for (const VarySpec& vary : study.varies) ids.push_back(vary.id);
  return ids;
}

}  // namespace

Design::Design(const StudyFile& study, Problems& problems) : study_(study) {
  const DesignSpec& design = *study.design;
  const std::size_t dimensions = study.varies.size();
  std::vector<double> points;
  switch (design.method) {
    case DesignMethod::List:
      count_ = study.varies.front().values.size();
      values_ = [this](std::uint64_t member) {
        MemberValues values;
        for (const VarySpec& vary : study_.varies) values.push_back(vary.values[member].text);
        return values;
      };
      return;
    case DesignMethod::Table:
      ReadTable(problems);
      return;
    case DesignMethod::Grid:
      MakeGrid();
      return;
    case DesignMethod::Program:
      return;
    case DesignMethod::LatinHypercube:
      ExpectSampleFits(study, dimensions + 1);  // the permutation of a dimension, too
      points = LatinHypercube(design.members, dimensions, design.seed);
      break;
    case DesignMethod::Sobol:
      ExpectSampleFits(study, dimensions);
      points = SobolPoints(design.members, dimensions, design.seed);
      break;
    case DesignMethod::Saltelli:
      ExpectSampleFits(study, (dimensions + 4) * dimensions);  // with the pairs that it is made of
      points = SaltelliPoints(design.members, dimensions, design.seed);
      break;
  }
  count_ = points.size() / dimensions;
  values_ = [this, points = std::make_shared<const std::vector<double>>(std::move(points))](std::uint64_t member) {
    MemberValues values;
    const std::size_t width = study_.varies.size();
    for (std::size_t k = 0; k < width; ++k) values.push_back(study_.varies[k].At((*points)[member * width + k]));
    return values;
  };
}

void Design::MakeGrid() {
  std::vector<std::uint64_t> sides;
  count_ = 1;
  for (const VarySpec& vary : study_.varies) {
    sides.push_back(vary.IsRange() ? static_cast<std::uint64_t>(vary.steps) : vary.values.size());
    if (count_ > kMostMembers / sides.back()) {
      throw RangeError({.file = study_.path.string(), .line = study_.design->line},
                       fmt::format("expected a grid of at most {} members, found more", kMostMembers),
                       "use fewer steps, or a Latin hypercube");
    }
    count_ *= sides.back();
  }
  // The last Vary changes fastest.
  values_ = [this, sides](std::uint64_t member) {
    MemberValues values(sides.size());
    for (std::size_t k = sides.size(); k-- > 0; member /= sides[k]) {
      const VarySpec& vary = study_.varies[k];
      const std::uint64_t index = member % sides[k];
      if (!vary.IsRange()) {
        values[k] = vary.values[index].text;
      } else if (vary.is_whole) {
        values[k] = vary.At((static_cast<double>(index) + 0.5) / static_cast<double>(sides[k]));
      } else {
        values[k] = vary.At(static_cast<double>(index) / static_cast<double>(sides[k] - 1));
      }
    }
    return values;
  };
}

void Design::ReadTable(Problems& problems) {
  const std::string path = (study_.Folder() / study_.design->table).lexically_normal().string();
  auto cells = std::make_shared<Cells>();
  values_ = [cells](std::uint64_t member) { return cells->rows[member]; };
  TextTable table(path);
  const std::vector<std::string> ids = IdsOf(study_);
  const Where place{.file = study_.path.string(), .line = study_.design->line};
  if (table.Count() == 0) {
    AddError(problems, {.file = path}, "expected a line of headings, found an empty table",
             fmt::format("write the Ids of the Vary elements in the first line: {}", fmt::join(ids, ",")));
    return;
  }
  std::vector<std::size_t> column_of(ids.size(), static_cast<std::size_t>(-1));
  const std::vector<std::string> heads = table.Cells(0);
  for (std::size_t column = 0; column < heads.size(); ++column) {
    const auto vary = std::ranges::find(ids, heads[column]);
    const Where where{.file = path, .line = table.LineNumber(0)};
    if (vary == ids.end()) {
      AddError(
          problems, where,
          fmt::format("expected a Vary for the column {}, found none: the column has no target", Quoted(heads[column])),
          Suggest(heads[column], ids) + "; or add <Vary Id=\"" + heads[column] + "\" Argument=\"...\"/>");
      continue;
    }
    std::size_t& place_of = column_of[static_cast<std::size_t>(vary - ids.begin())];
    if (place_of != static_cast<std::size_t>(-1)) {
      AddError(problems, where, fmt::format("expected each column once, found {} again", Quoted(heads[column])),
               "remove one of the two");
    }
    place_of = column;
  }
  for (std::size_t k = 0; k < ids.size(); ++k) {
    if (column_of[k] != static_cast<std::size_t>(-1)) continue;
    AddError(problems, {.file = study_.path.string(), .line = study_.varies[k].line},
             fmt::format("expected a column {} in '{}', found none", Quoted(ids[k]), study_.design->table),
             Suggest(ids[k], heads));
  }
  if (table.Count() == 1) {
    AddError(problems, {.file = path, .line = table.LineNumber(0)},
             "expected a row for each member below the headings, found none", "add rows, or choose another method");
  }
  if (HasErrors(problems)) return;
  for (std::size_t line = 1; line < table.Count(); ++line) {
    const std::vector<std::string>& row = table.Cells(line);
    if (row.size() != heads.size()) {
      AddError(problems, {.file = path, .line = table.LineNumber(line)},
               fmt::format("expected {} cells, found {}", heads.size(), row.size()), "write a value in each column");
      continue;
    }
    MemberValues& values = cells->rows.emplace_back();
    for (const std::size_t column : column_of) values.push_back(row[column]);
  }
  count_ = cells->rows.size();
}

}  // namespace openmi
