import Testing

@testable import Daemon

@Suite struct `What comes thick and fast` {
  @Test func `is read in portions, and what comes alone at once`() {
    var gathering = Gathering()
    #expect(gathering.rest(at: 0) == 0)
    gathering.noteReading(at: 1)
    #expect(abs(gathering.rest(at: 1) - 0.00025) < 1e-9)
    #expect(abs(gathering.rest(at: 1.0002) - 0.00005) < 1e-9)
    #expect(gathering.rest(at: 1.0003) == 0)
    #expect(gathering.rest(at: 100) == 0)
  }
}
