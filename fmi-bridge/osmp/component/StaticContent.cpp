#include "fmi-bridge/osmp/component/StaticContent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "fmi-bridge/osmp/schema/Schema.hpp"
#include "fmi-bridge/osmp/wire/MessageWriter.hpp"
#include "fmi-bridge/osmp/wire/OsiFields.hpp"

namespace openmi::osmp {
namespace {

namespace ground_truth = osi::field::ground_truth;
using osi::FieldReader;
using osi::Message;

/// Lists of a ground truth whose entries start with an identifier, with their names and whether they are stationary.
struct ListInfo {
  std::uint32_t number;
  const char* name;
  bool is_static;
};
constexpr std::array kLists = {
    ListInfo{ground_truth::kStationaryObject, "stationary_object", true},
    ListInfo{ground_truth::kMovingObject, "moving_object", false},
    ListInfo{ground_truth::kTrafficSign, "traffic_sign", true},
    ListInfo{ground_truth::kTrafficLight, "traffic_light", true},
    ListInfo{ground_truth::kRoadMarking, "road_marking", true},
    ListInfo{ground_truth::kLaneBoundary, "lane_boundary", true},
    ListInfo{ground_truth::kLane, "lane", true},
    ListInfo{ground_truth::kReferenceLine, "reference_line", true},
    ListInfo{ground_truth::kLogicalLaneBoundary, "logical_lane_boundary", true},
    ListInfo{ground_truth::kLogicalLane, "logical_lane", true},
};
// TrafficLight.classification, and color and mode in it.
constexpr std::uint32_t kLightClassification = 3, kLightColor = 1, kLightMode = 3;

const ListInfo* ListOf(std::uint32_t number) {
  const auto* found = std::ranges::find(kLists, number, &ListInfo::number);
  return found == kLists.end() ? nullptr : found;
}

Message GroundTruthIn(Message message, bool is_view) {
  if (!is_view) return message;
  Message found;
  for (FieldReader in(message); in.Next();) {
    if (in.Number() == osi::field::sensor_view::kGlobalGroundTruth) found = in.Content();
  }
  return found;
}

std::optional<std::uint64_t> IdOf(Message object) {
  for (FieldReader in(object); in.Next();) {
    if (in.Number() != 1) continue;
    for (FieldReader id(in.Content()); id.Next();) {
      std::uint64_t value = 0;
      if (id.Number() == osi::field::identifier::kValue && id.Read(value)) return value;
    }
  }
  return std::nullopt;
}

/// The name of a field in an object of a list, if the field may change; empty for one that stays.
std::string ChangingField(std::uint32_t list, std::uint32_t number) {
  namespace moving = osi::field::moving_object;
  if (list != ground_truth::kMovingObject) return {};
  if (number == moving::kId || number == moving::kType || number == moving::kModelReference) return {};
  const osi::MessageInfo* info = osi::Schema::Subset().Find("MovingObject");
  const osi::FieldInfo* field = info != nullptr ? info->Find(number) : nullptr;
  return fmt::format("moving_object.{}", field != nullptr ? field->name : fmt::format("field {}", number));
}

void CopyStatic(osi::MessageWriter& out, std::uint32_t list, Message object, std::set<std::string>* left_out) {
  const auto leave_out = [left_out](const std::string& name) {
    if (left_out != nullptr) left_out->insert(name);
  };
  out.Begin(list);
  for (FieldReader in(object); in.Next();) {
    if (const std::string changing = ChangingField(list, in.Number()); !changing.empty()) {
      leave_out(changing);
    } else if (list == ground_truth::kTrafficLight && in.Number() == kLightClassification) {
      out.Begin(kLightClassification);
      for (FieldReader light(in.Content()); light.Next();) {
        if (light.Number() != kLightColor && light.Number() != kLightMode) {
          out.Copy(light.Whole());
        } else {
          leave_out("traffic_light.classification");
        }
      }
      out.End();
    } else {
      out.Copy(in.Whole());
    }
  }
  out.End();
}

/// The path of the first field of `a` that `b` has with another value; empty where there is none.
std::string FirstDifference(Message a, Message b, const osi::MessageInfo* info) {
  std::vector<std::pair<std::uint32_t, std::size_t>> counts;  // how many of each number were seen
  for (FieldReader in(a); in.Next();) {
    auto seen = std::ranges::find(counts, in.Number(), [](const auto& one) { return one.first; });
    if (seen == counts.end()) seen = counts.insert(counts.end(), {in.Number(), 0});
    const std::size_t which = seen->second++;
    std::size_t at = 0;
    bool is_there = false;
    bool same = false;
    Message other;
    for (FieldReader there(b); there.Next();) {
      if (there.Number() != in.Number() || at++ != which) continue;
      is_there = true;
      same = std::ranges::equal(in.Whole(), there.Whole());
      other = there.Content();
      break;
    }
    if (!is_there || same) continue;
    const osi::FieldInfo* field = info != nullptr ? info->Find(in.Number()) : nullptr;
    std::string name = field != nullptr ? field->name : fmt::format("field {}", in.Number());
    if (field != nullptr && field->is_repeated) name += fmt::format("[{}]", which);
    if (field != nullptr && field->kind == osi::FieldKind::Nested) {
      const std::string inner = FirstDifference(in.Content(), other, osi::Schema::Subset().Find(field->message));
      if (inner.empty()) continue;  // the same values in another order
      name += "." + inner;
    }
    return name;
  }
  return {};
}

}  // namespace

Bytes ReduceToStatic(Message message, bool is_view, std::set<std::string>* left_out) {
  osi::MessageWriter out;
  for (FieldReader in(GroundTruthIn(message, is_view)); in.Next();) {
    const char* changing = in.Number() == osi::field::kTimestamp                   ? "timestamp"
                           : in.Number() == ground_truth::kOccupant                ? "occupant"
                           : in.Number() == ground_truth::kEnvironmentalConditions ? "environmental_conditions"
                                                                                   : nullptr;
    if (changing != nullptr) {
      if (left_out != nullptr) left_out->insert(changing);
    } else if (ListOf(in.Number()) != nullptr) {
      CopyStatic(out, in.Number(), in.Content(), left_out);
    } else {
      out.Copy(in.Whole());
    }
  }
  const Message written = out.Written();
  return {written.begin(), written.end()};
}

StaticContent::StaticContent(Message message) {
  for (FieldReader in(message); in.Next();) {
    if (ListOf(in.Number()) == nullptr) continue;
    kinds_ |= std::uint64_t{1} << in.Number();
    const Message object = in.Content();
    if (const auto id = IdOf(object)) {
      objects_.push_back({*id, in.Number(), static_cast<std::uint32_t>(object.size()), object.data()});
    }
  }
  std::ranges::sort(objects_, {}, &Object::id);
  const auto twice = std::ranges::adjacent_find(objects_, {}, &Object::id);
  if (twice != objects_.end()) {
    throw osi::WireError(fmt::format("expected each id once, found {} of {} and of {}", twice->id,
                                     ListOf(twice->kind)->name, ListOf((twice + 1)->kind)->name));
  }
}

const StaticContent::Object* StaticContent::Find(std::uint64_t id) const {
  const auto found = std::ranges::lower_bound(objects_, id, {}, &Object::id);
  return found != objects_.end() && found->id == id ? &*found : nullptr;
}

std::optional<StaticDifference> StaticContent::Compare(Message message, bool is_view) const {
  for (FieldReader in(GroundTruthIn(message, is_view)); in.Next();) {
    const ListInfo* list = ListOf(in.Number());
    if (list == nullptr) continue;
    const Message object = in.Content();
    const auto id = IdOf(object);
    if (!id) continue;
    const auto name = [&] { return fmt::format("{} {}", list->name, *id); };
    const Object* known = Find(*id);
    if (known == nullptr) {
      // Moving objects may be added, and objects of lists that the ground truth does not have. A list of stationary
      // objects that it has is complete.
      if (!list->is_static || (kinds_ >> in.Number() & 1) == 0) continue;
      return StaticDifference{
          true,
          name(),
          {},
          fmt::format("expected only ids of OSMPGroundTruthInit among what does not move, found {}, "
                      "which is not there",
                      name())};
    }
    if (known->kind != in.Number()) {
      return StaticDifference{true,
                              name(),
                              {},
                              fmt::format("expected id {} to be that of a {}, as in OSMPGroundTruthInit, found a {}",
                                          *id, ListOf(known->kind)->name, list->name)};
    }
    if (known->size == object.size() && std::memcmp(known->bytes, object.data(), object.size()) == 0) continue;
    const osi::MessageInfo* root = osi::Schema::Subset().Find("GroundTruth");
    const osi::FieldInfo* field = root != nullptr ? root->Find(in.Number()) : nullptr;
    const std::string path = FirstDifference({known->bytes, known->size}, object,
                                             field != nullptr ? osi::Schema::Subset().Find(field->message) : nullptr);
    if (path.empty()) continue;
    return StaticDifference{
        false, name(), path,
        fmt::format("expected {} of {} as OSMPGroundTruthInit has it, found another value", path, name())};
  }
  return std::nullopt;
}

}  // namespace openmi::osmp
