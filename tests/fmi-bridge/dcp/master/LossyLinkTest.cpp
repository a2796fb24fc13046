#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <optional>

#include "fmi-bridge/dcp/protocol/description/LogMessage.hpp"
#include "fmi-bridge/dcp/slave/SlaveMachine.hpp"
#include "tests/fmi-bridge/dcp/support/LossyLink.hpp"
#include "tests/fmi-bridge/dcp/support/ServedSlave.hpp"

namespace openmi::dcp {
namespace {

using test::Badness;
using test::FedSlave;
using test::LossyLink;
using test::ServedSlave;
using test::SlaveRun;
using testing::HasSubstr;

/// The slave of the other tests, which says how many inputs in a row it bears to lose; nothing: any number.
SlaveDescription Bearing(std::optional<std::uint32_t> most_missed) {
  SlaveDescription slave = test::ServedDescription();
  slave.variables[0].max_consecutive_missed_pdus = most_missed;
  slave.log->categories.push_back({.id = 2, .name = "missed data"});
  slave.log->templates.push_back({.id = 2, .category = 1, .level = LogLevel::Error, .message = "%String"});
  slave.log->templates.push_back(
      {.id = 3, .category = 2, .level = LogLevel::Warning, .message = std::string(kMissedData)});
  return slave;
}

/// A run of up to 20 steps over a link, with the input n in the n-th step: y = 2 n + 0.01 n.
struct LossyRun {
  LossyRun(const Badness& badness, const std::string& on_loss, std::optional<std::uint32_t> most_missed = 0)
      : served({}, Bearing(most_missed)),
        link(TransportProtocol::UDP_IPv4, served.runner->ControlEndpoint(TransportProtocol::UDP_IPv4), badness),
        run(served, TransportProtocol::UDP_IPv4) {
    run.driver.Set("port", std::to_string(link.Port()));
    // So many tries that no request is given up while the machine is busy with something else.
    run.driver.Set("answer-timeout", "0.02").Set("tries", "500").Set("data-timeout", "1").Set("on-loss", on_loss);
  }
  double Step() {
    run.driver.Update();
    return run.Output("y").LastRow()[0];
  }
  ServedSlave served;
  LossyLink link;
  SlaveRun run;
};

double RightAt(int n) {
  return 2.0 * n + 0.01 * n;
}

std::vector<double> RowsWith(std::chrono::milliseconds each_way) {
  LossyRun lossy({.latency = each_way}, "fail");
  lossy.run.driver.Set("answer-timeout", "2").Set("data-timeout", "2").Set("counters", "true");
  std::vector<double> rows;
  const FedSlave fed(lossy.run, 20);
  for (int n = 1; n <= 3; ++n) {
    lossy.run.driver.Update();
    rows.push_back(lossy.run.Output("y").LastRow()[0]);
  }
  EXPECT_EQ(lossy.run.Output("dcp:data-missed").LastRow()[0], 0.0);
  EXPECT_EQ(lossy.run.Output("dcp:repeated-requests").LastRow()[0], 0.0);
  lossy.run.driver.Finish();
  return rows;
}

class DcpLossyLink : public testing::Test {
 protected:
  // Waits for seconds, and lets the other tests go on meanwhile.
  static void SetUpTestSuite() { delayed = std::async(std::launch::async, RowsWith, std::chrono::milliseconds(50)); }
  static inline std::future<std::vector<double>> delayed;
};

TEST_F(DcpLossyLink, DuplicatesAndReorderingChangeNothing) {
  LossyRun lossy({.duplication = 0.3, .reordering = 0.2, .seed = 7}, "fail");
  lossy.run.driver.Set("counters", "true");
  const FedSlave fed(lossy.run, 20);
  for (int n = 1; n <= 20; ++n) ASSERT_DOUBLE_EQ(lossy.Step(), RightAt(n)) << n;
  EXPECT_GT(lossy.run.Output("dcp:duplicated").LastRow()[0], 0.0);
  lossy.run.driver.Finish();
}

// Requests are sent again; lost data end the run, or are held and counted. Never is a value another step's.
TEST_F(DcpLossyLink, LossIsNoticed) {
  std::atomic<int> finished = 0, failed = 0;
  const auto lose = [&](std::uint64_t seed) {
    LossyRun lossy({.loss = seed == 4 ? 0.2 : 0.05, .seed = seed}, "fail");  // the last loses something for sure
    try {
      const FedSlave fed(lossy.run, 20);
      for (int n = 1; n <= 20; ++n) ASSERT_DOUBLE_EQ(lossy.Step(), RightAt(n)) << seed;
      ++finished;
    } catch (const ModelError& error) {
      ++failed;
      // The slave's own words may be lost, too; its error code and what it was sent last are not.
      EXPECT_THAT(error.what(), testing::AnyOf(HasSubstr("data PDUs missing"), HasSubstr("did not come"),
                                               testing::AllOf(HasSubstr("PROTOCOL_ERROR_PROPERTY_VIOLATED"),
                                                              HasSubstr("sent to it last: PDU "))));
    }
  };
  {
    std::vector<std::jthread> all;  // they mostly wait
    for (std::uint64_t seed = 1; seed <= 4; ++seed) all.emplace_back([&lose, seed] { lose(seed); });
  }
  EXPECT_GT(failed, 0);
  EXPECT_EQ(finished + failed, 4);
}

TEST_F(DcpLossyLink, LostDataAreHeldWhereThatIsWanted) {
  LossyRun lossy({.seed = 3}, "hold");
  lossy.run.driver.Set("counters", "true");
  lossy.run.driver.Set("data-timeout", "0.02");
  const FedSlave fed(lossy.run, 20);
  lossy.link.LoseOutputs(0.5);  // what is lost at initialization cannot be held: nothing came before
  double before = 1.0;
  for (int n = 1; n <= 20; ++n) {
    const double y = lossy.Step();
    ASSERT_TRUE(std::abs(y - RightAt(n)) < 1e-12 || y == before) << n << ": " << y;
    before = y;
  }
  EXPECT_GT(lossy.run.Output("dcp:held-steps").LastRow()[0], 0.0);
  lossy.run.driver.Finish();
}

// The slave would step with the input of the step before.
TEST_F(DcpLossyLink, ALostInputEndsTheRun) {
  LossyRun lossy({}, "fail");
  const FedSlave fed(lossy.run, 20);
  lossy.link.LoseEachInput(5);
  for (int n = 1; n <= 4; ++n) ASSERT_DOUBLE_EQ(lossy.Step(), RightAt(n)) << n;
  EXPECT_THAT([&] { lossy.Step(); },
              testing::ThrowsMessage<ModelError>(testing::AllOf(
                  HasSubstr("slave 'small' at 127.0.0.1"), HasSubstr("PROTOCOL_ERROR_PROPERTY_VIOLATED"),
                  HasSubstr("PDU 5 of data 1 ('u') did not come: no new values for the step from 0.04 s"),
                  HasSubstr("sent to it last: PDU 5 of data 1"))));
}

// An answer that is lost does not make an error of none.
TEST_F(DcpLossyLink, AnErrorIsAskedForAgainWhereItsAnswerIsLost) {
  LossyRun lossy({}, "fail");
  const FedSlave fed(lossy.run, 20);
  lossy.link.LoseEachInput(1);
  lossy.link.LoseNext(PduType::NTF_log);
  lossy.link.LoseNext(PduType::RSP_error_ack);
  EXPECT_THAT([&] { lossy.Step(); },
              testing::ThrowsMessage<ModelError>(testing::AllOf(HasSubstr("PROTOCOL_ERROR_PROPERTY_VIOLATED"),
                                                                HasSubstr("sent to it last: PDU 1 of data 1"))));
}

TEST_F(DcpLossyLink, LostInputsAreCountedWhereTheSlaveBearsThem) {
  for (const std::optional<std::uint32_t> most : {std::optional<std::uint32_t>(1), std::optional<std::uint32_t>()}) {
    LossyRun lossy({}, "fail", most);
    lossy.run.driver.Set("counters", "true");
    const FedSlave fed(lossy.run, 20);
    lossy.link.LoseEachInput(5);
    for (int n = 1; n <= 20; ++n) {
      const int held = n % 5 == 0 ? n - 1 : n;
      ASSERT_DOUBLE_EQ(lossy.Step(), 2.0 * held + 0.01 * n) << n;
      ASSERT_EQ(lossy.run.Output("dcp:data-missed").LastRow()[0], n / 5) << n;
    }
    const Problems remarks = lossy.run.slave.Remarks();
    ASSERT_EQ(remarks.size(), 1U);
    EXPECT_THAT(FormatProblem(remarks[0]), HasSubstr("4 lost data PDUs in 20 steps"));
    lossy.run.driver.Finish();
    const SlaveCounts& counts = lossy.served.runner->Machine().Total();
    EXPECT_EQ(counts.without, 4U);
    EXPECT_EQ(counts.missed, 3U);  // the last one leaves no gap behind
  }
}

// More in a row than the slave bears, and not before.
TEST_F(DcpLossyLink, ThreeInARowAreMoreThanTwo) {
  LossyRun lossy({}, "fail", 2);
  const FedSlave fed(lossy.run, 20);
  ASSERT_DOUBLE_EQ(lossy.Step(), RightAt(1));
  lossy.link.LoseEachInput(1);
  EXPECT_DOUBLE_EQ(lossy.Step(), 2.0 + 0.02);
  EXPECT_DOUBLE_EQ(lossy.Step(), 2.0 + 0.03);
  EXPECT_THAT([&] { lossy.Step(); }, testing::ThrowsMessage<ModelError>(HasSubstr("PDUs 2 to 4 of data 1")));
}

TEST_F(DcpLossyLink, AnInputThatIsLostBeforeInitializationIsSentAgain) {
  LossyRun lossy({}, "fail");
  lossy.run.driver.Set("u", "3");
  lossy.link.LoseEachInput(2);
  lossy.link.SkipInputs(1);  // the first one is lost
  lossy.run.Prepare();
  EXPECT_DOUBLE_EQ(lossy.run.Output("y").LastRow()[0], 6.0);
  EXPECT_EQ(lossy.link.Lost(), 1U);
  lossy.run.driver.Finish();
}

TEST_F(DcpLossyLink, ACutLinkEndsInAReport) {
  LossyRun lossy({}, "fail");
  lossy.run.driver.Set("answer-timeout", "0.5").Set("tries", "3");
  lossy.run.Prepare();
  lossy.run.driver.Update();
  lossy.link.Cut();
  EXPECT_THAT(
      [&] { lossy.run.driver.Update(); },
      testing::ThrowsMessage<ModelError>(HasSubstr("expected an answer to STC_do_step within 500 ms, sent 3 times")));
}

TEST_F(DcpLossyLink, DelayOnlyTakesTime) {
  const std::vector<double> rows = RowsWith(std::chrono::milliseconds(0));
  EXPECT_DOUBLE_EQ(rows.at(2), 2.0 * 3.0 + 0.03);
  EXPECT_EQ(delayed.get(), rows);
}

}  // namespace
}  // namespace openmi::dcp
