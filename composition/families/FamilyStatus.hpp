#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace openmi {

/// Whether the components of a family take part in the run.
enum class FamilyStatus {
  Disengaged,  ///< frozen: others get their last values; their code is unloaded
  Engaged
};

/// The text of a status: "disengaged", "engaged".
constexpr const char* NameOf(FamilyStatus status) {
  return status == FamilyStatus::Engaged ? "engaged" : "disengaged";
}

/// All components of a composition that have the same code.
struct Family {
  std::string key;                   ///< see FamilyKeyOf
  std::vector<std::size_t> members;  ///< indices of instances, in the order of the composition
  FamilyStatus status = FamilyStatus::Engaged;
  std::string problem;               ///< why it could not be engaged, or is still in memory; empty: no problem
  std::vector<std::string> told;     ///< notes and warnings of the last time it left or came back
  bool is_starting = false;          ///< still disengaged, while its new code is loaded beside the run
  std::uint64_t disengagements = 0;  ///< how many times it was disengaged
};

}  // namespace openmi
