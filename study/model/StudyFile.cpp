#include "study/model/StudyFile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "openmi/omi/XmlReader.hpp"
#include "study/model/StudyReader.hpp"

namespace openmi {

std::string VarySpec::TargetText() const {
  switch (target) {
    case VaryTarget::Argument:
      return component + "." + argument;
    case VaryTarget::Component:
      return "component " + component;
    case VaryTarget::InitialState:
      return "initial state of " + component;
    case VaryTarget::Adaptor:
      return fmt::format("adaptor {} of link {}", adaptor, link);
    case VaryTarget::AdaptorArgument:
      return fmt::format("{} of adaptor {} of link {}", argument, adaptor, link);
    case VaryTarget::Template:
      break;
  }
  return "templates";
}

std::string VarySpec::At(double share) const {
  if (!values.empty()) {
    const auto count = static_cast<double>(values.size());
    const auto index = static_cast<std::size_t>(std::clamp(std::floor(share * count), 0.0, count - 1.0));
    return values[index].text;
  }
  if (is_whole) {  // each whole number has the same part of the range
    const double count = std::floor(*to) - std::ceil(*from) + 1.0;
    return fmt::format("{}", std::ceil(*from) + std::clamp(std::floor(share * count), 0.0, count - 1.0));
  }
  if (scale == VaryScale::Log) {
    const double low = std::log(*from);
    return fmt::format("{}", std::clamp(std::exp(low + share * (std::log(*to) - low)), *from, *to));
  }
  return fmt::format("{}", std::clamp(*from + share * (*to - *from), *from, *to));
}

double ObjectiveSpec::CostOf(double value) const {
  switch (measure) {
    case ObjectiveMeasure::Nse:
    case ObjectiveMeasure::Kge:
    case ObjectiveMeasure::LogNse:
      return 1.0 - value;
    case ObjectiveMeasure::Volume:
    case ObjectiveMeasure::Peak:
    case ObjectiveMeasure::Rmse:
      return std::abs(value);
    default:
      return goal == ObjectiveGoal::Minimize ? value : -value;
  }
}

StudyFile ReadStudyFile(const std::filesystem::path& path, Problems& problems) {
  StudyFile file;
  file.path = path;
  StudyReader(file, problems).Read(ReadXmlFile(path));
  return file;
}

StudyFile ReadStudyText(std::string_view bytes, const std::filesystem::path& path, Problems& problems) {
  StudyFile file;
  file.path = path;
  StudyReader(file, problems).Read(ReadXml(bytes, path.string()));
  return file;
}

}  // namespace openmi
