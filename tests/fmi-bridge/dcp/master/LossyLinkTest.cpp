#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

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

/// A run of up to 20 steps over a link; every value that it takes is the right one.
struct LossyRun {
  LossyRun(const Badness& badness, const std::string& on_loss)
      : link(TransportProtocol::UDP_IPv4, served.runner->ControlEndpoint(TransportProtocol::UDP_IPv4), badness),
        run(served, TransportProtocol::UDP_IPv4) {
    run.driver.Set("port", std::to_string(link.Port()));
    run.driver.Set("answer-timeout", "0.02").Set("tries", "20").Set("data-timeout", "0.05").Set("on-loss", on_loss);
  }
  ServedSlave served;
  LossyLink link;
  SlaveRun run;
};

std::vector<double> RowsWith(std::chrono::milliseconds each_way) {
  LossyRun lossy({.latency = each_way}, "fail");
  lossy.run.driver.Set("answer-timeout", "0.5").Set("data-timeout", "0.5").Set("counters", "true");
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
  lossy.run.Prepare();
  for (int n = 1; n <= 20; ++n) {
    lossy.run.driver.Update();
    ASSERT_DOUBLE_EQ(lossy.run.Output("y").LastRow()[0], 1.0 + 0.01 * n) << n;
  }
  EXPECT_GT(lossy.run.Output("dcp:duplicated").LastRow()[0], 0.0);
  lossy.run.driver.Finish();
}

// Requests are sent again; lost data end the run, or are held and counted. Never is a value another step's.
TEST_F(DcpLossyLink, LossIsNoticed) {
  std::atomic<int> finished = 0, failed = 0;
  const auto lose = [&](std::uint64_t seed) {
    LossyRun lossy({.loss = seed == 4 ? 0.2 : 0.05, .seed = seed}, "fail");  // the last loses something for sure
    try {
      lossy.run.Prepare();
      for (int n = 1; n <= 20; ++n) {
        lossy.run.driver.Update();
        ASSERT_DOUBLE_EQ(lossy.run.Output("y").LastRow()[0], 1.0 + 0.01 * n) << seed;
      }
      ++finished;
    } catch (const ModelError& error) {
      ++failed;
      EXPECT_THAT(error.what(), HasSubstr("data PDUs missing"));
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
  lossy.run.Prepare();
  lossy.link.LoseData(0.5);  // what is lost at initialization cannot be held: nothing came before
  double before = 1.0;
  for (int n = 1; n <= 20; ++n) {
    lossy.run.driver.Update();
    const double y = lossy.run.Output("y").LastRow()[0];
    ASSERT_TRUE(std::abs(y - (1.0 + 0.01 * n)) < 1e-12 || y == before) << n << ": " << y;
    before = y;
  }
  EXPECT_GT(lossy.run.Output("dcp:held-steps").LastRow()[0], 0.0);
  lossy.run.driver.Finish();
}

TEST_F(DcpLossyLink, ACutLinkEndsInAReport) {
  LossyRun lossy({}, "fail");
  lossy.run.driver.Set("tries", "3");
  lossy.run.Prepare();
  lossy.run.driver.Update();
  lossy.link.Cut();
  EXPECT_THAT(
      [&] { lossy.run.driver.Update(); },
      testing::ThrowsMessage<ModelError>(HasSubstr("expected an answer to STC_do_step within 20 ms, sent 3 times")));
}

TEST_F(DcpLossyLink, DelayOnlyTakesTime) {
  const std::vector<double> rows = RowsWith(std::chrono::milliseconds(0));
  EXPECT_DOUBLE_EQ(rows.at(2), 2.0 * 3.0 + 0.03);
  EXPECT_EQ(delayed.get(), rows);
}

}  // namespace
}  // namespace openmi::dcp
