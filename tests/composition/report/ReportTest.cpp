#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "DemoReport.hpp"
#include "Markup.hpp"
#include "composition/report/HtmlReport.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

using testing::HasSubstr;
using testing::Not;

std::filesystem::path Folder() {
  const std::filesystem::path folder = std::filesystem::path(OPENMI_BINARY_DIR) / "tests" / "report";
  std::filesystem::create_directories(folder);
  return folder;
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(HtmlReport, WritesOneWellFormedPageWithEverySection) {
  const auto path = Folder() / "demo.html";
  WriteHtmlReport(DemoReport(), path);
  const std::string page = ReadFile(path);
  const MarkupCheck check = CheckMarkup(page);
  ASSERT_TRUE(check.is_well_formed) << check.problem;
  EXPECT_EQ(CountNodes(page, "//nav//a"), 9u);
  EXPECT_EQ(CountNodes(page, "//main/section"), 9u);
}

}  // namespace
}  // namespace openmi
