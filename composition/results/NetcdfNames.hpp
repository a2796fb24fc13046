#pragma once

#include <set>
#include <string>
#include <string_view>

namespace openmi {

/// Gives names that the CF conventions recommend (letters, digits and underscores, a letter first), each once.
class NetcdfNames {
 public:
  /// "creek.discharge" becomes "creek_discharge", and "creek_discharge_2" where that is taken.
  std::string Take(std::string_view wanted);

 private:
  std::set<std::string> taken_;
};

}  // namespace openmi
