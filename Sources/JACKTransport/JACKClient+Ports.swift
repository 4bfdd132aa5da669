extension JACKClient {
  /// Metadata for people and their tools (policy of JACK: `http://jackaudio.org/metadata/…`).
  public struct PortLabel: Hashable, Sendable {
    /// The name that people see.
    public var prettyName: String?
    /// The place among the ports of the client, from 0.
    public var order: Int?
    /// What the port belongs to: the ports of a session, of a route.
    public var group: String?

    public init(prettyName: String? = nil, order: Int? = nil, group: String? = nil) {
      self.prettyName = prettyName
      self.order = order
      self.group = group
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
    return OwnPort(name: Libjack.portName(port), direction: direction, handle: UnsafeMutableRawPointer(port))
  }

  /// Takes a port of one's own away, with its connections and metadata. The audio thread must not know it any more.
  public func unregister(_ port: OwnPort) throws(JACKError) {
    try checkServer()
    let handle = OpaquePointer(port.handle)
    Libjack.removeProperties(self.handle, Libjack.uuid(of: handle))
    guard Libjack.unregister(self.handle, handle) else { throw .noSuchPort(port.name) }
  }

  /// Sets what people see of a port; what is nil stays as it is.
  ///
  /// - Returns: Whether the server took all of it: metadata is a courtesy, sound does not depend on it.
  @discardableResult
  public func label(_ port: OwnPort, _ label: PortLabel) -> Bool {
    guard !isServerGone, !isClosed else { return false }
    let subject = Libjack.uuid(of: OpaquePointer(port.handle))
    func set(_ key: String, _ value: String?, type: String? = nil) -> Bool {
      guard let value else { return true }
      return Libjack.setProperty(handle, subject, key: Metadata.key(key), value: value, type: type)
    }
    let isNamed = set("pretty-name", label.prettyName)
    let isOrdered = set("order", label.order.map(String.init), type: "http://www.w3.org/2001/XMLSchema#int")
    let isGrouped = set("port-group", label.group)
    return isNamed && isOrdered && isGrouped
  }
}
