import Foundation

/// A sound file that is read from its beginning to its end, in any format that libsndfile knows. One thread.
final class SoundFileReader {
  let path: String
  /// How many frames it has.
  let length: Int
  /// Frames per second.
  let rate: Int
  let channels: Int
  private let file: OpaquePointer
  private var interleaved: [Float] = []

  /// Opens a file.
  init(_ path: String) throws(SoundFileError) {
    // libsndfile says “System error” of a file that is not there.
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw SoundFileError(path: path, problem: "there is no such file")
    }
    guard !isDirectory.boolValue else { throw SoundFileError(path: path, problem: "this is a directory") }
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw SoundFileError(path: path, problem: "it may not be read")
    }
    guard let (file, format) = LibsndfileCalls.openForReading(path) else {
      let problem = LibsndfileCalls.problem(nil) ?? "unknown format"
      throw SoundFileError(path: path, problem: "this is no sound file that can be read: \(problem)")
    }
    self.path = path
    self.file = file
    (length, rate, channels) = (format.frames, format.rate, format.channels)
  }

  deinit { _ = LibsndfileCalls.close(file) }

  /// Reads the next frames, silence after the end.
  /// - Returns: interleaved samples, `frames` × `channels`.
  func read(_ frames: Int) throws(SoundFileError) -> ArraySlice<Float> {
    let count = frames * channels
    if interleaved.count < count { interleaved = Array(repeating: 0, count: count) }
    let (file, channels) = (file, channels)
    let read = interleaved.withUnsafeMutableBufferPointer { buffer in
      let read = LibsndfileCalls.read(file, buffer, frames: frames)
      buffer[(read * channels)..<count].update(repeating: 0)
      return read
    }
    if read < frames, let problem = LibsndfileCalls.problem(file) {
      throw SoundFileError(path: path, problem: "it is damaged: \(problem)")
    }
    return interleaved[..<count]
  }
}
