#pragma once

#include <string>

#include "fmi-bridge/osmp/schema/Schema.hpp"

namespace openmi::osi {

/// Makes the table of a release of OSI. protobuf reads its folder of .proto files, or a descriptor set (the output of
/// protoc with --descriptor_set_out).
///
/// A fresh checkout can be used as it is: if the file with the version is missing, it is made from its template. Units
/// come from the comments ("Unit: m/s"), else from the built-in subset.
/// \throws FileError  the folder or file does not exist, or holds no OSI
/// \throws FormatError  protobuf refuses it; the message has protobuf's sentences
Schema ReadRelease(const std::string& folder_or_file);

}  // namespace openmi::osi
