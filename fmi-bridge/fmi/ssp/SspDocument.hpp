#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Error.hpp"

/// \file
/// The documents of a package as trees, and their text.

namespace openmi::ssp {

/// The namespaces of SSP; 1.0 and 2.0 have the same ones.
///
/// Source: SSP 2.0, clauses 4 to 8, first paragraphs.
inline constexpr std::string_view kSsd = "http://ssp-standard.org/SSP1/SystemStructureDescription";
inline constexpr std::string_view kSsc = "http://ssp-standard.org/SSP1/SystemStructureCommon";
inline constexpr std::string_view kSsv = "http://ssp-standard.org/SSP1/SystemStructureParameterValues";
inline constexpr std::string_view kSsm = "http://ssp-standard.org/SSP1/SystemStructureParameterMapping";
inline constexpr std::string_view kSsb = "http://ssp-standard.org/SSP1/SystemStructureSignalDictionary";
/// The annotations of the Open Simulation Platform, whose reader expects the prefix osp.
inline constexpr std::string_view kOsp = "http://opensimulationplatform.com/SSP/OSPAnnotations";
/// The content of our own annotations.
inline constexpr std::string_view kAnnotationNamespace = "urn:openmi2:ssp:1";

/// A version of SSP that a package is written in.
enum class SspVersion { V1, V2 };
/// "1.0" or "2.0".
inline const char* Text(SspVersion version) {
  return version == SspVersion::V1 ? "1.0" : "2.0";
}

/// The limits of a document of a package.
inline constexpr XmlLimits kDocumentLimits{.depth = 128};
/// The time of the files in a package that is written: 1980-01-01, the first that ZIP knows. The same system gives the
/// same bytes.
inline constexpr std::int64_t kTimeOfFiles = 315532800;

/// Calls `write`, which writes files.
/// \throws FileError  in place of an error of the file system
template <class Write>
void WithFileErrors(Write write) {
  try {
    write();
  } catch (const std::filesystem::filesystem_error& error) {
    throw FileError({.file = error.path1().string()},
                    "expected a file that can be copied into the package, found: " + error.code().message(),
                    "check the file, and that there is space for it");
  }
}

/// An element with attributes; those with an empty value are left out.
XmlElement MakeElement(std::string_view namespace_uri, std::string_view name,
                       std::initializer_list<std::pair<std::string_view, std::string>> attributes = {});
/// Adds a child and returns it; valid until the next child is added.
XmlElement& AddChild(XmlElement& parent, XmlElement child);

/// The document in UTF-8 with the prefixes that the standard uses (ssd, ssc, ssv, ssm, ssb).
///
/// Reading it gives the same tree. Text between children comes before the first of them; comments are not kept.
/// \throws FormatError  a text that XML cannot hold
std::string DocumentText(const XmlElement& root);

}  // namespace openmi::ssp
