import Foundation
import JACKProbe

/// What the kernel says of a process.
public struct ProcessFigures {
  /// Seconds of processor time since it began, of all its threads and of the kernel on their behalf.
  public let cpuSeconds: Double
  /// Bytes of memory that it has now, without the pages of files.
  public let ownMemory: Int

  /// As they are now.
  public init(of process: Int32) throws {
    let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    // The name in brackets may hold spaces; utime and stime are the 14th and 15th field.
    guard let bracket = stat.lastIndex(of: ")") else { throw ProbeError("/proc/\(process)/stat is not understood") }
    let fields = stat[stat.index(after: bracket)...].split(separator: " ")
    let ticks = (Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0)
    cpuSeconds = ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    let words = line?.split(whereSeparator: \.isWhitespace) ?? []
    guard words.count > 1, let kilobytes = Int(words[1]) else {
      throw ProbeError("/proc/\(process)/status does not say how much memory it has")
    }
    ownMemory = kilobytes * 1024
  }
}

/// The socket of a UDP port, as the kernel sees it.
public enum DatagramPort {
  /// How many datagrams the kernel has dropped for want of room, and how many bytes wait to be read.
  public static func figures(of port: UInt16) throws -> (drops: Int, waiting: Int) {
    // A line is left out now and then where sockets of others come and go while the table is read.
    for _ in 0..<20 {
      if let figures = try readFigures(of: port) { return figures }
      Clock.sleep(until: Clock.seconds + 0.01)
    }
    throw ProbeError("nobody listens on UDP port \(port)")
  }

  private static func readFigures(of port: UInt16) throws -> (drops: Int, waiting: Int)? {
    let table = try String(contentsOfFile: "/proc/net/udp", encoding: .utf8)
    let mark = String(format: ":%04X", port)
    for line in table.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: " ")
      guard fields.count >= 13, fields[1].hasSuffix(mark), fields[2].hasSuffix(":0000"), let drops = Int(fields[12])
      else { continue }
      return (drops, fields[4].split(separator: ":").last.flatMap { Int($0, radix: 16) } ?? 0)
    }
    return nil
  }
}
