import MixCore

/// Where ports come from: a JACK client, or the files of an offline rendering. Control thread only.
public protocol AudioPorts: AnyObject {
  /// Makes a port.
  /// - Throws: why there is none to be had, for people.
  func register(_ port: AudioPortName) throws(AudioPortError) -> AudioPort
  /// Takes a port away. The audio thread knows it no more.
  func unregister(_ port: AudioPort)
}

/// How a port is called.
public struct AudioPortName: Hashable, Sendable {
  /// Which way sound goes through it, seen from Eider.
  public enum Direction: Hashable, Sendable { case input, output }

  /// `music_in_1`.
  public let name: String
  public let direction: Direction
  /// The name for people.
  public let title: String
  /// What it belongs to: the title of its session or route.
  public let group: String
}

/// A port that exists.
public struct AudioPort: Hashable, Sendable {
  /// The full name, `eider:music_in_1`.
  public let name: String
  /// What the shell of the audio thread finds it by.
  public let handle: UInt

  public init(name: String, handle: UnsafeMutableRawPointer) {
    self.name = name
    self.handle = UInt(bitPattern: handle)
  }

  /// As the mixer takes it.
  var pointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: handle) }
}

/// Why a port cannot be had.
public struct AudioPortError: Error, Hashable, Sendable {
  public let message: String
  public init(_ message: String) { self.message = message }
}
