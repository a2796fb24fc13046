// Documents and code agree: links lead somewhere, citations are in the bibliography, kernels name their sources, every
// source is built, and the component shown in the README is the one that the tests build.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace openmi::structure {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

const fs::path kRoot = OPENMI_SOURCE_DIR;

std::string ReadText(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Files of the tree with one of these endings, relative to the root; build folders, results and hidden folders left
// out.
std::vector<fs::path> FilesEndingIn(const std::set<std::string>& endings) {
  std::vector<fs::path> files;
  for (auto entry = fs::recursive_directory_iterator(kRoot); entry != fs::recursive_directory_iterator(); ++entry) {
    const std::string name = entry->path().filename().string();
    if (entry->is_directory()) {
      if (name.starts_with('.') || (entry.depth() == 0 && (name.starts_with("build") || name == "results"))) {
        entry.disable_recursion_pending();
      }
    } else if (endings.contains(entry->path().extension().string())) {
      files.push_back(fs::relative(entry->path(), kRoot));
    }
  }
  return files;
}

std::set<std::string> AllMatches(const std::string& text, const std::regex& pattern) {
  std::set<std::string> matches;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    matches.insert((*match)[1]);
  }
  return matches;
}

TEST(Documents, LinkToFilesThatExist) {
  const std::regex link(R"(\]\(([^)#:\s]+)(#[^)]*)?\))");  // a colon means another machine
  int links = 0;
  for (const fs::path& file : FilesEndingIn({".md"})) {
    for (const std::string& target : AllMatches(ReadText(kRoot / file), link)) {
      ++links;
      EXPECT_TRUE(fs::exists(kRoot / file.parent_path() / target)) << file << " links to " << target;
    }
  }
  EXPECT_GT(links, 4) << "the pattern finds no links any more";
}

TEST(Documents, CiteWhatTheBibliographyHas) {
  const std::set<std::string> known =
      AllMatches(ReadText(kRoot / "docs/references.bib"), std::regex(R"(@\w+\{([^,\s]+),)"));
  ASSERT_THAT(known, Contains("NashSutcliffe1970"));
  const std::regex citation(R"(//[^\n]*\[([A-Z][A-Za-z]+[0-9]{4}[a-z]?)\])");
  for (const fs::path& file : FilesEndingIn({".cpp", ".hpp"})) {
    for (const std::string& key : AllMatches(ReadText(kRoot / file), citation)) {
      EXPECT_TRUE(known.contains(key)) << file << " cites [" << key << "]; add it to docs/references.bib";
    }
  }
}

TEST(Documents, NameTheSourceOfEachKernel) {
  int kernels = 0;
  for (const fs::path& file : FilesEndingIn({".hpp"})) {
    if (file.parent_path().filename() != "kernels") continue;
    ++kernels;
    EXPECT_NE(ReadText(kRoot / file).find("/// Source: "), std::string::npos)
        << file << " says nowhere where its formulas come from; add a line '/// Source: [Key], section'";
  }
  EXPECT_GT(kernels, 20) << "the kernels are in another folder now";
}

TEST(Documents, ShowTheComponentThatTheTestsBuild) {
  const std::string readme = ReadText(kRoot / "README.md");
  const std::string fence = "```cpp\n";
  const std::size_t begin = readme.find(fence);
  ASSERT_NE(begin, std::string::npos);
  const std::size_t end = readme.find("```", begin + fence.size());
  EXPECT_EQ(readme.substr(begin + fence.size(), end - begin - fence.size()),
            ReadText(kRoot / "tests/structure/consumer/LinearReservoir.cpp"));
}

// A code block below a line <!-- path --> is cut out of that file; blanks do not count.
TEST(Documents, ShowCodeThatIsCompiled) {
  const auto squeezed = [](std::string text) {
    std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
    return text;
  };
  int snippets = 0;
  for (const fs::path& file : FilesEndingIn({".md"})) {
    const std::string text = ReadText(kRoot / file);
    for (std::size_t at = text.find("<!-- "); at != std::string::npos; at = text.find("<!-- ", at + 1)) {
      const std::size_t end = text.find(" -->\n```", at);
      if (end == std::string::npos || text.substr(at, end - at).find('\n') != std::string::npos) continue;
      const std::string source = text.substr(at + 5, end - at - 5);
      const std::size_t begin = text.find('\n', end + 5) + 1;
      const std::string snippet = text.substr(begin, text.find("```", begin) - begin);
      ++snippets;
      EXPECT_NE(squeezed(ReadText(kRoot / source)).find(squeezed(snippet)), std::string::npos)
          << file << " shows what is not in " << source << ":\n"
          << snippet;
    }
  }
  EXPECT_GT(snippets, 5) << "the pattern finds no snippets any more";
}

TEST(Sources, AreAllBuilt) {
  const fs::path commands = fs::path(OPENMI_BINARY_DIR) / "compile_commands.json";
  ASSERT_TRUE(fs::exists(commands)) << "configure with a preset, or with CMAKE_EXPORT_COMPILE_COMMANDS=ON";
  std::set<std::string> built = AllMatches(ReadText(commands), std::regex(R"re("file": "([^"]+)")re"));
  ASSERT_THAT(built, Not(IsEmpty()));
  for (const std::string& file : std::set(built)) {  // OPENMI_UNITY: batches that include their sources
    if (file.find("/Unity/unity_") != std::string::npos) {
      built.merge(AllMatches(ReadText(file), std::regex(R"re(#include "([^"]+)")re")));
    }
  }
  // Projects of their own, built by the tests against an installed tree, what is only there to be refused, what a
  // benchmark compiles itself while it runs, what clang alone compiles, and what OPENMI_WITH_WINE adds.
  const std::regex apart(
      "^(tests/structure/(consumer|next-version|subproject)|examples/hello-component)/.*"
      "|.*/MustNotCompile[.]cpp|bench/families/Solver[.]cpp|tests/fuzz/FuzzMain[.]cpp"
      "|fmi-bridge/fmi/wine/host/WindowsPlatform[.]cpp|bench/windows-fmu/.*");
  const bool has_bench = std::ranges::any_of(  // OPENMI_BUILD_BENCH may be off
      built, [&](const std::string& file) { return file.starts_with((kRoot / "bench").string()); });
  std::vector<fs::path> left_out;
  for (const fs::path& file : FilesEndingIn({".cpp", ".c", ".f90"})) {
    const bool is_wanted = has_bench || !file.generic_string().starts_with("bench/");
    if (is_wanted && !std::regex_match(file.generic_string(), apart) && !built.contains((kRoot / file).string())) {
      left_out.push_back(file);
    }
  }
  EXPECT_THAT(left_out, IsEmpty()) << "list them in the CMakeLists.txt of their folders";
}

TEST(Sources, StayShort) {
  for (const fs::path& file : FilesEndingIn({".cpp", ".hpp"})) {
    const std::string text = ReadText(kRoot / file);
    EXPECT_LE(std::ranges::count(text, '\n'), 1000) << file << " is long; what is its second subject?";
  }
}

}  // namespace
}  // namespace openmi::structure
