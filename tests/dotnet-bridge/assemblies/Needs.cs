// A component that needs another assembly.
using System.Collections.Generic;

namespace Needs {

public class Needs : Kit.Model {
  public Needs() : base("needs") {}
  protected override void Setup() {
    StepLength.Value = Help.Helper.Step();
  }
  protected override void Step(double from, double to) {}
}

}
