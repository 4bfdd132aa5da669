import AddressSpace
import SessionPolicy

/// What messages come to beside what they change.
extension Conductor {
  func answer(_ reply: Reply, to reader: ReaderID) {
    switch reply {
    case .value(let message): outbox.append(.answer(message, to: reader))
    case .refused(let address, let refusal): outbox.append(.answer(refusal.message(for: address), to: reader))
    case .ignoredRemote(let ignored):
      let words: [Argument] = [.string("ignored"), .string(ignored.command.rawValue), .string(ignored.reason.rawValue)]
      outbox.append(.answer(Message("/host/remote", words), to: reader))
    case .request(let request): fulfil(request, for: reader)
    }
  }

  private func fulfil(_ request: DaemonRequest, for reader: ReaderID) {
    switch request {
    case .sync(let id): syncs.add(id, for: reader)
    case .ping(let arguments): outbox.append(.answer(Message("/eider/pong", arguments), to: reader))
    case .subscribe(let wish): deskRequests.append(DeskRequest(.subscribe(wish), from: reader))
    case .unsubscribe(let pattern): deskRequests.append(DeskRequest(.unsubscribe(pattern: pattern), from: reader))
    case .renew: deskRequests.append(DeskRequest(.renew, from: reader))
    case .time: outbox.append(.time(to: reader))
    case .version: outbox.append(.answer(Message("/eider/version", .string(version)), to: reader))
    case .status:
      for figure in DaemonFigure.allCases {
        outbox.append(.answer(Message("/eider/\(figure.rawValue)", figures(figure)), to: reader))
      }
    case .quit: outbox.append(.quit(from: reader))
    case .boolsAsInts(let value): outbox.append(.boolsAsInts(value, for: reader))
    case .panic: isPanic = true
    case .glide(let seconds): glide = max(glide, seconds)
    case .keepScene(let name):
      if let scene = control.scenes.scenes.first(where: { $0.name == name }) {
        outbox.append(.keepScene(scene, for: reader))
      }
    }
  }
}
