using System;
using System.Runtime.CompilerServices;

namespace OpenMI.Bridge {

/// <summary>Functions of the plug-in. Pointers are its own objects.</summary>
internal static unsafe class Engine {
  /// <summary>Asks the provider of an input.</summary>
  /// <param name="times">stamp and duration of each time</param>
  /// <param name="row">set to the first row, as AnswerRow returns it</param>
  /// <returns>how many rows the answer has; -1: it failed, see Failure</returns>
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern int Ask(IntPtr input, bool hasTimes, bool hasDurations, double offset, double horizon,
                               double* times, int count, out double* row, out int size);
  /// <summary>A row of the answer, until the next question; null: its values are no numbers, see AnswerValue.</summary>
  /// <param name="size">the number of its values; -1: it failed</param>
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern double* AnswerRow(IntPtr input, int row, out int size);
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern object AnswerValue(IntPtr input, int row, int element);
  /// <summary>Why the last call failed.</summary>
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern string Failure(out int number);
  /// <summary>The times of the provider of an input, as of Border.Times.</summary>
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern double[] ProviderTimes(IntPtr input);
  /// <summary>The times of a consumer.</summary>
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern double[] ConsumerTimes(IntPtr consumer);
  /// <summary>The places of a consumer, for ElementCopy; null: they are those of the output.</summary>
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern object[] ConsumerPlaces(IntPtr consumer);
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern void StatusChanged(IntPtr component, int from, int to, string message);
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern void ItemChanged(IntPtr item, string message);
  /// <summary>Notes what will end the process.</summary>
  [MethodImpl(MethodImplOptions.InternalCall)]
  public static extern void LastWords(string text);
}

/// <summary>A question of a component that the engine could not answer.</summary>
public sealed class EngineException : Exception {
  private readonly int number;

  internal EngineException(string message, int number) : base(message) {
    this.number = number;
  }
  /// <summary>The number by which the plug-in knows the error.</summary>
  internal int Number {
    get { return number; }
  }
  internal static EngineException Last() {
    int number;
    string message = Engine.Failure(out number);
    return new EngineException(message, number);
  }
}

}
