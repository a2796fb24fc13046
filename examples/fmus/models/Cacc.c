/* Cooperative adaptive cruise control: follows the vehicle ahead at a distance of r + h v. What the leader of the
   platoon does is known by radio, and is done here as much later as the vehicles between would have passed it on, so
   that no vehicle brakes harder than the one ahead of it.

   With e = distance - r - h v the wanted acceleration is kp e + kd de/dt + f. f is the leader's acceleration through
   1 / (h s + 1) for each vehicle ahead but the last, and through (tau s + 1) / (h s + 1) for that one, tau being the
   lag of the own actuators. Then each vehicle's way is that of the one ahead through 1 / (h s + 1), which damps every
   frequency. */
#include <math.h>

#include "Model.h"

enum { kMostPlaces = 4 };

typedef struct {
  double time, distance, relative_speed, radio, speed, acceleration;
  int32_t place;
  double time_gap, standstill, kp, kd, lag, mass, drive, brake_force, drag, rolling;
  double heard[kMostPlaces], dheard[kMostPlaces];
  double wanted, wanted_distance, throttle, brake;
} Data;
#define AT(field) offsetof(Data, field)
#define HEARD(n, index)                                                                                      \
  {"heard-" #n,                                                                                              \
   kFloat64,                                                                                                 \
   kLocal,                                                                                                   \
   kContinuous,                                                                                              \
   AT(heard) + (index) * sizeof(double),                                                                     \
   "0",                                                                                                      \
   "m/s2",                                                                                                   \
   "what the vehicle at place " #n " is thought to do"},                                                     \
  {                                                                                                          \
    "der(heard-" #n ")", kFloat64, kLocal, kContinuous, AT(dheard) + (index) * sizeof(double), NULL, "m/s3", \
        "its derivative", .derivative_of = 1 + kHeard + 2 * (index)                                          \
  }

enum { kHeard = 17 };

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, "s", "simulation time"},
    {"distance", kFloat64, kInput, kContinuous, AT(distance), "30", "m",
     "to the vehicle ahead; not above 0: none seen"},
    {"relative-speed", kFloat64, kInput, kContinuous, AT(relative_speed), "0", "m/s",
     "of the vehicle ahead, less the own"},
    {"leader-acceleration", kFloat64, kInput, kContinuous, AT(radio), "0", "m/s2", "by radio"},
    {"speed", kFloat64, kInput, kContinuous, AT(speed), "30", "m/s", "of the vehicle"},
    {"acceleration", kFloat64, kInput, kContinuous, AT(acceleration), "0", "m/s2", "of the vehicle"},
    {"place", kInt32, kParameter, kFixed, AT(place), "1", NULL,
     "vehicles between this one's front and the leader's, 1 to 4"},
    {"time-gap", kFloat64, kParameter, kTunable, AT(time_gap), "0.9", "s",
     "h: distance for each m/s, beyond that of a stand"},
    {"standstill-distance", kFloat64, kParameter, kTunable, AT(standstill), "3", "m", "r: distance when all stand"},
    {"kp", kFloat64, kParameter, kTunable, AT(kp), "1.5", "1/s2", "gain for the error of the distance"},
    {"kd", kFloat64, kParameter, kTunable, AT(kd), "1.5", "1/s", "gain for its derivative"},
    {"actuator-lag", kFloat64, kParameter, kFixed, AT(lag), "0.15", "s", "tau: of throttle and brake"},
    {"mass", kFloat64, kParameter, kFixed, AT(mass), "1600", "kg", "of the vehicle, as far as is known"},
    {"drive-force", kFloat64, kParameter, kFixed, AT(drive), "6400", "N", "at full throttle"},
    {"brake-force", kFloat64, kParameter, kFixed, AT(brake_force), "14400", "N", "at full brake"},
    {"drag", kFloat64, kParameter, kFixed, AT(drag), "0.4", "kg/m", "force for each (m/s)2"},
    {"rolling", kFloat64, kParameter, kFixed, AT(rolling), "0.012", NULL, "resistance of rolling, part of the weight"},
    HEARD(1, 0),
    HEARD(2, 1),
    HEARD(3, 2),
    HEARD(4, 3),
    {"wanted-acceleration", kFloat64, kOutput, kContinuous, AT(wanted), NULL, "m/s2", "before throttle and brake"},
    {"wanted-distance", kFloat64, kOutput, kContinuous, AT(wanted_distance), NULL, "m", "r + h v"},
    {"throttle", kFloat64, kOutput, kContinuous, AT(throttle), NULL, NULL, "0 to 1"},
    {"brake", kFloat64, kOutput, kContinuous, AT(brake), NULL, NULL, "0 to 1"},
};

