// What must not grow with the number of components or elements, by counting what is asked for on the way.

#include "adaptors/space/OneValue.hpp"
#include "tests/composition/run/RunFixture.hpp"
#include "tests/timespace/MallocCount.hpp"

namespace openmi::testing {
namespace {

TEST(ManyComponents, AnItemIsFoundWithoutALookAtAllOthers) {
  if (!test::MallocIsCounted()) GTEST_SKIP() << "a sanitizer has malloc for itself";
  const auto allocations = [](int count) {
    std::string body;
    for (int i = 0; i < count; ++i) body += ComponentXml("a" + std::to_string(1000 + i), "Source");
    Made made(body + RunXml());
    Problems problems;
    const ItemSpec item{.component = "a1010", .item = "out"};
    const std::uint64_t before = test::MallocCount();
    EXPECT_NE(made.composition->FindOutput(item, 1, problems), nullptr);
    return test::MallocCount() - before;
  };
  EXPECT_EQ(allocations(20), allocations(300));
}

TEST(ManyComponents, AnElementIsFoundWithoutALookAtAllOthers) {
  if (!test::MallocIsCounted()) GTEST_SKIP() << "a sanitizer has malloc for itself";
  const auto allocations = [](int count) {
    std::string ids;
    for (int i = 0; i < count; ++i) ids += "an-element-with-a-long-id-" + std::to_string(1000 + i) + " ";
    const std::string wanted = "an-element-with-a-long-id-1015";
    Made made(ComponentXml("a", "Source", ArgumentXml("elements", ids)) + ComponentXml("s", "Sink") +
              "<Link From=\"a.out\" To=\"s.in\"><Adaptor Id=\"one-value\">" + ArgumentXml("of", "element") +
              ArgumentXml("element", wanted) + "</Adaptor></Link>" + RunXml());
    EXPECT_EQ(made.Text(), "");
    auto& adaptor = dynamic_cast<OneValue&>(*made.composition->Links().at(0).Adaptors().at(0));
    EXPECT_EQ(adaptor.StateEffect().element, 15U);
    const std::uint64_t before = test::MallocCount();
    adaptor.Check();
    return test::MallocCount() - before;
  };
  EXPECT_EQ(allocations(20), allocations(300));
}

TEST(ManyComponents, WhatIsUpstreamIsReachedByAndBy) {
  LinkGraph graph(6);  // 0 -> 1 -> 2, 3 -> 2, 4 alone, 5 -> 5
  graph.AddLink(0, 1);
  graph.AddLink(1, 2);
  graph.AddLink(3, 2);
  graph.AddLink(5, 5);
  std::vector<bool> reached = graph.UpstreamOf({1});
  EXPECT_EQ(reached, (std::vector<bool>{true, true, false, false, false, false}));
  graph.Reach(2, reached);
  EXPECT_EQ(reached, graph.UpstreamOf({2, 1}));
  graph.Reach(5, reached);
  EXPECT_EQ(reached, (std::vector<bool>{true, true, true, true, false, true}));
}

TEST(ManyComponents, ObservedElementsAreFoundByTheirIds) {
  Made made(R"(
      <Component Id="a" Type="test.Source" Assembly="here">
        <Argument Key="elements" Value="x y z"/>
      </Component>
      <Observe Item="a.out" Elements="z x"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
    )");
  ASSERT_EQ(made.Text(), "");
  const RunRecord record = made.Run();
  EXPECT_EQ(record.series.at(0).series.elements, (std::vector<std::string>{"z", "x"}));
  Made wrong(R"(
      <Component Id="a" Type="test.Source" Assembly="here">
        <Argument Key="elements" Value="xa yb zc"/>
      </Component>
      <Observe Item="a.out" Elements="zc xb yb"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
    )");
  EXPECT_THAT(wrong.Text(), ::testing::HasSubstr("found 'xb'; there are: xa, yb, zc"));
}

}  // namespace
}  // namespace openmi::testing
