#pragma once

#include <memory>
#include <string>
#include <vector>

#include "adaptors/base/RowAdaptor.hpp"
#include "openmi/c/openmi_component.h"
#include "openmi/sdk/Quantity.hpp"
#include "timespace/c/Guest.hpp"

namespace openmi::c {

/// An adaptor of a type that is described in C.
class Adaptor final : public RowAdaptor, public Guest {
 public:
  /// Calls `create`, and `initialize` with the defaults of the arguments, if they have any.
  /// \param type     borrowed
  /// \param adaptee  an output of numbers with a unit
  /// \throws ModelError  `create` fails
  Adaptor(const openmi_adaptor& type, IBaseOutput& adaptee);
  ~Adaptor() override { Destroy(kDestroyAdaptor, type_.destroy); }

  const IValueDefinition& ValueDefinition() const override;
  /// Calls `initialize`.
  /// \throws Error  it fails, or the unit that it sets cannot be read
  void Check() override;

 protected:
  void OnInitialize() override;
  void Map(std::span<const double> in, Days duration, std::span<double> out) override;

 private:
  std::string GuestName() const override { return Place().component; }
  ArgumentList& GuestArguments() override { return ArgumentItems(); }
  int DeclareArgument(const openmi_argument* declared) override;
  const ArgumentItem& ArgumentNumber(int number) const override;

  const openmi_adaptor& type_;
  std::vector<const ArgumentItem*> declared_;
  std::unique_ptr<const Quantity> definition_;  // null: that of the adaptee
  double missing_out_ = kNotANumber;
  std::vector<double> known_;  // the row to map with NaN where values are missing, if the adaptee has another number
};

}  // namespace openmi::c
