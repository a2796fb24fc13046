#pragma once

#include <string>

#include "fmi-bridge/osmp/schema/Schema.hpp"

namespace openmi::osi {

/// The table of a release of OSI, made by protobuf of its folder of .proto files, or of a descriptor set (what protoc
/// writes with --descriptor_set_out).
///
/// A fresh checkout serves as it is: the file with the version is made of its template where it is not there yet. Units
/// come out of the comments ("Unit: m/s"), else from the subset that is built in.
/// \throws FileError    the folder or file is not there, or holds no OSI
/// \throws FormatError  protobuf refuses it: with its sentences
Schema ReadRelease(const std::string& folder_or_file);

}  // namespace openmi::osi
