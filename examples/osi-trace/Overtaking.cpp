// Writes a trace of a car that overtakes a lorry: GroundTruth messages, 50 a second for ten seconds, with both
// vehicles, a house, and the edges of the road. It needs the wire codec and nothing else.

#include <cmath>
#include <cstdio>
#include <fstream>
#include <numbers>

#include "fmi-bridge/osmp/wire/CommonMessages.hpp"

namespace {

using namespace openmi::osi;

constexpr double kLane = 3.5;  // m between the middles of the lanes

/// Sideways place of the car: out from 2 s to 4 s, back from 6 s to 8 s.
double Aside(double t) {
  const auto smooth = [](double share) {
    return share <= 0.0 ? 0.0 : share >= 1.0 ? 1.0 : 0.5 - 0.5 * std::cos(std::numbers::pi * share);
  };
  return kLane * (smooth((t - 2.0) / 2.0) - smooth((t - 6.0) / 2.0));
}

void WriteEdge(MessageWriter& writer, std::uint64_t id, double y) {
  writer.Begin(field::ground_truth::kLaneBoundary);
  WriteIdentifier(writer, field::lane_boundary::kId, id);
  for (const double x : {-50.0, 400.0}) {
    writer.Begin(field::lane_boundary::kBoundaryLine);
    Write(writer, 1, Triple{x, y, 0.0});
    writer.End();
  }
  writer.End();
}

void WriteTruth(MessageWriter& writer, double t) {
  writer.Clear();
  WriteHead(writer, {3, 8, 0}, TimestampOf(t));
  writer.Begin(field::ground_truth::kStationaryObject);
  WriteIdentifier(writer, field::stationary_object::kId, 900);
  Write(writer, field::stationary_object::kBase,
        Base{.dimension = {12.0, 9.0, 6.0}, .position = {120.0, -15.0, 3.0}, .orientation = {0.0, 0.0, 0.3}});
  writer.End();

  MovingObject car;
  car.id = 10;
  car.type = 2;
  const double step = 1e-3;
  const double aside = (Aside(t + step) - Aside(t - step)) / (2.0 * step);
  car.base = {.dimension = {4.5, 1.8, 1.5},
              .position = {30.0 * t, Aside(t), 0.75},
              .orientation = {0.0, 0.0, std::atan2(aside, 30.0)},
              .velocity = {30.0, aside, 0.0}};
  Write(writer, field::ground_truth::kMovingObject, car);
  MovingObject lorry;
  lorry.id = 11;
  lorry.type = 2;
  lorry.base = {.dimension = {16.0, 2.5, 3.8},
                .position = {75.0 + 15.0 * t, 0.0, 1.9},
                .orientation = {0.0, 0.0, 0.0},
                .velocity = {15.0, 0.0, 0.0}};
  Write(writer, field::ground_truth::kMovingObject, lorry);
  WriteEdge(writer, 800, -0.5 * kLane);
  WriteEdge(writer, 801, 1.5 * kLane);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: write_overtaking FILE\n", stderr);
    return 2;
  }
  std::ofstream file(arguments[1], std::ios::binary);
  MessageWriter writer;
  for (int i = 0; i <= 500; ++i) {
    WriteTruth(writer, 0.02 * i);
    const Message message = writer.Written();
    for (unsigned byte = 0; byte < 4; ++byte) file.put(static_cast<char>(message.size() >> 8 * byte & 0xFF));
    file.write(reinterpret_cast<const char*>(message.data()), static_cast<std::streamsize>(message.size()));
  }
  file.close();
  return file ? 0 : 1;
}
