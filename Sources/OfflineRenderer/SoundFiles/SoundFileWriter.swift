import Foundation

/// A WAV file of 32-bit float samples that is written from its beginning to its end. One thread.
///
/// It gets its name when it is finished: until then what had this name before is left alone, and a file that is never
/// finished leaves nothing behind.
final class SoundFileWriter {
  let path: String
  let channels: Int
  private let target: URL
  /// Where it is written until it is finished: beside its target, or the target itself where that is a device.
  private let workplace: URL
  private var file: OpaquePointer?
  private var interleaved: [Float] = []
  /// A WAV counts its bytes in 32 bits; some of them are the header's.
  private static let longestWAV = 4_294_900_000

  /// - Parameter frames: how many will be written; what does not fit into a WAV becomes an RF64.
  init(_ path: String, rate: Int, channels: Int, frames: Int) throws(SoundFileError) {
    self.path = path
    self.channels = channels
    target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    workplace = Self.isDevice(target) ? target : target.appendingPathExtension("part")
    var isDirectory: ObjCBool = false
    let folder = target.deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory), isDirectory.boolValue else {
      throw SoundFileError(path: path, problem: "there is no directory \(folder) to write it to")
    }
    guard !FileManager.default.fileExists(atPath: target.path, isDirectory: &isDirectory) || !isDirectory.boolValue
    else { throw SoundFileError(path: path, problem: "this is a directory; name a file") }
    let isLong = frames * channels * 4 > Self.longestWAV
    file = LibsndfileCalls.openForWriting(workplace.path, rate: rate, channels: channels, isLong: isLong)
    guard let file else {
      let problem = LibsndfileCalls.problem(nil) ?? "unknown problem"
      throw SoundFileError(path: path, problem: "it cannot be written: \(problem)")
    }
    LibsndfileCalls.omitPeakChunk(file)
  }

  deinit {
    guard let file else { return }
    _ = LibsndfileCalls.close(file)
    if workplace != target { try? FileManager.default.removeItem(at: workplace) }
  }

  /// Appends frames.
  /// - Parameter channels: for each channel as many samples as there are frames.
  func write(_ channels: [UnsafeBufferPointer<Float>], frames: Int) throws(SoundFileError) {
    guard let file else { preconditionFailure("\(path) is finished") }
    let count = frames * self.channels
    if interleaved.count < count { interleaved = Array(repeating: 0, count: count) }
    for (channel, samples) in channels.enumerated() {
      for frame in 0..<frames { interleaved[frame * self.channels + channel] = samples[frame] }
    }
    let written = interleaved.withUnsafeBufferPointer { LibsndfileCalls.write(file, $0, frames: frames) }
    guard written == frames else { throw incomplete(LibsndfileCalls.problem(file)) }
  }

  /// Finishes the file and gives it its name.
  func finish() throws(SoundFileError) {
    guard let file else { return }
    self.file = nil
    guard LibsndfileCalls.close(file) else { throw incomplete(nil) }
    guard workplace != target else { return }
    guard rename(workplace.path, target.path) == 0 else {
      throw SoundFileError(path: path, problem: "it cannot be given its name: \(String(cString: strerror(errno)))")
    }
  }

  private func incomplete(_ problem: String?) -> SoundFileError {
    SoundFileError(path: path, problem: "not all of it could be written: \(problem ?? "is the disk full?")")
  }

  private static func isDevice(_ url: URL) -> Bool {
    guard let type = try? FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType else {
      return false
    }
    return type != .typeRegular && type != .typeDirectory
  }
}
