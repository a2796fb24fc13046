#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "openmi/omi/ExportComponent.hpp"
#include "openmi/omi/LoadOmi.hpp"
#include "openmi/sdk/IArgumentMeaning.hpp"
#include "tests/openmi/plugins/PluginFolder.hpp"
#include "tests/support/ForeignComponent.hpp"

namespace {

class ReadsFiles final : public foreign::Component, public openmi::IFileRoot {
 public:
  void SetFileRoot(const std::string& folder) override { SetDescription(folder); }
};

}  // namespace

OPENMI_EXPORT_COMPONENT_AS("test.ReadsFiles", ReadsFiles)

namespace openmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::ThrowsMessage;

class LoadingOmi : public testing::Test {
 protected:
  LoadingOmi() { folder_.Take("libgood_plugin.so"); }

  OmiFile Omi(const std::string& attributes, const std::string& inside) {
    return ReadOmiText("<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\"\n  " + attributes + ">\n" + inside +
                           "\n</LinkableComponent>\n",
                       folder_ / "creek.omi");
  }
  OmiFile Good(const std::string& arguments) {
    return Omi("Type=\"LinearReservoir\" Assembly=\"good_plugin\"", "<Arguments>\n" + arguments + "\n</Arguments>");
  }
  static std::string ArgumentOf(const LoadedComponent& loaded, std::size_t index) {
    return loaded.component->Arguments()[index]->ValueAsString();
  }

  PluginFolder folder_;
  ComponentLoader loader_;
};

TEST_F(LoadingOmi, SetsTheArguments) {
  const LoadedComponent loaded = LoadOmi(loader_, Good("<Argument Key=\"factor\" Value=\"3.25\"/>\n"
                                                       "<Argument Key=\"label\" Value=\"upper creek\"/>"));
  EXPECT_EQ(ArgumentOf(loaded, 0), "3.25");
  EXPECT_EQ(ArgumentOf(loaded, 1), "upper creek");
  EXPECT_EQ(loaded.component->Status(), LinkableComponentStatus::Created);
}

TEST_F(LoadingOmi, TellsTheFolderThatFileNamesStandAgainst) {
  const LoadedComponent loaded = LoadOmi(loader_, Omi("Type=\"test.ReadsFiles\"", ""));
  EXPECT_EQ(loaded.component->Description(), folder_.Path().string());
}

TEST_F(LoadingOmi, AnUnknownKeyIsAnErrorAtItsLineWithTheNearestName) {
  const OmiFile omi = Good("<Argument Key=\"facter\" Value=\"3\"/>");
  Problems problems;
  const LoadedComponent loaded = LoadOmi(loader_, omi, &problems);
  EXPECT_NE(loaded.component, nullptr);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_THAT(FormatProblem(problems[0]),
              AllOf(HasSubstr("creek.omi:4: facter: expected the id of an argument, found 'facter'"),
                    HasSubstr("did you mean 'factor'?")));
  EXPECT_THAT([&] { LoadOmi(loader_, omi); }, ThrowsMessage<ArgumentError>(HasSubstr("creek.omi:4: facter: ")));
}

TEST_F(LoadingOmi, AllThatIsWrongIsFoundAtOnce) {
  Problems problems;
  LoadOmi(loader_,
          Good("<Argument Key=\"factor\" Value=\"3,5\"/>\n<Argument Key=\"x\" Value=\"\"/>\n"
               "<Argument Key=\"kind\" Value=\"mine\"/>\n<Argument Key=\"label\" Value=\"good\"/>"),
          &problems);
  ASSERT_THAT(problems, SizeIs(3));
  EXPECT_THAT(FormatProblem(problems[0]), HasSubstr("creek.omi:4: factor: expected a number, found '3,5'"));
  EXPECT_THAT(FormatProblem(problems[1]), HasSubstr("creek.omi:5: x: "));
  EXPECT_THAT(FormatProblem(problems[2]),
              AllOf(HasSubstr("creek.omi:6: kind: "), HasSubstr("read-only"), HasSubstr("'foreign'")));
}

