using System.Collections.Generic;
using System.Runtime.CompilerServices;

namespace OpenMI.Bridge {

/// <summary>
/// Objects of components that the plug-in refers to, by number. An object has one number, however often it is kept.
/// Used by one thread at a time, as components are.
/// </summary>
internal static class Things {
  private sealed class ByReference : IEqualityComparer<object> {
    bool IEqualityComparer<object>.Equals(object a, object b) {
      return ReferenceEquals(a, b);
    }
    int IEqualityComparer<object>.GetHashCode(object thing) {
      return RuntimeHelpers.GetHashCode(thing);
    }
  }

  private static readonly Dictionary<object, int> numbers = new Dictionary<object, int>(new ByReference());
  private static readonly List<object> things = new List<object> { null };
  private static readonly List<int> uses = new List<int> { 0 };
  private static readonly Stack<int> free = new Stack<int>();

  /// <summary>The number of an object, until it is released as often as it was kept; 0 for null.</summary>
  public static int Keep(object thing) {
    if (thing == null) return 0;
    int number;
    if (numbers.TryGetValue(thing, out number)) {
      ++uses[number];
      return number;
    }
    if (free.Count > 0) {
      number = free.Pop();
      things[number] = thing;
      uses[number] = 1;
    } else {
      number = things.Count;
      things.Add(thing);
      uses.Add(1);
    }
    numbers.Add(thing, number);
    return number;
  }

  public static int[] Keep<T>(IList<T> list) {
    var kept = new int[list.Count];
    for (int i = 0; i < kept.Length; ++i) kept[i] = Keep(list[i]);
    return kept;
  }

  public static void Release(int number) {
    if (number == 0 || --uses[number] > 0) return;
    numbers.Remove(things[number]);
    things[number] = null;
    free.Push(number);
  }

  public static T At<T>(int number) where T : class {
    return (T)things[number];
  }
  /// <summary>The same where it is done in each step: a cast to a type that is known costs less.</summary>
  public static object At(int number) {
    return things[number];
  }
}

}
