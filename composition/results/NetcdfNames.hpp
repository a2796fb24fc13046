#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "composition/results/ResultSeries.hpp"

namespace openmi {

/// Makes names of variables and dimensions that the CF conventions recommend (letters, digits and underscores, a letter
/// first), each only once.
class NetcdfNames {
 public:
  /// "creek.discharge" becomes "creek_discharge", and "creek_discharge_2" if that name is used already.
  std::string Take(std::string_view wanted);
  bool IsTaken(std::string_view name) const { return taken_.contains(name); }

  /// Names the variables of series: "creek.discharge" becomes "discharge" if no other series ends like this and the
  /// name is free, else "creek_discharge".
  std::vector<std::string> TakeForSeries(const std::vector<ResultSeries>& series);
  /// Names the dimension of a set of elements: "Sub-catchments" becomes "sub_catchments".
  ///
  /// A set whose caption is empty, long, or the name of a variable is named after its kind; a second one of that kind
  /// after a variable as well: "depth_polygon".
  std::string TakeForElements(std::string_view caption, std::string_view kind, std::string_view variable);

 private:
  std::set<std::string, std::less<>> taken_;
};

}  // namespace openmi
