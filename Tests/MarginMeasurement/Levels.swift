import Foundation

func energy(_ decibels: Double) -> Double { pow(10, decibels / 10) }

/// The decibels of the mean of some energies.
func decibels(_ energies: [Double]) -> Double {
  energies.isEmpty ? -120 : 10 * log10(max(energies.reduce(0, +) / Double(energies.count), 1e-12))
}

/// Samples of one channel, as sox writes them: raw little-endian `Float`.
func samples(inFile path: String) throws -> [Float] {
  try Data(contentsOf: URL(fileURLWithPath: path)).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
}

/// The mean energy of the 400 ms windows of a signal that are not silent, in decibels; without weighting.
func level(of samples: [Float]) -> Double {
  let window = MarginRun.sampleRate * 2 / 5
  let energies = stride(from: 0, to: samples.count - window, by: window).map { start in
    samples[start..<start + window].reduce(0) { $0 + Double($1 * $1) } / Double(window)
  }
  return decibels(energies.filter { $0 > 1e-5 })
}
