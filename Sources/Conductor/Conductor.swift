import AddressSpace
import MixCore
import Presets
import SessionPolicy

/// When something happens.
public struct Moment: Hashable, Sendable {
  /// Seconds on a clock that never goes back.
  public var seconds: Double
  /// The frame that the mixer is at.
  public var frame: UInt64

  public init(seconds: Double, frame: UInt64) {
    self.seconds = seconds
    self.frame = frame
  }
}

/// What the conductor has to say to the outside.
public enum Outgoing: Hashable, Sendable {
  /// To one client, which has asked or has been refused.
  case answer(Message, to: ReaderID)
  /// What has happened, to those who listen to its address.
  case notice(Message, to: [ReaderID])
  /// Somebody asked for the end of the daemon.
  case quit(from: ReaderID)
  /// How a client reads booleans from now on.
  case boolsAsInts(Bool, for: ReaderID)
  /// To one client: what time it is.
  case time(to: ReaderID)
  /// A scene was stored by a client, and is to be kept for good.
  case keepScene(Scene, for: ReaderID)
  /// For the log.
  case complaint(String)
}

/// Owns all control state: applies events to the policy, turns its state into the mixer's plan, and says what is to be
/// told. Control thread only; it has no clock and does no I/O of its own.
public final class Conductor {
  var control: ControlState
  public internal(set) var preset: Preset
  /// The version of the program, as clients are told it.
  public let version: String
  let measurements = Measurements()
  /// The mixer and its ports, while there is audio.
  var stage: Stage?
  var outbox: [Outgoing] = []
  /// Who listens to what.
  var desk: SubscriptionDesk
  /// What clients have asked the desk for in the present event.
  var deskRequests: [DeskRequest] = []
  /// The clients on the wire, as far as who listens depends on it.
  public var clients = ClientDirectory.none
  /// What is remembered beyond the end of the daemon.
  var recollection = Recollection()
  var agenda = Agenda()
  var syncs = SyncQueue()
  /// Is given the notices of each event, whoever listens to them.
  public var witness: (([Message]) -> Void)?
  /// Whether something has happened that the mix does not show yet, beyond what `movedSessions` says.
  var isStale = true
  /// The sessions whose levels have changed in a way that the mix does not show yet.
  var movedSessions = SessionPlaces()
  /// Whether it is to fall silent at once.
  var isPanic = false
  /// In how many seconds what has changed glides to its new value; 0 is as the preset's fades say.
  var glide = 0.0
  /// When numbers that glide were moved last, in seconds.
  var lastGlideStep = 0.0

  /// A host as a preset describes it, without audio. What the preset wants done at the start is done.
  public init(preset: Preset, version: String, portsExist: (String) -> Bool = { _ in false }) {
    self.preset = preset
    self.version = version
    let policy = PolicyState(preset: preset, portsExist: portsExist)
    desk = SubscriptionDesk(policy)
    control = ControlState(
      policy: policy,
      scenes: SceneBook(scenes: preset.scenes.map(\.scene), safe: preset.safe))
    let recall = preset.start.scene.map { [Message("/scene/recall", .string($0), .int(0))] } ?? []
    perform(recall + preset.start.set, from: .only, at: Moment(seconds: 0, frame: 0))
    recollection.begin(control)
  }

  /// The state of the policy.
  public var policy: PolicyState { control.policy }

  /// How the daemon fares, as clients read it.
  public var figures: (DaemonFigure) -> [Argument] {
    get { measurements.figures }
    set { measurements.figures = newValue }
  }

  /// How many messages wait for their frame.
  public var scheduledCount: Int { agenda.messageCount }

  /// How much has to be said by now.
  public var outboxCount: Int { outbox.count }

  /// The preset file and what is wrong with it, as clients read it.
  public var presetReport: [String] {
    get { measurements.presetReport }
    set { measurements.presetReport = newValue }
  }

  /// Takes what has to be said since the last time, in its order.
  public func takeOutbox() -> [Outgoing] {
    defer { outbox.removeAll(keepingCapacity: true) }
    return outbox
  }

  /// The daemon forgets a client.
  public func forget(_ reader: ReaderID) {
    measurements.forget(reader)
    syncs.forget(reader)
    desk.forget(reader)
  }

  // MARK: Events

  /// Applies messages as one event, now. `publish` brings it into force.
  public func perform(_ messages: [Message], from reader: ReaderID, at moment: Moment) {
    performOwnEvents(until: moment.seconds)
    // What happened before a scene keeps its own fades.
    if isMixBehind, messages.contains(where: \.isRecall) { publish() }
    performEvent(at: moment.seconds, partCount: messages.count) {
      for message in messages { dispatch(message, from: reader) }
    }
    if glide > 0 { publish() }
  }

