import Foundation
import Scripts
import SessionPolicy

var passed = 0, failed = 0
var trace = false
let args = CommandLine.arguments.dropFirst(2)
for a in args where a == "--trace" { trace = true }
for path in args where path != "--trace" {
  let text = try String(contentsOfFile: path, encoding: .utf8)
  let script = try Script(name: path, text: text)
  let result = Simulation.run(script, on: .scriptHost, trace: trace ? { print($0.line) } : nil)
  passed += result.passed
  failed += result.failures.count
  for f in result.failures { print(f) }
  for r in result.refusals { FileHandle.standardError.write(Data((r + "\n").utf8)) }
}
print("\(passed) passed, \(failed) failed")
exit(failed == 0 ? 0 : 1)
