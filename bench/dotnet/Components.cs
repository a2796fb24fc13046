// The components of the benchmark of isolation in C#: one that makes values, one that reads them. Each measures its own
// work, which is no part of an exchange.
using System.Collections;
using System.Diagnostics;
using OpenMI.Standard2;
using OpenMI.Standard2.TimeSpace;

namespace Bench {

public abstract class Row : Kit.Model {
  private readonly Kit.Argument<int> count = new Kit.Argument<int>("count", 1);
  protected readonly Stopwatch Watch = new Stopwatch();
  protected Kit.Output Work;

  protected Row(string id) : base(id) {
    ArgumentList.Add(count);
    StepLength.Value = 1.0 / 86400.0;
  }
  protected int Count {
    get { return count.Get(); }
  }
  protected Kit.Elements Cells() {
    var ids = new string[Count];
    for (int i = 0; i < Count; ++i) ids[i] = i.ToString();
    return new Kit.Elements("cells", ElementType.IdBased, ids, null);
  }
  protected static Kit.PlainQuantity Metres(string caption) {
    return new Kit.PlainQuantity(caption, new Kit.PlainUnit("m", 1.0, 0.0, 1.0, 0.0));
  }
  protected Kit.Output Single(string id) {
    var output = new Kit.Output(id, Metres(id), null, this);
    OutputList.Add(output);
    return output;
  }
}

public class Provider : Row {
  private Kit.Output level, made;
  private double[] row;
  private double step;

  public Provider() : base("provider") {}
  protected override void Setup() {
    level = new Kit.Output("level", Metres("level"), Cells(), this);
    OutputList.Add(level);
    Work = Single("work");
    made = Single("made");
  }
  protected override void Start() {
    row = new double[Count];
    Step(First, First);
  }
  protected override void Step(double from, double to) {
    Watch.Start();
    step += 1.0;
    double next = step;
    for (int i = 0; i < row.Length; ++i) row[i] = next += 0.5;
    Watch.Stop();
    level.Show(to, 0.0, row);
    Work.Show(to, 0.0, new[] { Watch.Elapsed.TotalSeconds });
    made.Show(to, 0.0, new[] { step });
  }
}

public class Consumer : Row {
  private Kit.Input level;
  private Kit.Output sum;

  public Consumer() : base("consumer") {}
  protected override void Setup() {
    level = new Kit.Input("level", Metres("level"), Cells(), this);
    InputList.Add(level);
    sum = Single("sum");
    Work = Single("work");
  }
  protected override void Start() {
    sum.Show(First, 0.0, new[] { 0.0 });
    Work.Show(First, 0.0, new[] { 0.0 });
  }
  protected override void Step(double from, double to) {
    level.Times.Only(to, 0.0);
    var values = (ITimeSpaceValueSet)level.Provider.GetValues(level);
    IList row = values.GetElementValuesForTime(0);
    Watch.Start();
    double total = 0.0;
    var numbers = row as double[];
    if (numbers != null) {
      foreach (double number in numbers) total += number;
    } else {
      foreach (object number in row) total += (double)number;
    }
    Watch.Stop();
    sum.Show(to, 0.0, new[] { total });
    Work.Show(to, 0.0, new[] { Watch.Elapsed.TotalSeconds });
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
