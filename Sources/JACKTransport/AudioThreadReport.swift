/// What the system has counted of the audio thread since it began. All of it but the waits should stand still.
public struct AudioThreadReport: Hashable, Sendable {
  /// Pages that had to be given to it; they were in memory.
  public var minorFaults = 0
  /// Pages that had to be read from a disk.
  public var majorFaults = 0
  /// How often it waited by itself: once a cycle.
  public var waits = 0
  /// How often the system took the processor away from it.
  public var preemptions = 0

  public init() {}

  /// Of a thread of this process; nil if it has ended.
  init?(thread: Int32) {
    let directory = "/proc/self/task/\(thread)"
    self.init(
      stat: System.text(ofFile: directory + "/stat"), status: System.text(ofFile: directory + "/status"))
  }

  /// By the texts of `/proc/self/task/N/stat` and `…/status`.
  init?(stat: String, status: String) {
    // The name of the thread, in parentheses, may have spaces.
    guard let end = stat.lastIndex(of: ")") else { return nil }
    let fields = stat[end...].split(separator: " ").dropFirst()
    func field(_ number: Int) -> Int? { fields.dropFirst(number).first.flatMap { Int($0) } }
    func line(_ name: String) -> Int? {
      status.split(separator: "\n").first { $0.hasPrefix(name + ":") }?
        .split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
    }
    guard let minor = field(7), let major = field(9), let waits = line("voluntary_ctxt_switches"),
      let preemptions = line("nonvoluntary_ctxt_switches")
    else { return nil }
    (minorFaults, majorFaults, self.waits, self.preemptions) = (minor, major, waits, preemptions)
  }
}
