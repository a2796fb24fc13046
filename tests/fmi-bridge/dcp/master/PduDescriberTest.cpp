// One line for each PDU of a session, as `openmi dcp monitor` prints them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <span>

#include "fmi-bridge/dcp/master/monitor/PduDescriber.hpp"

namespace openmi::dcp {
namespace {

TEST(PduDescriber, DescribesWhatCarriesNoDataAsItIs) {
  std::array<std::byte, 64> memory{};
  const std::size_t size = Encode(InfPlain{.type = PduType::INF_state}, memory);
  ASSERT_GT(size, 0U);
  const ByteView pdu = std::span(memory).first(size);
  PduDescriber describer;
  EXPECT_EQ(describer.Describe(pdu), dcp::Describe(pdu));
  EXPECT_THAT(describer.Describe(pdu), ::testing::HasSubstr("INF_state"));
}

TEST(PduDescriber, DescribesWhatIsNoPdu) {
  const std::array<std::byte, 3> memory{std::byte{0xEE}, std::byte{1}, std::byte{2}};
  PduDescriber describer;
  EXPECT_EQ(describer.Describe(memory), dcp::Describe(memory));
}

}  // namespace
}  // namespace openmi::dcp
