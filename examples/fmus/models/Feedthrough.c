/* Gives each input back, one of each type. */
#include "Model.h"

typedef struct {
  double time;
  double fixed, tunable, f64_in, f64_out, f64_discrete_in, f64_discrete_out;
  float f32_in, f32_out;
  int8_t i8_in, i8_out;
  uint8_t u8_in, u8_out;
  int16_t i16_in, i16_out;
  uint16_t u16_in, u16_out;
  int32_t i32_in, i32_out;
  uint32_t u32_in, u32_out;
  int64_t i64_in, i64_out;
  uint64_t u64_in, u64_out;
  bool boolean_in, boolean_out;
  Text text, text_in, text_out;
  Blob blob_in, blob_out;
  int64_t option_in, option_out;
} Data;
#define AT(field) offsetof(Data, field)
#define PAIR(name, type, in, out, start)                                                       \
  {name "_input", type, kInput, kDiscrete, AT(in), start, NULL, "goes to " name "_output"}, {  \
    name "_output", type, kOutput, kDiscrete, AT(out), NULL, NULL, "comes from " name "_input" \
  }

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, NULL, "simulation time"},
    {"Float64_fixed_parameter", kFloat64, kParameter, kFixed, AT(fixed), "0", NULL, "cannot be changed later"},
    {"Float64_tunable_parameter", kFloat64, kParameter, kTunable, AT(tunable), "0", NULL, "can be changed"},
    {"Float64_continuous_input", kFloat64, kInput, kContinuous, AT(f64_in), "0", "m", "a length"},
    {"Float64_continuous_output", kFloat64, kOutput, kContinuous, AT(f64_out), NULL, "m", "the same length"},
    PAIR("Float64_discrete", kFloat64, f64_discrete_in, f64_discrete_out, "0"),
    PAIR("Int32", kInt32, i32_in, i32_out, "0"),
    PAIR("Boolean", kBoolean, boolean_in, boolean_out, "false"),
    {"String_parameter", kString, kParameter, kFixed, AT(text), "Set me!", NULL, "a text"},
    PAIR("String", kString, text_in, text_out, "plain and simple"),
    PAIR("Enumeration", kEnumeration, option_in, option_out, "1"),
    PAIR("Float32", kFloat32, f32_in, f32_out, "0"),
    PAIR("Int8", kInt8, i8_in, i8_out, "0"),
    PAIR("UInt8", kUInt8, u8_in, u8_out, "0"),
    PAIR("Int16", kInt16, i16_in, i16_out, "0"),
    PAIR("UInt16", kUInt16, u16_in, u16_out, "0"),
    PAIR("UInt32", kUInt32, u32_in, u32_out, "0"),
    PAIR("Int64", kInt64, i64_in, i64_out, "0"),
    PAIR("UInt64", kUInt64, u64_in, u64_out, "0"),
    PAIR("Binary", kBinary, blob_in, blob_out, "666f6f"),
};

static Status EvaluateFeedthrough(Instance* instance) {
  Data* d = DATA(instance, Data);
  d->time = instance->core->time;
  d->f64_out = d->f64_in;
  d->f64_discrete_out = d->f64_discrete_in;
  d->f32_out = d->f32_in;
  d->i8_out = d->i8_in;
  d->u8_out = d->u8_in;
  d->i16_out = d->i16_in;
  d->u16_out = d->u16_in;
  d->i32_out = d->i32_in;
  d->u32_out = d->u32_in;
  d->i64_out = d->i64_in;
  d->u64_out = d->u64_in;
  d->boolean_out = d->boolean_in;
  for (int i = 0; i < kTextSize; ++i) d->text_out[i] = d->text_in[i];
  d->blob_out = d->blob_in;
  d->option_out = d->option_in;
  return kOK;
}

const Model kModel = {
    .identifier = "Feedthrough",
    .description = "gives each input back",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .units = "    <Unit name=\"m\"><BaseUnit m=\"1\"/></Unit>\n",
    .types = "Option Option_1 Option_2",
    .stop_time = 2.0,
    .step = 0.1,
    .evaluate = EvaluateFeedthrough,
};
