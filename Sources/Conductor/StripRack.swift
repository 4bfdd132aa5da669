import MixCore
import SessionPolicy

/// Which strip of the mixer each session has, and the strips that still fade out. Control thread only.
struct StripRack {
  /// A strip that is in use.
  struct Strip {
    let index: Int
    let name: String
    var channels: Int
    /// So many channels it gets once it is silent.
    var swap: (channels: Int, fadeOut: FadeOut)?
    /// What its ports are called for people.
    var title = ""
    var inputs: [AudioPort] = []
    var microphoneSends: [AudioPort] = []
    /// Whether no ports could be had for the microphone, of which there was complained.
    var lacksMicrophoneSends = false
    var heard = MixComposer.Heard()
  }

  /// A strip whose session is closed.
  struct Retiree {
    let strip: Strip
    var fadeOut: FadeOut
    /// The publication that takes its ports away, once it is silent.
    var farewell: UInt64?
  }

  private(set) var strips: [SessionID: Strip] = [:]
  private(set) var retirees: [Retiree] = []
  /// The lowest number is given first, so that the mixer's work stays together.
  private var free: [Int]

  init(capacity: Int) { free = Array((0..<capacity).reversed()) }

  subscript(session: SessionID) -> Strip? {
    get { strips[session] }
    set { strips[session] = newValue }
  }

  /// Gives a session a strip: that which its namesake has just left, with its ports, or a free one.
  ///
  /// - Returns: the strip and whether it has its ports already, or `nil` if there is none.
  mutating func open(_ session: SessionID, name: String, channels: Int) -> (strip: Strip, isInherited: Bool)? {
    if let place = retirees.firstIndex(where: { $0.strip.name == name && $0.strip.channels == channels }) {
      let strip = retirees.remove(at: place).strip
      strips[session] = strip
      return (strip, true)
    }
    guard let index = free.popLast() else { return nil }
    let strip = Strip(index: index, name: name, channels: channels)
    strips[session] = strip
    return (strip, false)
  }

  /// The session is closed; its strip falls silent.
  mutating func retire(_ session: SessionID, _ fadeOut: FadeOut) -> Strip? {
    guard let strip = strips.removeValue(forKey: session) else { return nil }
    retirees.append(Retiree(strip: strip, fadeOut: fadeOut))
    return strip
  }

  /// The strips that have become silent by a frame and have not been taken leave of.
  mutating func silent(at frame: UInt64, inForce: UInt64) -> [Strip] {
    var silent: [Strip] = []
    for place in retirees.indices where retirees[place].farewell == nil {
      if retirees[place].fadeOut.isOver(at: frame, inForce: inForce) { silent.append(retirees[place].strip) }
    }
    return silent
  }

  /// The publication with this number takes the ports of a strip away.
  mutating func takeLeave(of strip: Strip, by publication: UInt64) {
    for place in retirees.indices where retirees[place].strip.index == strip.index {
      retirees[place].farewell = publication
    }
  }

  /// Frees the strips whose ports the audio thread has forgotten. The ports can be taken away now.
  mutating func free(acknowledged: UInt64) -> [AudioPort] {
    var ports: [AudioPort] = []
    retirees.removeAll { retiree in
      guard let farewell = retiree.farewell, farewell <= acknowledged else { return false }
      ports += retiree.strip.inputs + retiree.strip.microphoneSends
      free.append(retiree.strip.index)
      return true
    }
    return ports
  }

  /// Whether some strip has to be looked after.
  var hasRetirees: Bool { !retirees.isEmpty }
}
