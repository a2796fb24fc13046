using System.Reflection;

[assembly: AssemblyTitle("Interfaces of OpenMI 2.0")]
[assembly: AssemblyVersion("2.0.0.0")]
