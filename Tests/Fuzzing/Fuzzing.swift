import Foundation

// What all fuzzing programs have in common. libFuzzer calls the C functions here; the target of each program is its
// `Target`.

/// What is done with one input. It ends the program where something is not as it should be.
protocol FuzzingTarget {
  /// Inputs to begin with, by name.
  static var seeds: [String: [UInt8]] { get }
  /// Words that inputs are made of.
  static var dictionary: [String] { get }
  static func take(_ input: [UInt8])
}

/// One input, from libFuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func takeFuzzingInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  Target.take(Array(UnsafeBufferPointer(start: data, count: size)))
  return 0
}

/// The beginning. With the variable FUZZING_SEEDS the program writes its seeds into that directory and ends.
@_cdecl("LLVMFuzzerInitialize")
public func beginFuzzing(_ count: UnsafeMutableRawPointer?, _ words: UnsafeMutableRawPointer?) -> Int32 {
  guard let path = ProcessInfo.processInfo.environment["FUZZING_SEEDS"] else { return 0 }
  let directory = URL(fileURLWithPath: path)
  do {
    let inputs = directory.appendingPathComponent("inputs")
    try FileManager.default.createDirectory(at: inputs, withIntermediateDirectories: true)
    for (name, seed) in Target.seeds { try Data(seed).write(to: inputs.appendingPathComponent(name)) }
    let words = Target.dictionary.map { word in
      let escaped = word.utf8.map { byte in
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
          ? String(UnicodeScalar(byte)) : String(format: "\\x%02X", byte)
      }
      return "\"" + escaped.joined() + "\"\n"
    }
    try words.joined().write(to: directory.appendingPathComponent("dictionary"), atomically: false, encoding: .utf8)
  } catch {
    fatalError("the seeds cannot be written: \(error)")
  }
  exit(0)
}
