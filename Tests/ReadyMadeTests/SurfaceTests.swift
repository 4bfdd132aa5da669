import AddressSpace
import Presets
import SessionPolicy
import Testing

@Suite("The surfaces for the kiosk")
struct SurfaceTests {
  private static let all = Result { [try Surface.openStageControl(), try Surface.touchOSC()] }

  /// The kiosk, where everybody is there and nothing is refused for want of something.
  private func kiosk() throws -> ControlState {
    ControlState(preset: try ReadyMadeScript.preset("kiosk").withoutJACK { _ in true })
  }

  @Test("Both can be read")
  func read() throws {
    for surface in try Self.all.get() { #expect(surface.controls.count > 20, "\(surface.name)") }
  }

  @Test("Whatever is sent is understood, from one end of a fader to the other")
  func sent() throws {
    for surface in try Self.all.get() {
      for message in surface.controls.flatMap(\.sends) {
        var kiosk = try kiosk()
        kiosk.beginEvent(at: 0)
        for reply in AddressTable.apply(message, to: &kiosk) {
          if case .refused(let address, let refusal) = reply {
            Issue.record("\(surface.name): \(message): \(address) \(refusal.code): \(refusal.message)")
          }
        }
        _ = kiosk.endEvent()
      }
    }
  }

  @Test("What is shown exists, is of the kind that the control shows, and is subscribed to")
  func shown() throws {
    let kiosk = try kiosk()
    for surface in try Self.all.get() {
      let patterns = surface.scriptAddresses.map { AddressPattern($0) }
      for control in surface.controls where control.shows {
        let place = "\(surface.name): \(control.name) shows \(control.address)"
        #expect(patterns.contains { $0.matches(control.address) }, "\(place)")
        let values = AddressTable.read(control.address, in: kiosk)
        guard let message = values.first, values.count == 1, message.arguments.count == 1 else {
          Issue.record("\(place): \(values)")
          continue
        }
        switch message.arguments[0] {
        case .string: #expect(control.showsText, "\(place)")
        case .float(let value):
          let range = try #require(control.range, "\(place)")
          // Silence is below what a meter shows.
          #expect(range.contains(Double(value)) || value == -120, "\(place)")
        case .bool: #expect(control.sends.map(\.arguments) == [[.int(0)], [.int(1)]], "\(place)")
        default: Issue.record("\(place): \(message)")
        }
      }
    }
  }

  @Test("Every session has its strip, and every scene its button")
  func complete() throws {
    let preset = try ReadyMadeScript.preset("kiosk")
    for surface in try Self.all.get() {
      for session in preset.sessions {
        for value in ["volume", "mute", "playing", "silence", "reduction", "peak"] {
          #expect(surface.controls.contains { $0.address == "/session/\(session.name)/\(value)" }, "\(surface.name)")
        }
      }
      let recalled = surface.controls.flatMap(\.sends).filter { $0.address == "/scene/recall" }.map(\.arguments)
      #expect(recalled == preset.scenes.map { [.string($0.name)] })
    }
  }

  @Test("It subscribes, renews, and asks for booleans that every surface understands")
  func subscribed() throws {
    let kiosk = try kiosk()
    for surface in try Self.all.get() {
      let acts = ["/client/bools", "/subscribe", "/renew", "/eider/alive"]
      #expect(Set(acts).isSubset(of: surface.scriptAddresses), "\(surface.name): \(surface.scriptAddresses)")
      for pattern in surface.scriptAddresses where !acts.contains(pattern) {
        let matches = AddressTable.matchCount(of: Message(pattern), in: kiosk.policy)
        #expect(matches > 0, "\(surface.name): \(pattern)")
        var trial = kiosk
        for message in [
          Message("/subscribe", .string(pattern), 50), Message("/client/bools", "int"), Message("/renew"),
        ] {
          for reply in AddressTable.apply(message, to: &trial) {
            if case .refused(_, let refusal) = reply { Issue.record("\(surface.name): \(message): \(refusal.message)") }
          }
        }
      }
    }
  }
}
