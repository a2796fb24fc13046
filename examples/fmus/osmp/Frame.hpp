#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/wire/MessageWriter.hpp"

/// \file
/// What a model of the OSI Sensor Model Packaging is written with: Fmi2.cpp and Fmi3.cpp put the interface of their
/// version over a Model, Describe.cpp prints the description. Messages travel in three integers in FMI 2.0 and as
/// binary variables in FMI 3.0.

namespace osmp_fmu {

/// What a message is to the model.
enum class Port { Input, Output, ConfigRequest, Config, GroundTruth };

struct MessageVariable {
  const char* name;  ///< "OSMPSensorViewIn"
  const char* type;  ///< "SensorView"
  Port port;
};

/// A plain number: a parameter with a start value, or an output.
struct NumberVariable {
  const char* name;
  const char* unit;  ///< null: none
  const char* description;
  double start;
  bool is_output;
};

struct Description {
  const char* identifier;
  const char* text;
  double step;  ///< period of the inputs in s
  std::span<const MessageVariable> messages;
  std::span<const NumberVariable> numbers;
};

/// Value references: time 0, number i at 1 + i, message i at 100 + 3 i (and the two behind it in FMI 2.0).
inline constexpr unsigned kFirstNumber = 1;
inline constexpr unsigned kFirstMessage = 100;

/// Bytes of two steps in turn, so that those of step n stay until step n + 2 begins.
class Output {
 public:
  /// To be written into, for the step at hand.
  openmi::osi::MessageWriter& Begin() {
    current_ = 1 - current_;
    writers_[current_].Clear();
    is_there_ = true;
    return writers_[current_];
  }
  /// There is no message.
  void Clear() { is_there_ = false; }
  openmi::osi::Message Bytes() const { return is_there_ ? writers_[current_].Written() : openmi::osi::Message(); }

 private:
  std::array<openmi::osi::MessageWriter, 2> writers_;
  std::size_t current_ = 0;
  bool is_there_ = false;
};

/// One instance of a model. What throws becomes the status Error, with the text as message.
class Model {
 public:
  Model();
  virtual ~Model() = default;

  /// At the end of initialization; In(...) gives configurations and ground truth for the last time.
  virtual void Initialize(double /*start*/) {}
  /// Writes what the model wants of its input, into Out(request).
  virtual void Wish(std::size_t /*request*/) {}
  /// A communication step. \param time  at its begin
  virtual void Step(double time, double step) = 0;

  std::vector<double> numbers;               ///< as they stand in Description::numbers
  std::vector<openmi::osi::Message> inputs;  ///< by message; what is no input stays empty
  std::vector<Output> outputs;               ///< by message
  std::vector<bool> is_configured;           ///< by message: a configuration was set
};

/// Defined by each model.
extern const Description kDescription;
extern const char* const kToken;  // made from the identifier by the build
std::unique_ptr<Model> MakeModel();

/// What the interfaces of both versions share.
class Instance {
 public:
  enum class Mode { Instantiated, Initialization, Step, Terminated };

  Instance() : model(MakeModel()) {}
  void Reset() {
    model = MakeModel();
    mode = Mode::Instantiated;
  }
  /// The number of that value reference; null where there is none that may be set, or read.
  double* Number(unsigned reference, bool to_set);
  /// The position of the message of that value reference. \throws std::invalid_argument
  std::size_t Message(unsigned reference) const;
  void SetMessage(std::size_t message, openmi::osi::Message bytes);
  /// What the message is now; a request is written anew as long as the model is initialized.
  openmi::osi::Message GetMessage(std::size_t message);
  void ExitInitialization();
  void DoStep(double time, double step);
  void Require(bool holds, const char* call) const {
    if (!holds) throw std::logic_error(std::string(call) + " is not allowed now");
  }

  std::unique_ptr<Model> model;
  Mode mode = Mode::Instantiated;
  double start = 0.0;
};

/// Calls `work` and gives what it throws to `log`. \returns 0 (OK) or 3 (Error)
template <class Work, class Log>
int Guarded(Work&& work, Log&& log) {
  try {
    work();
    return 0;
  } catch (const std::exception& error) {
    log(error.what());
  } catch (...) {
    log("unknown error");
  }
  return 3;
}

}  // namespace osmp_fmu