  /// Applies messages as one event that takes effect at a frame to come. It is performed shortly before (`advance`).
  ///
  /// What there is no room for is refused with `tooMany`, each message by itself.
  public func schedule(_ messages: [Message], from reader: ReaderID, atFrame frame: UInt64, seconds: Double) {
    do throws(Refusal) {
      try agenda.add(Agenda.Entry(messages: messages, reader: reader, frame: frame, seconds: seconds))
    } catch {
      for message in messages { outbox.append(.answer(error.message(for: message.address), to: reader)) }
    }
  }

  /// Applies what has happened to the machine itself, as one event.
  public func perform(_ events: [Event], at moment: Moment) {
    performOwnEvents(until: moment.seconds)
    performEvent(at: moment.seconds) {
      for event in events {
        do throws(Refusal) {
          try control.apply(event)
        } catch {
          outbox.append(.complaint(error.message))
        }
      }
    }
  }

  /// - Parameter partCount: How many messages it consists of; `nil` for one that has come about otherwise.
  func performEvent(at seconds: Double, partCount: Int? = nil, _ body: () -> Void) {
    measurements.now = seconds
    // What is moved while a scene is on its way depends on more than itself.
    let isAlone = !control.hasSceneOnItsWay
    control.beginEvent(at: max(seconds, control.policy.lastEventTime))
    lastGlideStep = control.policy.lastEventTime
    body()
    let notices = control.endEvent()
    let changes = control.levelChanges
    conclude(
      notices,
      hasMovedLevelsOnly: isAlone && changes.count == partCount && !changes.isMixed && notices.isEmpty && glide == 0)
  }

  /// What follows from every event, once the whole of it has been applied.
  ///
  /// - Parameter hasMovedLevelsOnly: Whether all that it has done is what the state says of levels.
  func conclude(_ notices: [Message], hasMovedLevelsOnly: Bool = false) {
    let changes = control.levelChanges
    if hasMovedLevelsOnly, !control.hasSceneOnItsWay {
      movedSessions.formUnion(changes.sessions)
    } else {
      isStale = true
    }
    recollection.note(notices)
    witness?(notices)
    desk.noteEvent()
    carryOutDeskRequests()
    desk.tell(notices, to: &outbox)
  }

  @discardableResult
  func dispatch(_ message: Message, from reader: ReaderID) -> [Reply] {
    let sessionsBefore = control.policy.sessions.count
    let replies = AddressTable.apply(message, to: &control, environment: measurements, reader: reader)
    if control.policy.sessions.count > sessionsBefore {
      if let refusal = provideForNewcomer() {
        outbox.append(.answer(refusal.message(for: message.address), to: reader))
        return [.refused(address: message.address, refusal)]
      }
      recollection.recall(for: policy.sessions.last?.name, &control)
    }
    for reply in replies { answer(reply, to: reader) }
    // What was too much to do is too much to look at as well.
    if !message.arguments.isEmpty, desk.knows(reader), !replies.contains(where: \.isTooMany) {
      desk.noteHand(message, from: reader, control)
    }
    return replies
  }

  /// A session that cannot have its ports is not opened.
  private func provideForNewcomer() -> Refusal? {
    guard let stage, let session = policy.sessions.last else { return nil }
    // A namesake that was closed in the same event leaves it its ports.
    stage.retireClosed(policy, measurements)
    do {
      try stage.open(session, channels: preset.channels(ofSession: session.name), measurements)
      return nil
    } catch {
      // Opened and closed in one event: nobody is told.
      _ = try? control.apply(.close(session.id))
      return Refusal(.tooMany, error.message)
    }
  }

  // MARK: The mix

  /// Whether something has happened that the mix does not show yet.
  private var isMixBehind: Bool { isStale || !movedSessions.isEmpty }

  /// Brings all that has happened since the last time into force, at the next cycle or on a frame.
  public func publish(atFrame frame: UInt64? = nil) {
    guard let stage else {
      syncs.number(0)
      return
    }
    guard isMixBehind else {
      syncs.number(stage.published)
      return
    }
    defer { movedSessions.removeAll() }
    guard isStale else {
      stage.composeLevels(of: movedSessions, policy)
      syncs.number(stage.publish(atFrame: frame))
      return
    }
    isStale = false
    let retaken = control.takeRetaken()
    let wish = MixWish(
      policy: policy, destination: control.destination, glide: glide, isPanic: isPanic, retaken: retaken)
    outbox += stage.compose(wish, measurements).map { .complaint($0.message) }
    isPanic = false
    glide = 0
    syncs.number(stage.publish(atFrame: frame))
  }
}

extension Message {
  private static let recall = "/scene/recall"

  /// Whether it recalls a scene. Lengths are compared first, for every fader of a flood is asked.
  fileprivate var isRecall: Bool { address.utf8.count == Self.recall.utf8.count && address == Self.recall }
}

extension Reply {
  fileprivate var isTooMany: Bool {
    if case .refused(_, let refusal) = self { refusal.code == .tooMany } else { false }
  }
}
