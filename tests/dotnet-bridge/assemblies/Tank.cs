// A linear reservoir for each element, with the arithmetic of the component openmi.NashCascade with one reservoir, and with
// states.
using System;
using System.Collections.Generic;
using System.IO;
using OpenMI.Standard2;
using OpenMI.Standard2.TimeSpace;

namespace Tanks {

public class Tank : Kit.StatefulModel {
  private readonly Kit.Argument<double> residence = new Kit.Argument<double>("residence-time", 1.0);
  private readonly Kit.Argument<int> count = new Kit.Argument<int>("elements", 1);
  private readonly Kit.Argument<string> stop = new Kit.Argument<string>("stop", "") { IsOptional = true };
  private Kit.Input inflow;
  private Kit.Output outflow;
  private double[] flow;  // at the end of the step
  private double[] mean;  // over it

  public Tank() : base("tank") {
    Description = "a linear reservoir for each element";
    ArgumentList.Add(residence);
    ArgumentList.Add(count);
    ArgumentList.Add(stop);
    AdaptedOutputFactories.Add(new Shapes());
  }
  protected override void Setup() {
    Kit.Elements elements = null;
    if (count.Get() > 1) {
      var ids = new string[count.Get()];
      for (int i = 0; i < ids.Length; ++i) ids[i] = "e" + (i + 1);
      elements = new Kit.Elements("tanks", ElementType.IdBased, ids, null);
    }
    inflow = new Kit.Input("inflow", new Kit.PlainQuantity("inflow", Kit.PlainUnit.Flow()), elements, this);
    outflow = new Kit.Output("outflow", new Kit.PlainQuantity("outflow", Kit.PlainUnit.Flow()), elements, this);
    inflow.Times.HasDurations = true;
    outflow.Times.HasDurations = true;
    InputList.Add(inflow);
    OutputList.Add(outflow);
  }
  protected override void Start() {
    flow = new double[count.Get()];
    mean = new double[count.Get()];
  }
  protected override void Step(double from, double to) {
    if (Steps == 30 && stop.Get() == "exit") Environment.Exit(3);
    if (Steps == 30 && File.Exists(stop.Get())) throw new InvalidOperationException("there is a file " + stop.Get());
    double length = to - from;
    double[] water = inflow.Provider != null ? inflow.Ask(from, length) : new double[flow.Length];
    double steps = Math.Round(length * 86400.0) / (residence.Get() * 3600.0);
    double share = Math.Exp(-steps);
    double remaining = 1.0 - share;
    var row = new List<double>(flow.Length);
    for (int i = 0; i < flow.Length; ++i) {
      double next = water[i] * remaining;
      next += flow[i] * share;
      double change = next - flow[i];
      flow[i] = next;
      mean[i] = water[i] - change / steps;
      row.Add(mean[i]);
    }
    outflow.Show(from, length, row);
  }

  protected override double[] Numbers {
    get {
      var numbers = new double[2 * flow.Length];
      flow.CopyTo(numbers, 0);
      mean.CopyTo(numbers, flow.Length);
      return numbers;
    }
    set {
      Array.Copy(value, 0, flow, 0, flow.Length);
      Array.Copy(value, flow.Length, mean, 0, flow.Length);
    }
  }
  protected override void ShowAgain() {
    outflow.Times.List.Clear();
    outflow.Values.Values2D = new List<System.Collections.IList>();
    if (Steps > 0) outflow.Show(Now - StepLength.Get(), StepLength.Get(), new List<double>(mean));
  }
}

/// <summary>Has all its rows from the start, as what is read from a file.</summary>
public class Gauge : Kit.Model {
  private Kit.Output level;

  public Gauge() : base("gauge") {}
  protected override void Setup() {
    level = new Kit.Output("level", new Kit.PlainQuantity("level", Kit.PlainUnit.Flow()), null, this);
    OutputList.Add(level);
  }
  /// <summary>What the C# SDK does where there is none.</summary>
  public override List<IAdaptedOutputFactory> AdaptedOutputFactories {
    get { throw new NotImplementedException("no adaptors"); }
  }
  protected override void Start() {
    var rows = new List<System.Collections.IList>();
    for (int i = 0; i <= 48; ++i) {
      level.Times.List.Add(new Kit.Time(First + i / 24.0, 0.0));
      rows.Add(new[] { 1.0 * i });
    }
    level.Values.Values2D = rows;
  }
  protected override void Step(double from, double to) {}
}

/// <summary>Multiplies, and gives the one value of its adaptee to each element of the target.</summary>
public class Scaled : Kit.Output, ITimeSpaceAdaptedOutput {
  private readonly ITimeSpaceOutput adaptee;
  private readonly Kit.Argument<double> factor = new Kit.Argument<double>("factor", 1.0);
  private int refreshed, initialized;

  public Scaled(string id, ITimeSpaceOutput adaptee, ISpatialDefinition places)
      : base(id, adaptee.ValueDefinition, places, adaptee.Component) {
    this.adaptee = adaptee;
    Times.HasDurations = adaptee.TimeSet.HasDurations;
    Arguments = new List<IArgument> { factor };
  }
  public IList<IArgument> Arguments { get; private set; }
  public IBaseOutput Adaptee {
    get { return adaptee; }
  }
  public void Initialize() {
    ++initialized;
    foreach (IBaseAdaptedOutput one in AdaptedOutputs) one.Initialize();
  }
  public void Refresh() {
    if (initialized != 1) throw new InvalidOperationException("initialized " + initialized + " times");
    ++refreshed;
    foreach (IBaseAdaptedOutput one in AdaptedOutputs) one.Refresh();
  }
  public override ITimeSpaceValueSet GetValues(IBaseExchangeItem querySpecifier) {
    if (refreshed == 0) throw new InvalidOperationException("never refreshed");
    ITimeSpaceValueSet from = adaptee.GetValues(querySpecifier);
    int wanted = SpatialDefinition != null ? SpatialDefinition.ElementCount : 1;
    var row = new List<double>();
    for (int i = 0; i < wanted; ++i) {
      int source = Math.Min(i, from.GetIndexCount(new[] { 0 }) - 1);
      row.Add(factor.Get() * (double)from.GetValue(0, source));
    }
    var values = new Kit.ValueSet(typeof(double));
    values.Values2D = new List<System.Collections.IList> { row };
    return values;
  }
}

public class Shapes : Kit.Named, IAdaptedOutputFactory {
  public Shapes() : base("shapes") {}
  public IIdentifiable[] GetAvailableAdaptedOutputIds(IBaseOutput adaptee, IBaseInput target) {
    var spread = target as ITimeSpaceInput;
    var scale = new Kit.Named("scale") { Description = "multiplies by a factor" };
    if (spread == null || spread.SpatialDefinition == null) return new IIdentifiable[] { scale };
    return new IIdentifiable[] { scale, new Kit.Named("spread") };
  }
  public IBaseAdaptedOutput CreateAdaptedOutput(IIdentifiable adaptedOutputId, IBaseOutput adaptee, IBaseInput target) {
    var from = (ITimeSpaceOutput)adaptee;
    bool spreads = adaptedOutputId.Id == "spread";
    if (!spreads && adaptedOutputId.Id != "scale") throw new ArgumentException("no adaptor " + adaptedOutputId.Id);
    var made = new Scaled(adaptedOutputId.Id + " of " + adaptee.Id, from,
                          spreads ? ((ITimeSpaceInput)target).SpatialDefinition : from.SpatialDefinition);
    adaptee.AddAdaptedOutput(made);
    return made;
  }
}

}
