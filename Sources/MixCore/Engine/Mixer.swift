/// A mixer: the memory, and the faces of the threads that share it.
///
/// * `planner`: what is wanted, control thread only.
/// * `engine`: the audio thread's face. It does not own the mixer: keep the mixer as long as the engine may run.
/// * `meters`: what was measured, for the control side.
public final class Mixer: @unchecked Sendable {
  private let memory: MixMemory
  public let planner: MixPlanner

  /// Sets all memory aside.
  ///
  /// - Parameter sampleRate: Frames in a second, above 0.
  public init(capacity: MixCapacity = MixCapacity(), sampleRate: Double) {
    precondition(sampleRate > 0 && sampleRate.isFinite, "a sample rate is above 0, not \(sampleRate)")
    memory = MixMemory(capacity: capacity, sampleRate: sampleRate)
    planner = MixPlanner(memory: memory)
  }

  public var capacity: MixCapacity { memory.capacity }
  public var engine: MixEngine { MixEngine(state: memory.engine) }
  public var meters: MixMeters { MixMeters(memory: memory) }
}
