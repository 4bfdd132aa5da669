// What it costs to mix one stereo session of 64 frames, beside the same loop in C.
//
//     KernelBenchmark LIBRARY ROWS [ROUNDS]
//
// LIBRARY is `reference.c`, built. Appends the rows of a table in Markdown to the file ROWS: what, Eider, C, the ratio, its
// spread, what it may be.
import Foundation
import MixCore

let words = CommandLine.arguments.dropFirst().map { String($0) }
guard words.count >= 2, let reference = Reference(library: words[0]) else {
  print("usage: KernelBenchmark LIBRARY ROWS [ROUNDS]")
  exit(2)
}
let rounds = words.count > 2 ? max(1, Int(words[2]) ?? 9) : 9

let session = Session()
let results = (1...rounds).map { number in
  let costs = costs(of: session, beside: reference)
  func text(_ kind: Session.Kind) -> String { String(format: "%.1f", costs[kind] ?? .nan) }
  print(
    "round \(number)  moving ramp: \(text(.moving)) ns, without AVX2 \(text(.baselineMoving)) ns, C \(text(.movingInC)) ns; "
      + "constant gain: \(text(.still)) ns, without AVX2 \(text(.baselineStill)) ns, C \(text(.stillInC)) ns")
  return costs
}

func text(_ value: Double, _ digits: Int = 1) -> String { String(format: "%.\(digits)f", value) }
func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func row(_ what: String, _ own: Session.Kind, _ other: Session.Kind, _ limit: String) -> String {
  let (own, other) = (results.compactMap { $0[own] }, results.compactMap { $0[other] })
  let ratios = zip(own, other).map { $0 / $1 }
  let spread = "\(text(ratios.min() ?? 0, 2)) to \(text(ratios.max() ?? 0, 2))"
  return "| \(what) | \(text(middle(own))) ns | \(text(middle(other))) ns | \(text(middle(ratios), 2)) | \(spread) "
    + "| \(limit) |"
}

let rows = [
  row("the loop of one stereo session, a ramp moving, beside C", .moving, .movingInC, "1.20"),
  row("the same with a constant gain", .still, .stillInC, "no more than with a ramp"),
]
let file = URL(fileURLWithPath: words[1])
let before = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
try (before + rows.map { $0 + "\n" }.joined()).write(to: file, atomically: true, encoding: .utf8)
