// Positions and ids of 1 000 moving objects out of a GroundTruth of about 190 kB, and writing such a message, against
// the code that protoc generates of our own subset. The peer parses into, and serializes out of, one message object and
// one buffer again and again, which is the fastest it can do. Both alternate; the median of the paired ratios counts.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/fields/FieldTable.hpp"
#include "fmi-bridge/osmp/wire/CommonMessages.hpp"
#include "osi_subset.pb.h"

namespace {

using namespace openmi::osi;
using Clock = std::chrono::steady_clock;

constexpr int kObjects = 1000;
constexpr int kRounds = 300;
constexpr int kRepeats = 5;
constexpr double kReadBound = 4.0;
constexpr double kWriteBound = 1.0;

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

template <class Work>
double Microseconds(Work work) {
  const auto begin = Clock::now();
  for (int i = 0; i < kRepeats; ++i) work();
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count() / kRepeats;
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

/// Both `ours` and `peer`, each in its turn.
template <class Ours, class Peer>
bool Compare(const char* name, double bound, Ours ours, Peer peer) {
  std::vector<double> ratios;
  std::vector<double> our_times;
  std::vector<double> peer_times;
  for (int round = 0; round < kRounds; ++round) {
    our_times.push_back(Microseconds(ours));
    peer_times.push_back(Microseconds(peer));
    ratios.push_back(peer_times.back() / our_times.back());
  }
  const double ratio = Median(ratios);
  fmt::print("osmp-codec/{}: {:.1f} us, generated code {:.1f} us, {:.2f} times faster, at least {}\n", name,
             Median(our_times), Median(peer_times), ratio, bound);
  return ratio >= bound;
}

}  // namespace

int main() {
  osi3::GroundTruth filled;
  Fill(filled);
  std::string bytes = filled.SerializeAsString();
  const Message message = std::as_bytes(std::span(bytes));
  MessageWriter writer;
  Write(writer);
  if (writer.Written().size() != bytes.size() ||
      std::memcmp(writer.Written().data(), bytes.data(), bytes.size()) != 0) {
    fmt::print("osmp-codec: the bytes of the two differ\n");
    return 1;
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
  fmt::print("osmp-codec/size: {} bytes, -, -, -\n", bytes.size());
  bool good = Compare("positions", kReadBound, read, peer_read);
  if (sum != peer_sum) {
    fmt::print("osmp-codec: what the two read differs\n");
    return 1;
  }

  std::string buffer(bytes.size(), '\0');
  good &= Compare(
      "write", kWriteBound, [&] { Write(writer); },
      [&] {
        Fill(parsed);
        parsed.SerializeToArray(buffer.data(), static_cast<int>(parsed.ByteSizeLong()));
      });
  return good ? 0 : 1;
}
