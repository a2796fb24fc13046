#include "tools/osi-table/ReadRelease.hpp"

#include <fmt/format.h>
#include <google/protobuf/compiler/importer.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "fmi-bridge/osmp/wire/CommonMessages.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi::osi {
namespace {

namespace pb = google::protobuf;
namespace fs = std::filesystem;

constexpr int kVersionOption = 81000;  // of osi_version.proto: the version of the release
constexpr std::string_view kVersionFile = "osi_version.proto";

std::string TextOf(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A stream over a text that it owns.
class TextStream final : public pb::io::ArrayInputStream {
 public:
  explicit TextStream(std::unique_ptr<std::string> text)
      : ArrayInputStream(text->data(), static_cast<int>(text->size())), text_(std::move(text)) {}

 private:
  std::unique_ptr<std::string> text_;
};

/// The files of a release, and those that belong to it but are not in the folder.
class ReleaseFiles final : public pb::compiler::SourceTree {
 public:
  explicit ReleaseFiles(fs::path folder) : folder_(std::move(folder)) {}

  pb::io::ZeroCopyInputStream* Open(pb::ConstStringParam name) override {
    const fs::path file = folder_ / std::string(name);
    std::string text;
    if (fs::is_regular_file(file)) {
      text = TextOf(file);
    } else if (std::string(name) == kVersionFile && fs::is_regular_file(file.string() + ".in")) {
      text = FilledIn(TextOf(file.string() + ".in"));
    } else if (std::string(name) == "google/protobuf/descriptor.proto") {
      text = pb::FileDescriptorProto::descriptor()->file()->DebugString();
    } else {
      error_ = "expected '" + file.string() + "', found no such file";
      return nullptr;
    }
    return new TextStream(std::make_unique<std::string>(std::move(text)));
  }
  std::string GetLastErrorMessage() override { return error_; }

 private:
  /// The template with the numbers from the file VERSION ("VERSION_MAJOR = 3").
  std::string FilledIn(std::string text) const {
    std::istringstream lines(TextOf(folder_ / "VERSION"));
    for (std::string line; std::getline(lines, line);) {
      const auto equals = line.find('=');
      if (equals == std::string::npos) continue;
      std::string key = line.substr(0, line.find_first_of(" \t="));
      std::string value = line.substr(equals + 1);
      std::erase_if(value, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '"'; });
      key = "@" + key + "@";
      for (auto at = text.find(key); at != std::string::npos; at = text.find(key)) text.replace(at, key.size(), value);
    }
    return text;
  }

  fs::path folder_;
  std::string error_;
};

class Complaints final : public pb::compiler::MultiFileErrorCollector, public pb::DescriptorPool::ErrorCollector {
 public:
  void AddError(const std::string& file, int line, int column, const std::string& message) override {
    if (text_.empty()) text_ = fmt::format("{}:{}:{}: {}", file, line + 1, column + 1, message);
  }
  void AddError(const std::string& file, const std::string& element, const pb::Message*, ErrorLocation,
                const std::string& message) override {
    if (text_.empty()) text_ = fmt::format("{}: {}: {}", file, element, message);
  }
  const std::string& First() const { return text_; }