TEST_F(LoadingOmi, AReadOnlyArgumentMayBeRepeated) {
  Problems problems;
  LoadOmi(loader_, Good("<Argument Key=\"kind\" Value=\"foreign\"/>"), &problems);
  EXPECT_THAT(problems, IsEmpty());
}

TEST_F(LoadingOmi, ACaptionWillDoWithANote) {
  LoadedComponent loaded = loader_.Load("good_plugin", "LinearReservoir", folder_ / "creek.omi");
  loaded.component->Arguments()[0]->SetCaption("storage factor");
  const OmiArgument arguments[] = {{.key = "storage factor", .value = "7", .line = 12}};
  Problems problems;
  SetArguments(*loaded.component, arguments, {.file = "basin.xml", .component = "creek"}, problems);
  EXPECT_EQ(ArgumentOf(loaded, 0), "7");
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].severity, Problem::Note);
  EXPECT_THAT(FormatProblem(problems[0]), HasSubstr("basin.xml:12: creek.storage factor: expected the id 'factor'"));
}

TEST_F(LoadingOmi, WhatTheOmiFileFixesACompositionCannotChange) {
  const OmiFile omi = Good("<Argument Key=\"factor\" Value=\"3\" ReadOnly=\"true\"/>");
  const LoadedComponent loaded = LoadOmi(loader_, omi);
  Problems problems;
  const OmiArgument same[] = {{.key = "factor", .value = "3"}};
  SetArguments(*loaded.component, same, {.file = "basin.xml"}, problems, omi.arguments);
  EXPECT_THAT(problems, IsEmpty());
  const OmiArgument other[] = {{.key = "factor", .value = "4", .line = 8}};
  SetArguments(*loaded.component, other, {.file = "basin.xml", .component = "creek"}, problems, omi.arguments);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_THAT(FormatProblem(problems[0]),
              AllOf(HasSubstr("basin.xml:8: creek.factor: "), HasSubstr("fixes at '3'"), HasSubstr("remove ReadOnly")));
  EXPECT_EQ(ArgumentOf(loaded, 0), "3");
}

TEST_F(LoadingOmi, AMissingLibraryOrTypeNamesTheLineItStandsIn) {
  const OmiFile missing = Omi("Type=\"LinearReservoir\"\n  Assembly=\"gone_plugin\"", "");
  EXPECT_THAT([&] { LoadOmi(loader_, missing); },
              ThrowsMessage<LoadError>(
                  HasSubstr("creek.omi:" + std::to_string(missing.assembly_line) + ": expected the library")));
  Problems problems;
  EXPECT_EQ(LoadOmi(loader_, missing, &problems).component, nullptr);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].severity, Problem::Error);
  const OmiFile unknown = Omi("Type=\"LinearReservior\"\n  Assembly=\"good_plugin\"", "");
  EXPECT_THAT([&] { LoadOmi(loader_, unknown); },
              ThrowsMessage<LoadError>(AllOf(HasSubstr("creek.omi:" + std::to_string(unknown.type_line) + ": "),
                                             HasSubstr("did you mean 'LinearReservoir'?"))));
}

TEST_F(LoadingOmi, WithoutTypeTheOnlyOneIsMeant) {
  Problems problems;
  OmiFile omi = Good("");
  omi.type.clear();
  EXPECT_EQ(LoadOmi(loader_, omi, &problems).component->Id(), "linear-reservoir");
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_THAT(problems[0].remedy, HasSubstr("Type=\"LinearReservoir\""));
  folder_.Take("libseveral_plugin.so");
  omi.assembly = "several_plugin";
  EXPECT_THAT([&] { LoadOmi(loader_, omi); }, ThrowsMessage<LoadError>(AllOf(HasSubstr("expected a Type, found none"),
                                                                             HasSubstr("there are: Throws"))));
}

TEST_F(LoadingOmi, AFileForOtherPlatformsIsRefused) {
  OmiFile omi = Good("");
  omi.platforms = {"Win32", "Win64"};
  EXPECT_THROW(LoadOmi(loader_, omi), LoadError);
  Problems problems;
  LoadOmi(loader_, omi, &problems);
  EXPECT_TRUE(HasErrors(problems));
}

}  // namespace
}  // namespace openmi
