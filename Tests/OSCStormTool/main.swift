import Foundation
import JACKProbe
import OSCStorm

// What the daemon has to stand, and how fast it is: see `scripts/flood`, `scripts/soak` and `scripts/bench`.

do {
  exit(try await StormTool.run(Array(CommandLine.arguments.dropFirst())) ? 0 : 1)
} catch {
  FileHandle.standardError.write(Data("oscstorm: \(error)\n".utf8))
  exit(1)
}
