// The components of the benchmark in C#: one that makes values, one that reads them. Each has an array of its own, as the
// ones in C++ beside them have (Components.cpp).
using System.Diagnostics;
using OpenMI.Standard2;
using OpenMI.Standard2.TimeSpace;

namespace Bench {

public abstract class Row : Kit.Model {
  private readonly Kit.Argument<int> count = new Kit.Argument<int>("count", 1);
  protected double[] Values;

  protected Row(string id) : base(id) {
    ArgumentList.Add(count);
    StepLength.Value = 1.0 / 86400.0;
  }
  protected Kit.Elements Cells() {
    var ids = new string[count.Get()];
    for (int i = 0; i < ids.Length; ++i) ids[i] = i.ToString();
    return new Kit.Elements("cells", ElementType.IdBased, ids, null);
  }
  protected static Kit.PlainQuantity Metres(string caption) {
    return new Kit.PlainQuantity(caption, new Kit.PlainUnit("m", 1.0, 0.0, 1.0, 0.0));
  }
  protected override void Start() {
    Values = new double[count.Get()];
  }
  /// <summary>The place of the value that is new in this step.</summary>
  protected int Next {
    get { return Steps % Values.Length; }
  }
}

public class Provider : Row {
  private Kit.Output level;

  public Provider() : base("provider") {}
  protected override void Setup() {
    level = new Kit.Output("level", Metres("level"), Cells(), this);
    OutputList.Add(level);
  }
  protected override void Start() {
    base.Start();
    level.Show(First, 0.0, Values);
  }
  protected override void Step(double from, double to) {
    Values[Next] = Steps;
    level.Show(to, 0.0, Values);
  }
}

public class Consumer : Row {
  private Kit.Input level;
  private Kit.Output sum;
  private double total;

  public Consumer() : base("consumer") {}
  protected override void Setup() {
    level = new Kit.Input("level", Metres("level"), Cells(), this);
    InputList.Add(level);
    sum = new Kit.Output("sum", Metres("sum"), null, this);
    OutputList.Add(sum);
  }
  protected override void Start() {
    base.Start();
    sum.Show(First, 0.0, new[] { total = 0.0 });
  }
  protected override void Step(double from, double to) {
    level.Times.Only(to, 0.0);
    var values = (ITimeSpaceValueSet)level.Provider.GetValues(level);
    level.Times.TimeHorizon = new Kit.Time(to, double.PositiveInfinity);  // what is earlier may go
    total += (double)values.GetElementValuesForTime(0)[Next];
    sum.Show(to, 0.0, new[] { total });
  }
}

/// <summary>The two linked to each other, in one process and without a border: microseconds a step.</summary>
public static class Alone {
  public static int Main(string[] words) {
    var provider = new Provider();
    var consumer = new Consumer();
    foreach (Row one in new Row[] { provider, consumer }) {
      foreach (IArgument argument in one.Arguments) {
        if (argument.Id == "count") argument.ValueAsString = words[0];
        if (argument.Id == "end-time") argument.ValueAsString = "2030-01-01T00:00Z";
      }
      one.Initialize();
    }
    provider.Outputs[0].AddConsumer(consumer.Inputs[0]);
    provider.Prepare();
    consumer.Prepare();
    int steps = int.Parse(words[1]);
    for (int i = 0; i < steps; ++i) consumer.Update();
    Stopwatch watch = Stopwatch.StartNew();
    for (int i = 0; i < steps; ++i) consumer.Update();
    System.Console.WriteLine(watch.Elapsed.TotalMilliseconds * 1e3 / steps);
    return 0;
  }
}

}
