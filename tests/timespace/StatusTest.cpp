#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/LinkableComponentOf.hpp"
#include "openmi/sdk/Status.hpp"
#include "timespace/testing/Driver.hpp"
#include "timespace/testing/TableComponent.hpp"

namespace openmi {
namespace {

using S = LinkableComponentStatus;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// The arrows of OGC 11-014r3, requirement 8.2.
const std::set<std::pair<S, S>> kArrows = {
    {S::Created, S::Initializing},     {S::Initializing, S::Initialized}, {S::Initializing, S::Failed},
    {S::Initialized, S::Validating},   {S::Initialized, S::Preparing},    {S::Initialized, S::Finishing},
    {S::Validating, S::Valid},         {S::Validating, S::Invalid},       {S::Validating, S::Failed},
    {S::Invalid, S::Validating},       {S::Invalid, S::Finishing},        {S::Valid, S::Validating},
    {S::Valid, S::Preparing},          {S::Valid, S::Finishing},          {S::Preparing, S::Updated},
    {S::Preparing, S::Failed},         {S::Updated, S::Updating},         {S::Updated, S::WaitingForData},
    {S::Updated, S::Finishing},        {S::Updating, S::Updated},         {S::Updating, S::Done},
    {S::Updating, S::Failed},          {S::Updating, S::WaitingForData},  {S::WaitingForData, S::Updating},
    {S::WaitingForData, S::Finishing}, {S::Done, S::Finishing},           {S::Failed, S::Finishing},
    {S::Finishing, S::Finished},       {S::Finishing, S::Created},        {S::Finishing, S::Failed},
};
/// What the standard leaves open: a restored state leads back to Updated, and a solver may break between two calls.
const std::set<std::pair<S, S>> kOurs = {{S::Done, S::Updated},
                                         {S::Failed, S::Updated},
                                         {S::Updated, S::Failed},
                                         {S::WaitingForData, S::Failed},
                                         {S::Done, S::Failed}};

TEST(StatusTable, AllowsTheArrowsOfTheStandardAndNoOthers) {
  for (int from = 0; from < 14; ++from) {
    for (int to = 0; to < 14; ++to) {
      const std::pair arrow(static_cast<S>(from), static_cast<S>(to));
      EXPECT_EQ(IsLegalTransition(arrow.first, arrow.second), kArrows.contains(arrow) || kOurs.contains(arrow))
          << NameOf(arrow.first) << " -> " << NameOf(arrow.second);
    }
  }
}

std::vector<TableRow> ThreeRows() {
  return {{Stamp{60000.0}, {1.0}}, {Stamp{60000.5}, {2.0}}, {Stamp{60001.0}, {3.0}}};
}

TEST(Status, IsToldArrowByArrow) {
  TableComponent table(ThreeRows());
  Driver driver(table);
  driver.Run();
  EXPECT_THAT(driver.Statuses(),
              ElementsAre(S::Created, S::Initializing, S::Initialized, S::Validating, S::Valid, S::Preparing,
                          S::Updated, S::Updating, S::Updated, S::Updating, S::Done, S::Finishing, S::Created));
  EXPECT_EQ(driver.Events()[0], "Created -> Initializing");
  EXPECT_EQ(driver.Updates(), 2);
}

TEST(Status, CallsOutOfOrderAreRefusedWithBothStatuses) {
  TableComponent table(ThreeRows());
  const auto refuses = [&](auto call, const char* name, const char* found) {
    EXPECT_THAT(call, ThrowsMessage<StateError>(
                          AllOf(HasSubstr("table"), HasSubstr(name), HasSubstr(std::string("found ") + found))));
  };
  refuses([&] { table.Prepare(); }, "Prepare expected status Initialized or Valid", "Created");
  refuses([&] { table.Update({}); }, "Update expected status Updated or WaitingForData", "Created");
  refuses([&] { table.Finish(); }, "Finish", "Created");
  refuses([&] { table.Validate(); }, "Validate", "Created");
  refuses([&] { static_cast<void>(table.Inputs()); }, "Inputs", "Created");
  refuses([&] { static_cast<void>(table.Outputs()); }, "Outputs", "Created");
  table.Initialize();
  refuses([&] { table.Initialize(); }, "Initialize expected status Created", "Initialized");
  refuses([&] { table.Update({}); }, "Update", "Initialized");
  table.Prepare();
  refuses([&] { table.Prepare(); }, "Prepare", "Updated");
  EXPECT_EQ(table.Status(), S::Updated);  // a refused call changes nothing
  table.Update({});
  table.Update({});
  EXPECT_EQ(table.Status(), S::Done);
  table.Update({});
  EXPECT_EQ(table.Status(), S::Done);
  EXPECT_EQ(table.Updates(), 2);
}

/// Fails in whatever hook it is told to.
class Faulty final : public SteppingComponent {
 public:
  Faulty() : SteppingComponent("faulty", "PT12H") {
    where_ = AddArgument<std::string>("where", {.value = "nowhere"});
    AddOutput("value", "1");
  }