static double Between(double low, double value, double high) {
  return fmin(high, fmax(low, value));
}

static Status StartCacc(Instance* instance) {
  const Data* data = DATA(instance, Data);
  if (data->place >= 1 && data->place <= kMostPlaces && data->time_gap > 0.0) return kOK;
  Log(instance, kError, "logStatusError", "expected a place of 1 to %d and a time gap above 0, found %d and %g",
      (int)kMostPlaces, (int)data->place, data->time_gap);
  return kError;
}

static Status EvaluateCacc(Instance* instance) {
  const double gentle = 0.3;   /* m/s2 */
  const double standing = 0.2; /* of the full brake */
  Data* data = DATA(instance, Data);
  data->time = instance->core->time;
  double ahead = data->radio;
  double feed = 0.0;
  for (int i = 0; i < kMostPlaces; ++i) {
    const bool is_used = i < data->place;
    data->dheard[i] = is_used ? (ahead - data->heard[i]) / data->time_gap : 0.0;
    if (i + 1 == data->place) feed = data->heard[i] + data->lag * data->dheard[i];
    ahead = data->heard[i];
  }
  data->wanted_distance = data->standstill + data->time_gap * data->speed;
  data->wanted = feed;
  const bool is_seen = data->distance > 0.0;
  if (is_seen) {
    data->wanted += data->kp * (data->distance - data->wanted_distance) +
                    data->kd * (data->relative_speed - data->time_gap * data->acceleration);
  }
  data->wanted = Between(-9.0, data->wanted, 3.0);
  const double resistance = data->drag * data->speed * data->speed + data->rolling * data->mass * 9.81;
  const double force = data->mass * data->wanted + resistance;
  data->throttle = Between(0.0, force / data->drive, 1.0);
  data->brake = Between(0.0, -force / data->brake_force, 1.0);
  /* The last bit, in which the distance would only be reached by and by, is braked gently, so that it ends. */
  const bool ends = data->speed < 0.1 && data->speed + data->relative_speed < 0.1;
  if (is_seen && ends && data->distance < data->wanted_distance + 1.0) {
    data->throttle = 0.0;
    data->brake = fmax(data->brake, data->speed > 0.005 ? gentle * data->mass / data->brake_force : standing);
  }
  return kOK;
}

const Model kModel = {
    .identifier = "Cacc",
    .description = "a cooperative adaptive cruise control",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .units =
        "    <Unit name=\"s\"><BaseUnit s=\"1\"/></Unit>\n    <Unit name=\"m\"><BaseUnit m=\"1\"/></Unit>\n"
        "    <Unit name=\"m/s\"><BaseUnit m=\"1\" s=\"-1\"/></Unit>\n    <Unit name=\"m/s2\"><BaseUnit m=\"1\" "
        "s=\"-2\"/></Unit>\n"
        "    <Unit name=\"m/s3\"><BaseUnit m=\"1\" s=\"-3\"/></Unit>\n    <Unit name=\"1/s\"><BaseUnit "
        "s=\"-1\"/></Unit>\n"
        "    <Unit name=\"1/s2\"><BaseUnit s=\"-2\"/></Unit>\n    <Unit name=\"kg\"><BaseUnit kg=\"1\"/></Unit>\n"
        "    <Unit name=\"kg/m\"><BaseUnit kg=\"1\" m=\"-1\"/></Unit>\n"
        "    <Unit name=\"N\"><BaseUnit kg=\"1\" m=\"1\" s=\"-2\"/></Unit>\n",
    .stop_time = 30.0,
    .step = 0.01,
    .internal_step = 0.01,
    .initialize = StartCacc,
    .evaluate = EvaluateCacc,
};
