#pragma once

#include <set>
#include <string>
#include <string_view>

namespace openmi {

/// Makes names that the CF conventions recommend (letters, digits and underscores, a letter first), each only once.
class NetcdfNames {
 public:
  /// "creek.discharge" becomes "creek_discharge", and "creek_discharge_2" if that name is used already.
  std::string Take(std::string_view wanted);

 private:
  std::set<std::string> taken_;
};

}  // namespace openmi
