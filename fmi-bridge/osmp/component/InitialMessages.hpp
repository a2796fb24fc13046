#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fmi-bridge/fmi/component/IFmuLayer.hpp"
#include "fmi-bridge/osmp/component/GroundTruth.hpp"
#include "fmi-bridge/osmp/component/MessagePorts.hpp"

namespace openmi::osmp {

/// The messages that a model is initialized with: its binary parameters, and the requests that it has for them.
///
/// A parameter is the message of a linked item at the start of the run, else the content of a file. The ground truth is
/// reduced to what is static; a configuration answers the model's request, see AnswerRequest.
class InitialMessages {
 public:
  /// Adds a parameter.
  /// \param variable  borrowed
  /// \param file      the argument that names its file
  void Add(const BinaryVariable& variable, Argument<std::string> file) { parameters_.push_back({&variable, file}); }
  /// Begins to take the items of a component.
  void Begin(const fmi::LayerHost& host);
  /// Takes the item of a parameter that was added.
  void Take(const BinaryVariable& variable, const fmi::ModelDescription& description, ValueInput& item);
  /// Takes the item of a request.
  void Take(const BinaryVariable& variable, const fmi::ModelDescription& description, ValueOutput& item);

  /// Reads the file of the ground truth, before any instance runs, so that all instances share the same bytes.
  void ReadGroundTruth();
  /// Notes for `check`.
  std::vector<std::string> Notes() const;
  /// Gives the model its parameters.
  /// \param start  time of the FMU
  /// \param step   communication step in s
  /// \throws ModelError   a rule is broken, or a linked item has no message yet
  /// \throws FileError    a file cannot be read
  /// \throws FormatError  the ground truth is none, or not that of other instances
  void Give(fmi::Instance& instance, double start, double step);
  /// Frees the bytes when the model has copied what it needs.
  void Release();

  /// The ground truth of the model; null where it has none, or ForgetTruth was called.
  const GroundTruth* Truth() const { return ground_truth_.get(); }
  void ForgetTruth() { ground_truth_.reset(); }

 private:
  struct Parameter {
    const BinaryVariable* variable = nullptr;
    Argument<std::string> file;
    ValueInput* item = nullptr;
    std::size_t port = 0;
    Bytes bytes = {};  // the configuration, or the bytes of a parameter unknown to OSI
  };
  struct Request {
    const BinaryVariable* variable = nullptr;
    ValueOutput* item = nullptr;
    std::size_t port = 0;
  };
  /// The path of its file; empty: none.
  std::string FileOf(const Parameter& parameter) const;
  /// Its message; empty without a link and a file.
  osi::Message Given(Parameter& parameter);
  void TakeGroundTruth(Parameter& parameter);
  void Configure(Parameter& parameter, double start, double step);

  std::optional<fmi::LayerHost> host_;
  MessagePorts parameter_ports_;
  std::vector<Parameter> parameters_;
  MessagePorts request_ports_;
  std::vector<Request> requests_;
  std::shared_ptr<const GroundTruth> ground_truth_;
  std::shared_ptr<const SharedTruth> shared_truth_;
};

}  // namespace openmi::osmp
