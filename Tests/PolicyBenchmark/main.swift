// What one event costs on a host with many sessions: from the message to the notices.
//
//     PolicyBenchmark [SESSIONS [LIMIT]]
//
// Each row alternates between two events that undo one another. With a LIMIT in microseconds it exits with 1 if the
// median of a row of single events is above it.
import Foundation

let count = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 1000 : 1000
let limit = CommandLine.arguments.count > 2 ? Double(CommandLine.arguments[2]) ?? .infinity : .infinity

/// Measures each event by itself, in microseconds.
func measure(_ scenario: Scenario, sessions: Int, rounds: Int) -> (median: Double, worst: Double) {
  var crowd = Crowd(sessions: sessions)
  var costs: [Double] = []
  let clock = ContinuousClock()
  for round in 0..<(rounds * 2) {
    let messages = round.isMultiple(of: 2) ? scenario.there : scenario.back
    let cost = clock.measure { crowd.event(messages) }
    // The first rounds fill the caches.
    if round >= rounds / 5 { costs.append(Double(cost.components.attoseconds) / 1e12) }
  }
  costs.sort()
  return (costs[costs.count / 2], costs[costs.count * 99 / 100])
}

func row(_ name: String, _ values: Double...) -> String {
  let columns = values.map { value in
    let text = String((value * 10).rounded() / 10)
    return String(repeating: " ", count: max(1, 9 - text.count)) + text
  }
  return "  " + name + String(repeating: " ", count: max(1, 44 - name.count)) + columns.joined()
}

var slowest = 0.0
print("one event, \(count) sessions: median and 99th percentile in µs")
for scenario in Scenario.single(sessions: count) {
  let (median, worst) = measure(scenario, sessions: count, rounds: 500)
  print(row(scenario.name, median, worst))
  slowest = max(slowest, median)
}
print("an event that concerns everybody, \(count) sessions")
for scenario in Scenario.everybody {
  let (median, worst) = measure(scenario, sessions: count, rounds: 50)
  print(row(scenario.name, median, worst))
}
guard slowest <= limit else {
  print("one event costs more than \(limit) µs")
  exit(1)
}
