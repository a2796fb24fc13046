#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/schema/Schema.hpp"

namespace openmi::osi {

/// The path from a message to a number in it, as in "moving_object[*].base.position.x".
///
/// Names are separated by points. After a repeated field comes what is selected: [*] all of it (once in a path), [3]
/// the fourth entry.
struct FieldPath {
  static constexpr int kAll = -1;   ///< all entries of a repeated field
  static constexpr int kOnly = -2;  ///< the field is not repeated

  struct Step {
    const FieldInfo* field = nullptr;  ///< of the schema
    int index = kOnly;
  };

  std::string text;
  std::vector<Step> steps;
  std::string unit;  ///< of the number: that of its context ("velocity": m/s), else that of its own field; may be empty
  /// Position of the step with [*]; the number of steps where there is none.
  std::size_t all = 0;

  const FieldInfo& Leaf() const { return *steps.back().field; }
  bool HasAll() const { return all < steps.size(); }
  /// The path to the list: "moving_object" in the example above; empty where nothing is repeated.
  std::string ListText() const;

  /// What a path may end in.
  enum class Ends { InNumber, InNumberOrMessage };
  /// Reads a path.
  /// \throws ArgumentError  a name that the message does not have (proposes the nearest), a missing or superfluous
  ///   index, or no number at the end
  static FieldPath Parse(const Schema& schema, const std::string& message, const std::string& text,
                         Ends ends = Ends::InNumber);
};

/// The path from an object of a list to its id ("id.value", "header.tracking_id.value"). Empty where objects have no
/// id.
std::vector<const FieldInfo*> IdPath(const Schema& schema, const std::string& message);

}  // namespace openmi::osi
