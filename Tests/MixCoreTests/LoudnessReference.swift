import CEbur128
import Foundation

/// The momentary loudness by libebur128, which the mixer's own has to agree with.
final class LoudnessReference {
  private var state: UnsafeMutablePointer<ebur128_state>?

  /// `ebur128_init`
  init(channels: Int, sampleRate: Int) {
    state = ebur128_init(UInt32(channels), UInt(sampleRate), Int32(EBUR128_MODE_M.rawValue))
  }

  /// `ebur128_destroy`
  deinit { ebur128_destroy(&state) }

  /// Hears frames of interleaved samples. `ebur128_add_frames_float`
  func hear(_ samples: [Float], frames: Int) { ebur128_add_frames_float(state, samples, frames) }

  /// LUFS, −120 at least. `ebur128_loudness_momentary`
  var momentary: Float {
    var loudness = 0.0
    ebur128_loudness_momentary(state, &loudness)
    return max(-120, Float(loudness))
  }
}

/// Recordings of people and of music, from the Debian packages asterisk-core-sounds-en-wav and asterisk-moh-opsound-wav.
enum Recording {
  static let music = [
    "macroform-cold_day", "macroform-robot_dity", "macroform-the_simplicity", "manolo_camp-morning_coffee",
    "reno_project-system",
  ].map { "/usr/share/asterisk/moh/\($0).wav" }
  static let speech = ["basic-pbx-ivr-main", "conf-adminmenu-162", "demo-congrats", "demo-instruct", "vm-options"]
    .map { "/usr/share/asterisk/sounds/en_US_f_Allison/\($0).wav" }

  /// The samples of a recording at a rate, one channel; by sox.
  static func samples(_ path: String, sampleRate: Int, seconds: Double) throws -> [Float] {
    let sox = Process()
    sox.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    sox.arguments =
      ["sox", path, "-t", "f32", "-e", "floating-point", "-L", "-c", "1", "-r", String(sampleRate), "-"]
      + ["trim", "0", String(seconds)]
    let pipe = Pipe()
    sox.standardOutput = pipe
    try sox.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    sox.waitUntilExit()
    guard sox.terminationStatus == 0 else { throw CocoaError(.fileReadUnknown) }
    return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }
}
