import MixCore

/// Where ports come from: a JACK client, or the files of an offline rendering. Control thread only.
public protocol AudioPorts: AnyObject {
  /// Makes a port.
  /// - Throws: why there is none to be had, for people.
  func register(_ port: AudioPortName) throws(AudioPortError) -> AudioPort
  /// Takes a port away. The audio thread knows it no more.
  func unregister(_ port: AudioPort)
  /// The owner of ports is called otherwise from now on.
  func setTitle(_ title: String, of ports: [AudioPort])
  /// Says which ways sound takes from now on, all of them.
  func setPaths(_ paths: [AudioPath])
}

/// A way of sound: what comes in at any of some ports goes out at all of others.
public struct AudioPath: Hashable, Sendable {
  public let sources: [AudioPort]
  public let destinations: [AudioPort]
  /// Frames by which it is late.
  public let frames: Int
}

/// What a port is for.
public struct AudioPortName: Hashable, Sendable {
  /// Which way sound goes through it, seen from Eider.
  public enum Direction: Hashable, Sendable { case input, output }

  /// Whose port it is.
  public enum Owner: Hashable, Sendable {
    /// Takes the sound of the session of this name.
    case session(String)
    /// Gives the session of this name the sound of the microphone.
    case microphoneSend(String)
    case outputRoute(String)
    case inputRoute(String)
  }

  public let owner: Owner
  /// From 1.
  public let channel: Int
  /// The title of its owner, for people.
  public let title: String

  public init(owner: Owner, channel: Int, title: String) {
    self.owner = owner
    self.channel = channel
    self.title = title
  }

  /// `music_in_1`, `music_mic_1`, `speaker_out_1`, `desk_in_1`.
  public var name: String {
    switch owner {
    case .session(let name), .inputRoute(let name): "\(name)_in_\(channel)"
    case .microphoneSend(let name): "\(name)_mic_\(channel)"
    case .outputRoute(let name): "\(name)_out_\(channel)"
    }
  }

  public var direction: Direction {
    switch owner {
    case .session, .inputRoute: .input
    case .microphoneSend, .outputRoute: .output
    }
  }
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
