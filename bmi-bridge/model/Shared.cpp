#include "bmi-bridge/model/Model.hpp"
#include "openmi/sdk/SharedByKey.hpp"

namespace openmi::bmi {

std::shared_ptr<const std::string> SharedText(const std::string& text) {
  static auto& texts = *new SharedByKey<std::string, const std::string>;
  return texts.Get(text, [&] { return std::make_shared<const std::string>(text); });
}

std::shared_ptr<const ::Bmi> SharedFunctions(const ::Bmi& functions) {
  static auto& tables = *new SharedByKey<std::string, const ::Bmi>;
  ::Bmi table = functions;
  table.data = nullptr;
  const std::string bytes(reinterpret_cast<const char*>(&table), sizeof table);
  return tables.Get(bytes, [&] { return std::make_shared<const ::Bmi>(table); });
}

}  // namespace openmi::bmi
