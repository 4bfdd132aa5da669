extension JACKClient {
  /// Metadata for people and their tools (policy of JACK: `http://jackaudio.org/metadata/…`).
  public struct PortLabel: Hashable, Sendable {
    /// The name that people see.
    public var prettyName: String?
    /// The place among the ports of the client, from 0.
    public var order: Int?
    /// What the port belongs to: the ports of a session, of a route.
    public var group: String?
    /// A name of the icon naming specification of freedesktop.org.
    public var icon: String?

    public init(prettyName: String? = nil, order: Int? = nil, group: String? = nil, icon: String? = nil) {
      self.prettyName = prettyName
      self.order = order
      self.group = group
      self.icon = icon
    }
  }

  /// Registers an audio port of one's own. The name is cut at the server's limit and gets a number at its end if
  /// another of Eider's ports has it: the result tells.
  public func registerPort(_ name: String, _ direction: PortDirection) throws(JACKError) -> OwnPort {
    try checkServer()
    let room = Libjack.portNameLimit - self.name.utf8.count - 1
    guard !name.isEmpty, room > 0 else { throw .unusableName(name) }
    let short = JACKNames.unique(name, bytes: room) { Libjack.port(handle, name: "\(self.name):\($0)") != nil }
    guard let port = Libjack.register(handle, name: short, isInput: direction == .input) else {
      throw .portsExhausted(port: short)
    }
    let identity = Libjack.uuid(of: port)
    // Identities are used again, and what a program that crashed left behind under this one is not about this port.
    removeProperties(of: [identity])
    return OwnPort(
      name: Libjack.portName(port), direction: direction, identity: identity, handle: UnsafeMutableRawPointer(port))
  }

  /// Takes a port of one's own away, with its connections and metadata. The audio thread must not know it any more.
  public func unregister(_ port: OwnPort) throws(JACKError) {
    try checkServer()
    listener.forget(port)
    lateLabels.removeAll { $0.subject == port.identity }
    removeProperties(of: [port.identity])
    guard Libjack.unregister(handle, OpaquePointer(port.handle)) else { throw .noSuchPort(port.name) }
  }

  /// Sets what people see of a port; what is nil stays as it is.
  ///
  /// - Returns: Whether the server took all of it: metadata is a courtesy, sound does not depend on it.
  @discardableResult
  public func label(_ port: OwnPort, _ label: PortLabel) -> Bool {
    self.label(subject: port.identity, label)
  }

  /// Sets what people see of the client itself; what is nil stays as it is.
  @discardableResult
  public func label(_ label: PortLabel) -> Bool {
    guard !isServerGone, !isClosed, let subject = Libjack.uuid(handle, ofClient: name) else { return false }
    labelledIdentity = subject
    return self.label(subject: subject, label)
  }

  /// Takes away what people see of ports of one's own, and of the client. Metadata outlives ports, and servers that are
  /// killed: this can be done without a server, until the client is closed.
  public func removeLabels(of ports: some Sequence<OwnPort>) {
    guard !isClosed else { return }
    lateLabels = []
    removeProperties(of: ports.map(\.identity) + [labelledIdentity].compactMap(\.self))
  }

  private func removeProperties(of subjects: [UInt64]) {
    let place = ClientPlace(handle)
    _ = metadata.perform {
      for subject in subjects { Libjack.removeProperties(place.handle, subject) }
    }
  }

  private func label(subject: UInt64, _ label: PortLabel) -> Bool {
    guard !isServerGone, !isClosed else { return false }
    guard Libjack.isPipeWire else { return set(label, of: subject) }
    lateLabels.append(LateLabel(subject: subject, label: label, time: Libjack.microseconds + Self.delayOfLabels))
    return true
  }

  /// Programs on PipeWire forget what they are told of a port that they do not know yet, and they learn of ports a little
  /// later than of labels: so these wait for as many microseconds.
  private static let delayOfLabels: UInt64 = 100_000

  /// What is not said yet.
  struct LateLabel {
    let subject: UInt64
    let label: PortLabel
    var time: UInt64
  }

  /// Sets the labels that had to wait, if it is time. PipeWire takes none before its session manager is there: they wait on.
  public func setLateLabels() {
    let now = Libjack.microseconds
    while let late = lateLabels.first, late.time <= now, !isServerGone, !isClosed {
      guard set(late.label, of: late.subject) else {
        for index in lateLabels.indices { lateLabels[index].time = now + 1_000_000 }
        return
      }
      lateLabels.removeFirst()
    }
  }

  private func set(_ label: PortLabel, of subject: UInt64) -> Bool {
    let place = ClientPlace(handle)
    return metadata.perform {
      func set(_ key: String, _ value: String?, type: String? = nil) -> Bool {
        guard let value else { return true }
        let key = Metadata.key(key)
        // PipeWire's libjack remembers what was said on servers that have gone, where subjects had the same numbers, and does
        // not say the same again: so it is told something else first.
        if Libjack.isPipeWire, Libjack.property(subject, key: key) == value {
          Libjack.setProperty(place.handle, subject, key: key, value: "", type: type)
        }
        return Libjack.setProperty(place.handle, subject, key: key, value: value, type: type)
      }
      let isNamed = set("pretty-name", label.prettyName)
      let isOrdered = set("order", label.order.map(String.init), type: "http://www.w3.org/2001/XMLSchema#int")
      let isGrouped = set("port-group", label.group)
      let hasIcon = set("icon-name", label.icon)
      return isNamed && isOrdered && isGrouped && hasIcon
    } ?? false
  }
}

/// A client on its way to the thread of its metadata. Unsafe because of the pointer: the client is closed only once that
/// thread is done with it.
private struct ClientPlace: @unchecked Sendable {
  let handle: Libjack.Client

  init(_ handle: Libjack.Client) { self.handle = handle }
}