 private:
  std::string text_;
};

FieldKind KindOf(const pb::FieldDescriptor& field) {
  switch (field.type()) {
    case pb::FieldDescriptor::TYPE_DOUBLE:
      return FieldKind::Double;
    case pb::FieldDescriptor::TYPE_FLOAT:
      return FieldKind::Float;
    case pb::FieldDescriptor::TYPE_BOOL:
      return FieldKind::Bool;
    case pb::FieldDescriptor::TYPE_ENUM:
      return FieldKind::Enum;
    case pb::FieldDescriptor::TYPE_INT32:
      return FieldKind::Int32;
    case pb::FieldDescriptor::TYPE_INT64:
      return FieldKind::Int64;
    case pb::FieldDescriptor::TYPE_UINT32:
      return FieldKind::Uint32;
    case pb::FieldDescriptor::TYPE_UINT64:
      return FieldKind::Uint64;
    case pb::FieldDescriptor::TYPE_SINT32:
      return FieldKind::Sint32;
    case pb::FieldDescriptor::TYPE_SINT64:
      return FieldKind::Sint64;
    case pb::FieldDescriptor::TYPE_FIXED32:
      return FieldKind::Fixed32;
    case pb::FieldDescriptor::TYPE_FIXED64:
      return FieldKind::Fixed64;
    case pb::FieldDescriptor::TYPE_SFIXED32:
      return FieldKind::Sfixed32;
    case pb::FieldDescriptor::TYPE_SFIXED64:
      return FieldKind::Sfixed64;
    case pb::FieldDescriptor::TYPE_STRING:
      return FieldKind::Text;
    case pb::FieldDescriptor::TYPE_MESSAGE:
      return FieldKind::Nested;
    default:
      return FieldKind::Bytes;
  }
}

std::string NameOfMessage(const pb::Descriptor& message) {
  std::string name(message.full_name());
  const std::string package(message.file()->package());
  return package.empty() ? name : name.substr(package.size() + 1);
}

/// The unit that the comment above a field names, if there is exactly one and udunits knows it: "Unit: m/s^2".
std::string UnitOf(const pb::FieldDescriptor& field) {
  pb::SourceLocation place;
  if (!field.GetSourceLocation(&place)) return {};
  const std::string comment = place.leading_comments + "\n" + place.trailing_comments;
  const auto at = comment.find("Unit:");
  if (at == std::string::npos) return {};
  std::string unit = comment.substr(at + 5, comment.find('\n', at) - at - 5);
  while (!unit.empty() && (unit.back() == ' ' || unit.back() == '.' || unit.back() == '\r')) unit.pop_back();
  unit.erase(0, std::min(unit.find_first_not_of(' '), unit.size()));
  if (unit.empty() || unit.find(',') != std::string::npos) return {};  // several units: each is for another case
  try {
    Unit::Parse(unit);
  } catch (const Error&) {
    return {};
  }
  return unit;
}

void AddMessage(const pb::Descriptor& message, Schema& schema) {
  MessageInfo info{.name = NameOfMessage(message), .fields = {}};
  for (int i = 0; i < message.field_count(); ++i) {
    const pb::FieldDescriptor& field = *message.field(i);
    FieldInfo one;
    one.number = static_cast<std::uint32_t>(field.number());
    one.name = field.name();
    one.kind = KindOf(field);
    one.is_repeated = field.is_repeated();
    if (one.kind == FieldKind::Nested) one.message = NameOfMessage(*field.message_type());
    one.unit = UnitOf(field);
    info.fields.push_back(std::move(one));
  }
  schema.Add(std::move(info));
  for (int i = 0; i < message.nested_type_count(); ++i) AddMessage(*message.nested_type(i), schema);
}

/// The version in the options of a file; empty if it has none.
std::string VersionOf(const pb::FileDescriptor& file) {
  pb::FileOptions options;  // serialised and parsed, so that an extension becomes an unknown field
  options.ParseFromString(file.options().SerializeAsString());
  const pb::UnknownFieldSet& unknown = options.GetReflection()->GetUnknownFields(options);
  InterfaceVersion version{0, 0, 0};  // its parts may be stored one by one
  bool has_version = false;
  for (int i = 0; i < unknown.field_count(); ++i) {
    if (unknown.field(i).number() != kVersionOption ||
        unknown.field(i).type() != pb::UnknownField::TYPE_LENGTH_DELIMITED) {
      continue;
    }
    const std::string& bytes = unknown.field(i).length_delimited();
    Merge(std::as_bytes(std::span(bytes)), version);
    has_version = true;
  }
  return has_version ? fmt::format("{}.{}.{}", version.major, version.minor, version.patch) : std::string();
}

void AddFile(const pb::FileDescriptor& file, Schema& schema) {
  if (file.package() == "google.protobuf") return;
  for (int i = 0; i < file.message_type_count(); ++i) AddMessage(*file.message_type(i), schema);
  const std::string version = VersionOf(file);
  if (!version.empty()) schema.SetVersion(version);
}

void RequireOsi(Schema& schema, const std::string& from) {
  if (schema.Find("GroundTruth") == nullptr || schema.Find("SensorView") == nullptr) {
    throw FileError({.file = from},
                    "expected the messages GroundTruth and SensorView of OSI, found none of these names",
                    "name the folder with osi_groundtruth.proto, or a descriptor set made of it with its imports");
  }
  if (schema.Version().empty()) schema.SetVersion("unknown");
  schema.TakeUnits(Schema::Subset());
}

Schema ReadFolder(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".proto") && entry.is_regular_file()) names.push_back(name);
    if (name == std::string(kVersionFile) + ".in") names.emplace_back(kVersionFile);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (names.empty()) {
    throw FileError({.file = folder}, "expected a folder with the .proto files of OSI, found none in it",
                    "name the folder with osi_groundtruth.proto");
  }
  ReleaseFiles files(folder);
  Complaints complaints;
  pb::compiler::Importer importer(&files, &complaints);
  Schema schema;
  for (const std::string& name : names) {
    const pb::FileDescriptor* file = importer.Import(name);
    if (file == nullptr) {
      throw FormatError({.file = folder},
                        fmt::format("expected files that protobuf reads, found '{}'", complaints.First()),
                        "name the folder of a whole release");
    }
    AddFile(*file, schema);
  }
  RequireOsi(schema, folder);
  return schema;
}

Schema ReadDescriptorSet(const std::string& name) {
  pb::FileDescriptorSet set;
  std::ifstream stream(name, std::ios::binary);
  if (!stream || !set.ParseFromIstream(&stream) || set.file_size() == 0) {
    throw FormatError({.file = name}, "expected a folder or a descriptor set, found a file that protobuf does not read",
                      "make one with protoc --include_imports --include_source_info --descriptor_set_out");
  }
  pb::DescriptorPool pool;
  Complaints complaints;
  Schema schema;
  for (const pb::FileDescriptorProto& proto : set.file()) {
    const pb::FileDescriptor* file = pool.BuildFileCollectingErrors(proto, &complaints);
    if (file == nullptr) {
      throw FormatError({.file = name}, fmt::format("expected files that fit together, found '{}'", complaints.First()),
                        "make the set with protoc --include_imports");
    }
    AddFile(*file, schema);
  }
  RequireOsi(schema, name);
  return schema;
}

}  // namespace

Schema ReadRelease(const std::string& folder_or_file) {
  if (!fs::exists(folder_or_file)) {
    throw FileError({.file = folder_or_file}, "expected a folder or a descriptor set, found nothing there");
  }
  return fs::is_directory(folder_or_file) ? ReadFolder(folder_or_file) : ReadDescriptorSet(folder_or_file);
}

}  // namespace openmi::osi