 private:
  void Fail(const char* where) const {
    if (where_.Value() == where) throw ModelError({.component = Caption()}, std::string("no water in ") + where);
  }
  void Setup() override { Fail("setup"); }
  void Start(Stamp) override { Fail("start"); }
  void Step(Stamp, Stamp) override { Fail("step"); }
  void End() override { Fail("end"); }
  Argument<std::string> where_;
};

TEST(Status, AHookThatThrowsLeavesFailedWithTheReasonInTheEvent) {
  for (const char* where : {"setup", "start", "step", "end"}) {
    Faulty faulty;
    Driver driver(faulty);
    driver.Set("where", where).Set("start-time", "2020-01-01T00:00Z").Set("end-time", "2020-01-02T00:00Z");
    EXPECT_THAT([&] { driver.Run(); }, ThrowsMessage<ModelError>(HasSubstr("no water in"))) << where;
    EXPECT_EQ(faulty.Status(), S::Failed) << where;
    EXPECT_THAT(driver.Events().back(), AllOf(HasSubstr("-> Failed"), HasSubstr(where)));
  }
}

TEST(Status, AListenerThatThrowsStopsNobody) {
  TableComponent table(ThreeRows());
  table.StatusChanged().Add([](const auto&) { throw std::runtime_error("listener"); });
  Driver driver(table);
  driver.Run();
  EXPECT_EQ(table.Status(), S::Created);
}

TEST(Driver, TellsAWrongArgumentAndAComponentThatDoesNotComeOn) {
  TableComponent table(ThreeRows());
  Driver driver(table);
  EXPECT_THAT([&] { driver.Set("start-tim", "x"); }, ThrowsMessage<ArgumentError>(HasSubstr("start-time")));
  driver.Initialize();
  driver.Prepare();
  driver.UpdateUntil(Stamp{60000.5});
  EXPECT_EQ(driver.Updates(), 1);
  EXPECT_TRUE(SameTime(driver.Now(), Stamp{60000.5}));
  EXPECT_THAT([&] { driver.UpdateToEnd(0); }, ThrowsMessage<ModelError>(HasSubstr("within 0 updates")));
}

/// Waits for data at an update, for some updates, and is done then.
class Waiting final : public LinkableComponent {
 public:
  explicit Waiting(int waits) : LinkableComponent("waiting"), waits_(waits) {}

 private:
  UpdateResult OnUpdate(std::span<IBaseOutput* const>) override {
    return waits_-- > 0 ? UpdateResult::Waiting : UpdateResult::Done;
  }
  int waits_;
};

TEST(Driver, EndsWithAnErrorWhereAComponentStaysWaitingForData) {
  Waiting once(1);
  Driver(once).Run();
  Waiting ever(1000);
  Driver driver(ever);
  EXPECT_THAT([&] { driver.Run(); },
              ThrowsMessage<StateError>(AllOf(HasSubstr("waiting"), HasSubstr("stays WaitingForData"))));
  EXPECT_EQ(driver.Updates(), 2);
}

TEST(TableComponent, RefusesRowsThatDoNotFollowEachOther) {
  EXPECT_THROW(TableComponent({}), RangeError);
  EXPECT_THROW(TableComponent({{Stamp{1}, {1.0}}, {Stamp{1}, {2.0}}}), RangeError);
  EXPECT_THROW(TableComponent({{Stamp{1}, {1.0}, Hours(1)}, {Stamp{2}, {2.0}, Hours(1)}}), RangeError);
  EXPECT_THROW(TableComponent({{Stamp{1}, {1.0, 2.0}}}), RangeError);
  EXPECT_THROW(TableComponent({{Stamp{1}, {1.0}}, {Stamp{2}, {2.0}, Hours(1)}}), RangeError);
}

}  // namespace
}  // namespace openmi
