using System.Reflection;

[assembly: AssemblyVersion("2.0.7.0")]
