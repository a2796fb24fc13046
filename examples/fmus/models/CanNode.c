/* A node on a CAN bus by the FMI layered standard for buses 1.0: sends a frame each period, by a clock that counts
   down, and adds up what it receives. The data of a frame is its number, one byte. */
#include <string.h>

#include "Model.h"

typedef struct {
  double time, period;
  uint32_t id;
  bool rx_clock, tx_clock, waits, comes;
  Blob rx, tx;
  int32_t sent, frames, sum;
} Data;
#define AT(field) offsetof(Data, field)

enum { kTime, kRxData, kTxData, kRxClock, kTxClock };
enum { kHeader = 8, kCanTransmit = 0x10, kOneByteFrame = 17 };

#define CAN_DATA "mimeType=\"application/org.fmi-standard.fmi-ls-bus.can; version=&quot;1.0.0&quot;\" maxSize=\"128\""

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, NULL, "simulation time"},
    {"Can.Rx_Data", kBinary, kInput, kDiscrete, AT(rx), "", NULL, "operations from the bus", CAN_DATA,
     .clock = 1 + kRxClock},
    {"Can.Tx_Data", kBinary, kOutput, kDiscrete, AT(tx), NULL, NULL, "operations for the bus", CAN_DATA,
     .clock = 1 + kTxClock},
    {"Can.Rx_Clock", kClock, kInput, kDiscrete, AT(rx_clock), NULL, NULL, "operations come",
     .attributes = "intervalVariability=\"triggered\""},
    {"Can.Tx_Clock", kClock, kInput, kDiscrete, AT(tx_clock), NULL, NULL, "operations go",
     .attributes = "intervalVariability=\"countdown\""},
    {"id", kUInt32, kParameter, kFixed, AT(id), "1", NULL, "identifier of the frames"},
    {"period", kFloat64, kParameter, kFixed, AT(period), "0.3", NULL, "time between two frames, s"},
    {"sent", kInt32, kOutput, kDiscrete, AT(sent), NULL, NULL, "frames sent so far"},
    {"frames", kInt32, kOutput, kDiscrete, AT(frames), NULL, NULL, "frames received so far"},
    {"sum", kInt32, kOutput, kDiscrete, AT(sum), NULL, NULL, "sum of the numbers of the frames received"},
};

static uint32_t Number(const uint8_t* bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}
static void Put(uint8_t* bytes, uint32_t number) {
  for (int i = 0; i < 4; ++i) bytes[i] = (uint8_t)(number >> (8 * i));
}

static Status Initialize(Instance* instance) {
  DATA(instance, Data)->waits = true;
  return kOK;
}

static Status EvaluateNode(Instance* instance) {
  DATA(instance, Data)->time = instance->core->time;
  return kOK;
}

static void Ticked(Instance* instance, uint32_t clock) {
  Data* data = DATA(instance, Data);
  if (clock == kRxClock) data->comes = true;
  if (clock != kTxClock) return;
  data->waits = true;
  memset(data->tx.bytes, 0, kOneByteFrame);
  Put(data->tx.bytes, kCanTransmit);
  Put(data->tx.bytes + 4, kOneByteFrame);
  Put(data->tx.bytes + 8, data->id);
  data->tx.bytes[14] = 1; /* bytes of data */
  data->tx.bytes[16] = (uint8_t)++data->sent;
  data->tx.size = kOneByteFrame;
}

/* What was received is there at the end of the event only. */
static void Receive(Instance* instance, EventResult* result) {
  (void)result;
  Data* data = DATA(instance, Data);
  if (!data->comes) return;
  data->comes = false;
  const uint8_t* at = data->rx.bytes;
  for (size_t left = data->rx.size; left >= kHeader;) {
    const uint32_t length = Number(at + 4);
    if (length < kHeader || length > left) break;
    if (Number(at) == kCanTransmit && length == kOneByteFrame) {
      ++data->frames;
      data->sum += at[16];
    }
    at += length;
    left -= length;
  }
}

/* Of the countdown: known at the start and after each frame, once. */
static double IntervalOf(Instance* instance, uint32_t clock) {
  Data* data = DATA(instance, Data);
  if (clock != kTxClock || !data->waits) return 0.0;
  data->waits = false;
  return data->period;
}

const Model kModel = {
    .identifier = "CanNode",
    .description = "sends and receives frames of a CAN bus",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .stop_time = 1.0,
    .step = 0.1,
    .event_mode = true,
    .no_model_exchange = true,
    .initialize = Initialize,
    .evaluate = EvaluateNode,
    .ticked = Ticked,
    .event = Receive,
    .interval = IntervalOf,
};
