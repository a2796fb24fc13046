// What Needs.cs refers to, and is not there when it runs.
using System.Reflection;

[assembly: AssemblyVersion("1.2.0.0")]

namespace Help {

public static class Helper {
  public static double Step() {
    return 1.0 / 24.0;
  }
}

}
