// What a library would register with a shared libprotobuf, read off its file.
#include <gmock/gmock.h>

#include "fmi-bridge/fmi/run/ProtobufClaims.hpp"

namespace openmi::fmi {
namespace {

TEST(ProtobufClaims, DescriptionsAreFoundByTheirNames) {
  // Each begins with its name as field 1; what it imports is field 3 and none of its own.
  std::string bytes(100, '\x7F');
  bytes += "\x0A\x10osi_common.proto\x12\x04osi3\x1A\x11osi_version.proto";
  bytes.append(7, '\0');
  bytes += "\x0A\x11osi_version.proto\x12\x04osi3 and text that names osi_lane.proto";
  EXPECT_EQ(DescribedProtoFiles(bytes), (std::vector<std::string>{"osi_common.proto", "osi_version.proto"}));
  EXPECT_TRUE(DescribedProtoFiles("").empty());
  EXPECT_TRUE(DescribedProtoFiles(".proto").empty());
}

TEST(ProtobufClaims, AProgramWithoutProtobufClaimsNothing) {
  EXPECT_TRUE(ProtobufClaims("/proc/self/exe", "me").empty());
  EXPECT_TRUE(ProtobufClaims("/none", "me").empty());
  EXPECT_TRUE(ReadSharedObject("x", std::string(4096, '\x7F')).needed.empty());
}

}  // namespace
}  // namespace openmi::fmi
