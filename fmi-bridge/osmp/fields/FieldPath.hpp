#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/schema/Schema.hpp"

namespace openmi::osi {

/// The way from a message to a number in it, as in "moving_object[*].base.position.x".
///
/// Names stand between points. Behind a repeated field stands what is meant of it: [*] all (once in a path), [3] the
/// fourth.
struct FieldPath {
  static constexpr int kAll = -1;   ///< every one of a repeated field
  static constexpr int kOnly = -2;  ///< the field is not repeated

  struct Step {
    const FieldInfo* field = nullptr;  ///< of the schema
    int index = kOnly;
  };

  std::string text;
  std::vector<Step> steps;
  std::string unit;  ///< of the number: what its place says ("velocity": m/s), else what the number says; may be empty
  /// The number of the step with [*]; the number of steps where there is none.
  std::size_t all = 0;

  const FieldInfo& Leaf() const { return *steps.back().field; }
  bool HasAll() const { return all < steps.size(); }
  /// "moving_object" of the path above; empty where nothing is repeated.
  std::string ListText() const;

  /// What may stand at the end of a path.
  enum class Ends { InNumber, InNumberOrMessage };
  /// \throws ArgumentError  a name that the message does not have (proposes the nearest), an index too few or too many,
  ///                        no number at the end
  static FieldPath Parse(const Schema& schema, const std::string& message, const std::string& text,
                         Ends ends = Ends::InNumber);
};

/// How the objects of a list say who they are: the way from one to its id ("id.value", "header.tracking_id.value").
/// Empty where they do not.
std::vector<const FieldInfo*> IdPath(const Schema& schema, const std::string& message);

}  // namespace openmi::osi
