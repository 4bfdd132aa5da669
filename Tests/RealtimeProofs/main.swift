// Proves what the audio thread never does; built and run under sanitizers by scripts/prove-realtime.
//
//     realtime-proof scene CYCLES      plays a busy scene: the sanitizer must find nothing
//     realtime-proof violations        lists what can be done wrong on purpose
//     realtime-proof violate NAME      does that within a cycle: the sanitizer must end the program
import Glibc

let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.dropFirst().first) {
case ("scene", let cycles?):
  guard playScene(cycles: Int(cycles) ?? 1) else {
    print("the scene was not played as it should have been")
    exit(1)
  }
case ("violations", nil): for violation in Violation.all { print(violation.name) }
case ("violate", let name?):
  guard let violation = Violation.all.first(where: { $0.name == name }) else {
    print("there is no violation \(name)")
    exit(2)
  }
  let violate = violation.prepare()
  enterRealtime()
  violate()
  leaveRealtime()
  print("nobody has noticed: \(name)")
default:
  print("usage: realtime-proof scene CYCLES | violations | violate NAME")
  exit(2)
}
