import Foundation

/// The strip of a mixer as a synth of SuperCollider, in the format of its binary files (`SCgf`, version 2):
///
///     { |in, left = 1, right = 1|
///       var gains = Lag.kr([left, right], 60);
///       Out.ar(0, In.ar(in, 2) * gains) }
enum SynthDefinition {
  static let name = "strip"

  /// The file.
  static var data: Data {
    var file = Writer()
    file.bytes("SCgf")
    file.long(2)
    file.short(1)
    file.string(name)
    // Constants: bus 0, and a lag so long that the gains move all the time.
    file.long(2)
    file.float(0)
    file.float(60)
    file.long(3)
    for value: Float in [0, 1, 1] { file.float(value) }
    file.long(3)
    for (index, name) in ["in", "left", "right"].enumerated() {
      file.string(name)
      file.long(Int32(index))
    }
    file.long(7)
    file.unit("Control", rate: 1, inputs: [], outputs: 3)
    file.unit("In", rate: 2, inputs: [(0, 0)], outputs: 2)
    file.unit("Lag", rate: 1, inputs: [(0, 1), (-1, 1)], outputs: 1)
    file.unit("Lag", rate: 1, inputs: [(0, 2), (-1, 1)], outputs: 1)
    let multiply: Int16 = 2
    file.unit("BinaryOpUGen", rate: 2, inputs: [(1, 0), (2, 0)], outputs: 1, special: multiply)
    file.unit("BinaryOpUGen", rate: 2, inputs: [(1, 1), (3, 0)], outputs: 1, special: multiply)
    file.unit("Out", rate: 2, inputs: [(-1, 0), (4, 0), (5, 0)], outputs: 0)
    // No variants.
    file.short(0)
    return file.data
  }

  private struct Writer {
    private(set) var data = Data()

    mutating func bytes(_ text: String) { data.append(contentsOf: text.utf8) }
    mutating func byte(_ value: UInt8) { data.append(value) }
    mutating func short(_ value: Int16) { withUnsafeBytes(of: value.bigEndian) { data.append(contentsOf: $0) } }
    mutating func long(_ value: Int32) { withUnsafeBytes(of: value.bigEndian) { data.append(contentsOf: $0) } }
    mutating func float(_ value: Float) { long(Int32(bitPattern: value.bitPattern)) }

    mutating func string(_ text: String) {
      byte(UInt8(text.utf8.count))
      bytes(text)
    }

    /// A unit generator; an input is an output of another one, or with −1 a constant.
    mutating func unit(
      _ name: String, rate: UInt8, inputs: [(unit: Int32, output: Int32)], outputs: Int, special: Int16 = 0
    ) {
      string(name)
      byte(rate)
      long(Int32(inputs.count))
      long(Int32(outputs))
      short(special)
      for input in inputs {
        long(input.unit)
        long(input.output)
      }
      for _ in 0..<outputs { byte(rate) }
    }
  }
}
