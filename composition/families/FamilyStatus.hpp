#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace openmi {

/// Whether the components of a family take part in the run.
enum class FamilyStatus {
  Disengaged,  ///< frozen: their last values are there, their code is not
  Engaged
};

/// "disengaged", "engaged".
constexpr const char* NameOf(FamilyStatus status) {
  return status == FamilyStatus::Engaged ? "engaged" : "disengaged";
}

/// All components of a composition that stand on the same code.
struct Family {
  std::string key;                   ///< as FamilyKeyOf says it
  std::vector<std::size_t> members;  ///< numbers of instances, in the order of the composition
  FamilyStatus status = FamilyStatus::Engaged;
  std::string problem;               ///< why it could not be engaged, or is still in memory; empty: all is well
  std::vector<std::string> told;     ///< what is worth telling of how it last left or came back
  bool is_starting = false;          ///< disengaged still, while its new code is loaded beside the run
  std::uint64_t disengagements = 0;  ///< how often
};

}  // namespace openmi
