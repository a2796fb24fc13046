#include <gtest/gtest.h>

#include "fmi-bridge/export/fmu/shim/ResourcePath.hpp"

namespace openmi::fmu {
namespace {

TEST(ResourcePath, ReadsWhatImportersWrite) {
  EXPECT_EQ(FolderOfUri("file:///tmp/a%20b/resources"), "/tmp/a b/resources");
  EXPECT_EQ(FolderOfUri("file:/tmp/resources/"), "/tmp/resources");
  EXPECT_EQ(FolderOfUri("file://localhost/tmp/resources"), "/tmp/resources");
  EXPECT_EQ(FolderOfUri("/tmp/plain"), "/tmp/plain");
  EXPECT_EQ(FolderOfUri("file:///tmp/%c3%A4%"), "/tmp/\xc3\xa4%") << "half an escape stays";
  EXPECT_EQ(FolderOfUri(nullptr), "");
  EXPECT_EQ(FolderOfPath("/tmp/resources//"), "/tmp/resources");
  EXPECT_EQ(FolderOfPath("/"), "/");
  EXPECT_EQ(FolderOfPath(nullptr), "");
}

}  // namespace
}  // namespace openmi::fmu
