// Components with one fault each.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Threading;
using OpenMI.Standard2;

namespace Odds {

/// <summary>Does what its argument `fault` says, in its third step or where the fault belongs.</summary>
public class Odd : Kit.Model {
  private sealed class Cursed {
    ~Cursed() {
      throw new InvalidOperationException("the finalizer of Cursed throws");
    }
  }
  private sealed class HasCycle : IUnit {
    public string Caption { get; set; }
    public string Description { get; set; }
    public IDimension Dimension {
      get { return null; }
    }
    public double ConversionFactorToSI {
      get { return 1.0; }
    }
    public double OffSetToSI {
      get { return 0.0; }
    }
  }

  protected readonly Kit.Argument<string> Fault = new Kit.Argument<string>("fault", "");
  private readonly object gate = new object();
  private Kit.Output level;

  public Odd() : base("odd") {
    ArgumentList.Add(Fault);
  }
  private bool Is(string fault) {
    return Fault.Get() == fault;
  }
  public override IList<IBaseInput> Inputs {
    get { return Is("null inputs") ? null : InputList; }
  }
  public override IList<IBaseOutput> Outputs {
    get { return Is("null outputs") ? null : OutputList; }
  }
  protected override void Setup() {
    if (Is("throw in Initialize")) throw new ArgumentException("no file is called 'creek.xml'");
    IUnit unit = Is("null unit") ? null : Is("null dimension") ? (IUnit)new HasCycle() : Kit.PlainUnit.Flow();
    var quantity = new Kit.PlainQuantity("level", unit);
    if (Is("null type")) quantity.ValueType = null;
    level = new Kit.Output("level", quantity, null, this);
    if (Is("null definition")) level.ValueDefinition = null;
    OutputList.Add(level);
    if (Is("null item")) OutputList.Add(null);
    if (Is("null id")) OutputList.Add(new Kit.Output(null, quantity, null, this));
    if (Is("strange texts")) Description = "l\u0000e\ud800v\u00e9l \ud83c\udf0a";
  }
  public override string[] Validate() {
    string[] told = base.Validate();
    return Is("null message") ? new string[] { null, "level is low" } : told;
  }
  protected override void Start() {
    level.Show(First, 0.0, new List<double> { 0.0 });
  }
  protected override void Step(double from, double to) {
    if (Steps == 3) Misbehave();
    IList row = new List<double> { Steps };
    if (Steps == 3 && Is("text")) row = new List<object> { "three" };
    if (Steps == 3 && Is("null value")) row = new List<object> { null };
    level.Show(to, 0.0, row);
    if (Steps == 3 && Is("null rows")) level.Values.Values2D = null;
    if (Steps == 3 && Is("no rows")) level.Values.Values2D = new List<IList>();
    if (Steps == 3 && Is("null values")) level.Values = null;
    if (Steps == 3 && Is("null time")) level.Times.List[0] = null;
  }
  private void Misbehave() {
    switch (Fault.Get()) {
      case "throw":
        throw new InvalidOperationException("the gate is stuck", new FormatException("not a number: 'x'"));
      case "print":
        Console.WriteLine("step three of Odd");
        break;
      case "exit":
        Environment.Exit(3);
        break;
      case "finalizer":
        Curse();
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Thread.Sleep(2000);
        break;
      case "thread":
        new Thread(delegate() { throw new InvalidOperationException("a thread of Odd throws"); }).Start();
        Thread.Sleep(2000);
        break;
      case "deadlock":
        level.ItemChanged += Wait;
        break;
      case "overflow":
        Deeper(1);
        break;
    }
  }
  /// <summary>Has a state that is null.</summary>
  public IIdentifiable KeepCurrentState() {
    return null;
  }
  public void RestoreState(IIdentifiable stateId) {}
  public void ClearState(IIdentifiable stateId) {}
  private static void Curse() {
    new Cursed();
  }
  private static int Deeper(int level) {
    return Deeper(level + 1) + 1;
  }
  /// <summary>Waits for a thread that waits for this one.</summary>
  private void Wait(object sender, ExchangeItemChangeEventArgs args) {
    lock (gate) {
      var other = new Thread(delegate() {
        lock (gate) {}
      });
      other.Start();
      other.Join();
    }
  }
}

/// <summary>Has states, each of which is null.</summary>
public class Forgetful : Odd, IManageState, IByteStateConverter {
  public byte[] ConvertToByteArray(IIdentifiable stateId) {
    return null;
  }
  public IIdentifiable ConvertFromByteArray(byte[] byteArray) {
    return null;
  }
}

/// <summary>Has null in place of arguments.</summary>
public class Bare : Odd {
  public override IList<IArgument> Arguments {
    get { return null; }
  }
}

/// <summary>Has null as an argument.</summary>
public class Holed : Odd {
  public Holed() {
    ArgumentList.Add(null);
  }
}

}
