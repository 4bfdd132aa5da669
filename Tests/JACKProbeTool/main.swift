import Foundation
import JACKProbe

// jackprobe SERVER NAME OUTPUT,… INPUT,… LEVEL: a client that plays a constant until its standard input ends.
let words = CommandLine.arguments.dropFirst().map { String($0) }
guard words.count == 5, let level = Float(words[4]) else {
  print("usage: jackprobe SERVER NAME OUTPUT,… INPUT,… LEVEL")
  exit(2)
}
let outputs = words[2].split(separator: ",").map { String($0) }
let inputs = words[3].split(separator: ",").map { String($0) }
do {
  let client = try ProbeClient(words[1], server: words[0], outputs: outputs, inputs: inputs)
  client.start(play: outputs.map { _ in [level] }, repeats: true)
  print("ready")
  fflush(nil)
  _ = FileHandle.standardInput.readDataToEndOfFile()
  client.close()
} catch {
  print(error)
  exit(1)
}
