#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace openmi::described {

/// Adds a text of a description, unless it is empty.
inline void Put(nlohmann::ordered_json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}
template <class Number>
void Put(nlohmann::ordered_json& json, const char* key, const std::optional<Number>& number) {
  if (number) json[key] = *number;
}

}  // namespace openmi::described
