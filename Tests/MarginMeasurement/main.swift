// Measures whether ducking by margin keeps its promise on recordings: every voice over every piece of music, the music
// as loud as the voice and 6 dB louder, at margins of 6, 10 and 15 LU. Ends with 1 if it does not for all of them.
//
// usage: MarginMeasurement FOLDER   with voice-*.f32 and music-*.f32 in it, one channel at 48 kHz; drawings and a table go
//                                   there too

import Foundation

guard CommandLine.arguments.count == 2 else {
  FileHandle.standardError.write(Data("usage: MarginMeasurement FOLDER\n".utf8))
  exit(2)
}
let folder = CommandLine.arguments[1]
let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".f32") }.sorted()

let recordings = { (kind: String) -> [(name: String, samples: [Float])] in
  try files.filter { $0.hasPrefix(kind) }.map { file in
    (String(file.dropFirst(kind.count).dropLast(4)), try samples(inFile: folder + "/" + file))
  }
}

let voices = try recordings("voice-")
let pieces = try recordings("music-")
var judgements: [MarginRun.Judgement] = []
let margins: [Float] = [6, 10, 15]
print("voice      music             louder  margin   >= m-3  >= m-1   mean-m  turns/s")
for voice in voices {
  for piece in pieces {
    for louder in [0.0, 6.0] {
      let gain = Float(pow(10, (level(of: voice.samples) - level(of: piece.samples) + louder) / 20))
      let music = piece.samples.map { $0 * gain }
      for margin in margins {
        let run = MarginRun(voice: voice.samples, music: music, margin: margin)
        let result = run.judgement
        judgements.append(result)
        let names =
          voice.name.padding(toLength: 10, withPad: " ", startingAt: 0) + " "
          + piece.name.padding(toLength: 16, withPad: " ", startingAt: 0)
        let mark = result.keepsAim ? "" : result.keepsPromise ? " ." : " !"
        print(
          names
            + String(
              format: "  %4.0f dB  %3.0f LU   %5.1f %%  %5.1f %%  %+5.2f LU   %4.2f", louder, margin,
              100 * result.within3, 100 * result.within1, result.excess, result.turns) + mark)
        if margin == 10 && louder == 6 {
          let title = "\(voice.name) over \(piece.name), margin 10 LU"
          let path = "\(folder)/\(voice.name)-\(piece.name).svg"
          try MarginPlot(title: title, run: run).svg.write(toFile: path, atomically: true, encoding: .utf8)
        }
      }
    }
  }
}
let mean = { (value: (MarginRun.Judgement) -> Double) in
  judgements.reduce(0) { $0 + value($1) } / Double(judgements.count)
}
let table = margins.map { margin in
  let own = judgements.filter { $0.margin == margin }
  let excesses = own.filter(\.isDucked).map(\.excess)
  return String(
    format: "| %.0f LU | %d | %.1f %% | %.1f %% | %+.2f LU | %+.2f LU | %.2f |\n", margin, own.count,
    100 * own.reduce(0) { $0 + $1.within3 } / Double(own.count), 100 * (own.map(\.within3).min() ?? 0),
    excesses.reduce(0, +) / Double(max(1, excesses.count)), excesses.max() ?? 0, own.map(\.turns).max() ?? 0)
}
try table.joined().write(toFile: folder + "/table.md", atomically: true, encoding: .utf8)
let kept = judgements.filter { $0.keepsPromise }.count
let aimed = judgements.filter { $0.keepsAim }.count
print(
  String(
    format: "mean of %d: %.1f %%, %.1f %%, %+.2f LU, %.2f turns/s; kept %d, aim reached %d", judgements.count,
    100 * mean { $0.within3 }, 100 * mean { $0.within1 }, mean { $0.excess }, mean { $0.turns }, kept, aimed))
exit(kept == judgements.count ? 0 : 1)
