import Testing

@testable import MixCore

@Suite("Ramps")
struct RampTests {
  @Test(
    "A ramp starts where the value is, never turns, and ends exactly",
    arguments: [(0, 1), (1, 0), (0.3, 0.7), (1, 0.58434), (0.9999999, 1), (0.1, 1.5)] as [(Float, Float)],
    [1, 2, 3, 64, 1440, 480_000, 3_000_001, 16_777_216] as [UInt32])
  func monotone(ends: (Float, Float), length: UInt32) {
    var ramp = Ramp(ends.0)
    ramp.move(to: ends.1, at: 1000, over: length)
    #expect(ramp.value(at: 0) == ends.0)
    #expect(ramp.value(at: 1000) == ends.0)
    #expect(ramp.value(at: 1000 + UInt64(length)) == ends.1)
    #expect(ramp.value(at: .max) == ends.1)
    var last = ends.0
    var turns = 0
    var greatest: Float = 0
    for frame in stride(from: 1000, through: 1000 + UInt64(length), by: length > 100_000 ? 1009 : 1) {
      let value = ramp.value(at: frame)
      if (value - last) * (ends.1 - ends.0) < 0 { turns += 1 }
      if length <= 100_000 { greatest = max(greatest, abs(value - last)) }
      last = value
    }
    for frame in (1000 + UInt64(length) - min(UInt64(length), 1000))...(1000 + UInt64(length)) {
      if (ends.1 - ramp.value(at: frame)) * (ends.1 - ends.0) < 0 { turns += 1 }
    }
    #expect(turns == 0)
    #expect(greatest <= abs(ends.1 - ends.0) / Float(length) * 1.0001 + 2e-7)
  }

  @Test("However long it is, it does not pass its target")
  func longest() {
    var passed = 0
    for index in 0..<20_000 {
      let (from, target) = (abs(noise(index)), abs(noise(index, seed: 2)))
      let length = UInt32(1 << 24) - UInt32(index)
      var ramp = Ramp(from)
      ramp.move(to: target, at: 0, over: length)
      if (target - ramp.value(at: UInt64(length) - 1)) * (target - from) < 0 { passed += 1 }
    }
    #expect(passed == 0)
  }

  @Test("A ramp that is sent elsewhere goes on from where it is")
  func retargeted() {
    var ramp = Ramp(0)
    ramp.move(to: 1, at: 0, over: 100)
    let before = ramp.value(at: 40)
    ramp.move(to: 0.2, at: 40, over: 50)
    #expect(ramp.value(at: 40) == before)
    #expect(ramp.end == 90)
    #expect(ramp.value(at: 90) == 0.2)
    ramp.move(to: 0.2, at: 60, over: 1000)
    #expect(ramp.end == 90)
    ramp.snap(to: 0.5)
    #expect(ramp.value(at: 60) == 0.5 && !ramp.isMoving(at: 60))
  }

  @Test("On another way to the same place it starts anew from where it is; at rest it stays")
  func anotherWay() {
    var ramp = Ramp(1)
    ramp.move(to: 0, at: 0, over: 1024)
    ramp.move(to: 0, at: 512, over: 128)
    #expect(ramp.value(at: 768) == 0.25)
    ramp.restart(to: 0, at: 512, over: 128)
    #expect(ramp.value(at: 512) == 0.5 && ramp.value(at: 576) == 0.25 && ramp.value(at: 640) == 0)
    ramp.restart(to: 0, at: 700, over: 128)
    #expect(!ramp.isMoving(at: 700))
  }

  @Test("In a hurry it arrives earlier, never later")
  func hurry() {
    var ramp = Ramp(1)
    ramp.move(to: 0, at: 0, over: 1024)
    ramp.hurry(at: 512, over: 600)
    #expect(ramp.value(at: 768) == 0.25)
    ramp.hurry(at: 768, over: 128)
    #expect(ramp.value(at: 832) == 0.125 && ramp.value(at: 896) == 0)
    ramp.hurry(at: 900, over: 16)
    #expect(ramp.value(at: 900) == 0 && !ramp.isMoving(at: 900))
  }
}
