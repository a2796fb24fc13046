#include <algorithm>

#include "fmi-bridge/common/archive/UnpackedArchive.hpp"
#include "fmi-bridge/dcp/protocol/description/DescriptionParts.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "openmi/omi/SchemaValidator.hpp"
#include "openmi/omi/XmlReader.hpp"

namespace openmi::dcp {

SlaveDescription ReadSlaveDescription(std::string_view bytes, const std::string& file, Problems& problems) {
  const XmlDocument document = ReadXml(bytes, file, XmlLimits());
  const std::size_t notes = problems.size() + document.notes.size();
  SlaveDescription description = ReadSlaveDocument(document, file, problems);
  // The checks above report more clearly; the validator runs only where they found no error.
  const auto is_error = [](const Problem& problem) { return problem.severity == Problem::Error; };
  if (std::none_of(problems.begin() + static_cast<std::ptrdiff_t>(notes), problems.end(), is_error)) {
    const Problems further = ValidateXml(document, "DcpSlaveDescription.xsd");
    problems.insert(problems.end(), further.begin(), further.end());
  }
  return description;
}

SlaveDescription LoadSlaveDescription(const std::filesystem::path& path, Problems& problems) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error) || path.extension() == ".dcp") {
    const std::string entry(kDescriptionEntry);
    return ReadSlaveDescription(ReadFromArchive(path, entry, XmlLimits().bytes), (path / entry).string(), problems);
  }
  return ReadSlaveDescription(ReadXmlBytes(path), path.string(), problems);
}

}  // namespace openmi::dcp
