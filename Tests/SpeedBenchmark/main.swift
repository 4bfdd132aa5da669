// What the audio thread costs in a cycle of 64 frames at 48 kHz, beside others who do the same.
//
//     SpeedBenchmark strips|idle EIDER BARE-CLIENT ROWS [ROUNDS]
//
// Appends the rows of a table in Markdown to the file ROWS: what, Eider, the other, the ratio, its spread, what it may be.
import Foundation
import JACKProbe

let words = CommandLine.arguments.dropFirst().map { String($0) }
guard words.count >= 4, ["strips", "idle"].contains(words[0]) else {
  say("usage: SpeedBenchmark strips|idle EIDER BARE-CLIENT ROWS [ROUNDS]")
  exit(2)
}
let rounds = words.count > 4 ? max(1, Int(words[4]) ?? 3) : 3
do {
  let field = try Field(Field.Programs(eider: words[1], bareClient: words[2]))
  defer { field.close() }
  let rows =
    words[0] == "strips" ? try compareStrips(in: field, rounds: rounds) : try measureIdle(in: field, rounds: rounds)
  let file = URL(fileURLWithPath: words[3])
  let before = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  try (before + rows.map { $0 + "\n" }.joined()).write(to: file, atomically: true, encoding: .utf8)
} catch {
  say(error)
  exit(1)
}
