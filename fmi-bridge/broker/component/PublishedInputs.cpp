#include "fmi-bridge/broker/component/PublishedInputs.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

namespace openmi::broker {

void PublishedInputs::Add(const Field& field, ScalarInput input) {
  inputs_.push_back({nlohmann::json(field.source).dump(), field.type, input});
}

bool PublishedInputs::Write(bool all, std::string& body) {
  all = !std::exchange(has_published_, true) || all;
  body = "{";
  for (auto& [member, type, input, last] : inputs_) {
    const double value = input.Get();
    const bool is_same = value == last || (std::isnan(value) && std::isnan(last));
    if (is_same && !all) continue;
    last = value;
    if (!std::isfinite(value)) {
      fmt::format_to(std::back_inserter(body), "{}:null,", member);
    } else if (type == FieldType::Boolean) {
      fmt::format_to(std::back_inserter(body), "{}:{},", member, value != 0.0);
    } else if (type == FieldType::Integer) {
      fmt::format_to(std::back_inserter(body), "{}:{:.0f},", member, value);
    } else {
      fmt::format_to(std::back_inserter(body), "{}:{},", member, value);
    }
  }
  return body.size() > 1;
}

void PublishedInputs::Save(StateWriter& writer) const {
  writer.Write(has_published_);
  for (const Entry& entry : inputs_) writer.Write(entry.last);
}

void PublishedInputs::Load(StateReader& reader) {
  has_published_ = reader.ReadBool();
  for (Entry& entry : inputs_) entry.last = reader.ReadDouble();
}

}  // namespace openmi::broker
