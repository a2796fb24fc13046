// A pond in C# for the matrix, as those in Parts.cpp and CParts.c.
using System;

namespace Matrix {

public class Pond : Kit.StatefulModel {
  private Kit.Input inflow, back;
  private Kit.Output outflow, gaps;
  private double level = 1.0, missed;

  public Pond() : base("pond") {
    StepLength.Value = 1.0 / 1440.0;
  }
  private static Kit.PlainQuantity One(string caption) {
    return new Kit.PlainQuantity(caption, new Kit.PlainUnit("1", 1.0, 0.0, 0.0, 0.0)) { MissingDataValue = double.NaN };
  }
  protected override void Setup() {
    inflow = new Kit.Input("in", One("in"), null, this);
    back = new Kit.Input("back", One("back"), null, this);
    outflow = new Kit.Output("out", One("out"), null, this);
    gaps = new Kit.Output("gaps", One("gaps"), null, this);
    InputList.Add(inflow);
    InputList.Add(back);
    OutputList.Add(outflow);
    OutputList.Add(gaps);
  }
  protected override void Start() {
    level = 1.0;
    missed = 0.0;
    ShowAgain();
  }
  protected override void Step(double from, double to) {
    double water = Known(inflow.Provider != null ? inflow.Ask(to, 0.0)[0] : 0.5);
    double returned = Known(back.Provider != null ? back.Ask(to, 0.0)[0] : 0.0);
    level += 0.125 * (Math.Sin(water) - 0.25 * level - 0.125 * returned);
    ShowAgain();
  }
  private double Known(double value) {
    if (!double.IsNaN(value) && !double.IsInfinity(value)) return value;
    ++missed;
    return 0.0;
  }
  protected override double[] Numbers {
    get { return new[] { level, missed }; }
    set {
      level = value[0];
      missed = value[1];
    }
  }
  protected override void ShowAgain() {
    outflow.Show(Now, 0.0, new[] { level });
    gaps.Show(Now, 0.0, new[] { missed });
  }
}

}
