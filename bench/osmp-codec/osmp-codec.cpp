// Positions and ids of 1 000 moving objects out of a GroundTruth of about 190 kB, and writing such a message, against
// the code that protoc generates of our own subset. The peer parses into, and serializes out of, one message object and
// one buffer again and again, and computes the size once, which is the fastest it can do. Both alternate, the one that
// begins too; the median of the paired ratios counts.

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/support/Report.hpp"
#include "fmi-bridge/osmp/fields/FieldTable.hpp"
#include "fmi-bridge/osmp/wire/CommonMessages.hpp"
#include "osi_subset.pb.h"

namespace {

using namespace openmi::osi;

constexpr int kObjects = 1000;
constexpr int kRounds = 300;
constexpr int kRepeats = 5;
constexpr double kReadBound = 4.0;
constexpr double kWriteBound = 1.0;

/// \returns microseconds of one
template <class Work>
double Microseconds(Work&& work) {
  return bench::WallSeconds([&] {
           for (int i = 0; i < kRepeats; ++i) work();
         }) *
         1e6 / kRepeats;
}

double Coordinate(int object, int which) {
  return 0.25 * object + 1000.0 * which;
}

Triple TripleOf(int object, int which) {
  return {Coordinate(object, which), Coordinate(object, which + 1), Coordinate(object, which + 2)};
}

void Set(osi3::Vector3d& vector, int object, int which) {
  vector.set_x(Coordinate(object, which));
  vector.set_y(Coordinate(object, which + 1));
  vector.set_z(Coordinate(object, which + 2));
}

void Set(osi3::Orientation3d& orientation, int object, int which) {
  orientation.set_roll(Coordinate(object, which));
  orientation.set_pitch(Coordinate(object, which + 1));
  orientation.set_yaw(Coordinate(object, which + 2));
}

void Fill(osi3::GroundTruth& truth) {
  truth.Clear();
  truth.mutable_version()->set_version_major(3);
  truth.mutable_version()->set_version_minor(8);
  truth.mutable_version()->set_version_patch(0);
  truth.mutable_timestamp()->set_seconds(12);
  truth.mutable_timestamp()->set_nanos(500'000'000);
  for (int i = 0; i < kObjects; ++i) {
    osi3::MovingObject& object = *truth.add_moving_object();
    object.mutable_id()->set_value(static_cast<std::uint64_t>(10'000 + i));
    osi3::BaseMoving& base = *object.mutable_base();
    base.mutable_dimension()->set_length(Coordinate(i, 1));
    base.mutable_dimension()->set_width(Coordinate(i, 2));
    base.mutable_dimension()->set_height(Coordinate(i, 3));
    Set(*base.mutable_position(), i, 4);
    Set(*base.mutable_orientation(), i, 7);
    Set(*base.mutable_velocity(), i, 10);
    Set(*base.mutable_acceleration(), i, 13);
    Set(*base.mutable_orientation_rate(), i, 16);
    object.set_type(2);
  }
}

void Write(MessageWriter& writer) {
  writer.Clear();
  WriteHead(writer, {3, 8, 0}, {12, 500'000'000});
  for (int i = 0; i < kObjects; ++i) {
    MovingObject object;
    object.id = static_cast<std::uint64_t>(10'000 + i);
    object.type = 2;
    object.base = {TripleOf(i, 1), TripleOf(i, 4), TripleOf(i, 7), TripleOf(i, 10), TripleOf(i, 13), TripleOf(i, 16)};
    openmi::osi::Write(writer, field::ground_truth::kMovingObject, object);
  }
}

std::vector<FieldPath> PathsOf(const std::vector<std::string>& texts) {
  std::vector<FieldPath> paths;
  for (const std::string& text : texts) paths.push_back(FieldPath::Parse(Schema::Subset(), "GroundTruth", text));
  return paths;
}

/// How many times faster `ours` is.
template <class Ours, class Peer>
void Compare(bench::Report& report, const char* name, double bound, Ours&& ours, Peer&& peer) {
  const bench::Pairs times = bench::InTurn(
      kRounds, [&] { return Microseconds(ours); }, [&] { return Microseconds(peer); });
  report.Line(name, times.Rates(1e6), "messages a second", "generated code", bench::Bound::AtLeast(bound),
              fmt::format("{:.1f} us and {:.1f} us", times.Ours(), times.Limit()));
}

void All(bench::Report& report) {
  osi3::GroundTruth filled;
  Fill(filled);
  std::string bytes = filled.SerializeAsString();
  const Message message = std::as_bytes(std::span(bytes));
  MessageWriter writer;
  Write(writer);
  if (writer.Written().size() != bytes.size() ||
      std::memcmp(writer.Written().data(), bytes.data(), bytes.size()) != 0) {
    throw std::runtime_error("expected the same bytes of both, found others");
  }

  FieldTable table(Schema::Subset(), "GroundTruth",
                   PathsOf({"moving_object[*].base.position.x", "moving_object[*].base.position.y",
                            "moving_object[*].base.position.z"}));
  osi3::GroundTruth parsed;
  double sum = 0.0;
  double peer_sum = 0.0;
  const auto read = [&] {
    table.Read(message);
    for (std::size_t i = 0; i < kObjects; ++i) {
      sum += table.Column(0)[i] + table.Column(1)[i] + table.Column(2)[i] + static_cast<double>(table.Ids(0)[i]);
    }
  };
  const auto peer_read = [&] {
    parsed.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
    for (const osi3::MovingObject& object : parsed.moving_object()) {
      const osi3::Vector3d& position = object.base().position();
      peer_sum += position.x() + position.y() + position.z() + static_cast<double>(object.id().value());
    }
  };
  report.Fact("bytes", true, fmt::format("both write the same {} bytes", bytes.size()));
  Compare(report, "positions", kReadBound, read, peer_read);
  report.Fact("sums", sum == peer_sum, fmt::format("what both read adds up to {} and {}", sum, peer_sum));

  std::string buffer(bytes.size(), '\0');
  Compare(
      report, "write", kWriteBound, [&] { Write(writer); },
      [&] {
        Fill(parsed);
        // The size is computed once: it is kept in the message for what follows.
        const std::size_t size = parsed.ByteSizeLong();
        if (size > buffer.size()) throw std::runtime_error("expected room for the message, found too little");
        parsed.SerializeWithCachedSizesToArray(reinterpret_cast<std::uint8_t*>(buffer.data()));
      });
  report.Fact("written", buffer == bytes, "the peer wrote the same bytes");
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("osmp-codec", count, words, All);
}
