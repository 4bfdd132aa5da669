import AddressSpace
import SessionPolicy
import Testing

@testable import Conductor

@Suite("Events to come")
struct AgendaTests {
  private func entry(_ frame: UInt64, _ number: Int, messages count: Int = 1) -> Agenda.Entry {
    let messages = Array(repeating: Message("/sync", .int(Int32(number))), count: count)
    return Agenda.Entry(messages: messages, reader: .only, frame: frame, seconds: 0)
  }

  @Test func `come in the order of their frames, those of one frame as they came, however they are mixed`() throws {
    var random = SystemRandomNumberGenerator()
    var agenda = Agenda()
    var waiting: [(frame: UInt64, number: Int)] = []
    func take(before frame: UInt64) {
      let due = waiting.filter { $0.frame < frame }.sorted { ($0.frame, $0.number) < ($1.frame, $1.number) }
      waiting.removeAll { $0.frame < frame }
      for expected in due {
        let entry = agenda.takeNext(before: frame)
        #expect(entry?.frame == expected.frame)
        #expect(entry?.messages == [Message("/sync", .int(Int32(expected.number)))])
      }
      #expect(agenda.takeNext(before: frame) == nil)
      #expect(agenda.nextFrame == waiting.map(\.frame).min())
    }
    for number in 0..<2000 {
      let frame = UInt64.random(in: 0..<100, using: &random)
      try agenda.add(entry(frame, number))
      waiting.append((frame, number))
      if number % 50 == 0 { take(before: UInt64.random(in: 0...100, using: &random)) }
    }
    take(before: 100)
  }

  @Test func `are refused when there are too many, and taken again when some are over`() throws {
    var agenda = Agenda()
    for number in 0..<(Agenda.mostMessages / 4096) { try agenda.add(entry(UInt64(number), number, messages: 4096)) }
    let refusal = #expect(throws: Refusal.self) { try agenda.add(entry(5, 0)) }
    #expect(refusal?.code == .tooMany)
    #expect(agenda.takeNext(before: 1)?.messages.count == 4096)
    try agenda.add(entry(5, 0))
  }

  @Test func `for which there is no room are answered, each message`() {
    let host = Host()
    let message = Message("/session/music/volume", 0.5)
    for _ in 0..<Agenda.mostMessages / 4096 {
      host.conductor.schedule(Array(repeating: message, count: 4096), from: .tablet, atFrame: 48_000, seconds: 1)
    }
    host.schedule(Message("/host/ringer", 0.1), Message("/host/silent", true), from: .tablet, in: 1)
    let errors = host.mail(of: .tablet).filter { $0.address == "/error" }
    #expect(
      errors.map { Array($0.arguments.prefix(2)) } == [["/host/ringer", "tooMany"], ["/host/silent", "tooMany"]])
  }
}
