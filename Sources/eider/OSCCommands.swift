import AddressSpace
import OSCTransport

/// Where the daemon is that a command talks to.
struct DaemonAddress {
  var host = "127.0.0.1"
  var port: UInt16 = 9770

  static let help = """
      --host HOST   where the daemon is (default: 127.0.0.1)
      --port N      its OSC port (default: 9770)
    """

  /// Takes the options of the address; the other words are returned. Options come before the first address, so that
  /// no argument of a message is taken for one.
  static func take(_ words: inout CommandWords) throws -> (DaemonAddress, [String]) {
    var address = DaemonAddress()
    while let word = words.next() {
      switch word {
      case "--host": address.host = try words.value(of: word)
      case "--port": address.port = try words.number(of: word, in: 1...UInt16.max)
      case _ where word.hasPrefix("--"): throw UsageError("there is no option \(word)")
      default: return (address, [word] + words.remaining())
      }
    }
    return (address, [])
  }

  /// Sends a message, prints the answers, and says how it ended.
  func exchange(_ message: Message, print: (Message) -> Void) throws -> ExitCode {
    do throws(OSCClientError) {
      let client = try OSCClient(host: host, port: port)
      let exchange = try client.exchange([message], timeout: .seconds(2))
      var isRefused = false
      for answer in exchange.answers {
        guard answer.address == "/error" else {
          print(answer)
          continue
        }
        isRefused = true
        Console.complain(answer.arguments.map(\.plainText).joined(separator: ": "))
      }
      return isRefused ? .notSo : .done
    } catch {
      Console.complain("eider: \(error)")
      return error.meansNoServer ? .noServer : .wrongUse
    }
  }
}

extension Argument {
  /// The value without quotes.
  var plainText: String {
    if case .string(let text) = self { text } else { description }
  }
}

/// `eider send`: sets a value or presses a button.
enum SendCommand: Command {
  static let name = "send"
  static let summary = "sends one message to the daemon and prints what comes back"
  static let help = """
    usage: eider send [--host HOST] [--port N] ADDRESS [ARGUMENT…]

    \(DaemonAddress.help)

    true, false and numbers are sent as such, everything else as text:
      eider send /session/music/volume 0.8
      eider send /session/guide/playing true
    Exits with 1 if the message is refused, 3 if no daemon answers.
    """

  static func run(_ words: inout CommandWords) throws -> ExitCode {
    let (daemon, rest) = try DaemonAddress.take(&words)
    guard let address = rest.first, address.hasPrefix("/") else { throw UsageError("which address? It begins with /") }
    return try daemon.exchange(Message(address, rest.dropFirst().map(Argument.init(word:)))) { answer in
      Console.say(([answer.address] + answer.arguments.map(\.description)).joined(separator: " "))
    }
  }
}

/// `eider get`: reads a value, or all values of a pattern.
enum GetCommand: Command {
  static let name = "get"
  static let summary = "reads an address of the daemon, or every address of a pattern"
  static let help = """
    usage: eider get [--host HOST] [--port N] ADDRESS

    \(DaemonAddress.help)

      eider get /session/music/silence
      eider get '/session/*/audible'
    Exits with 1 if there is no such address, 3 if no daemon answers.
    """

  static func run(_ words: inout CommandWords) throws -> ExitCode {
    let (daemon, rest) = try DaemonAddress.take(&words)
    guard let address = rest.first, address.hasPrefix("/") else { throw UsageError("which address? It begins with /") }
    guard rest.count == 1 else { throw UsageError("one address; to set a value use eider send") }
    let isPattern = AddressPattern.isPattern(address)
    return try daemon.exchange(Message(address)) { answer in
      let values = answer.arguments.isEmpty ? "none" : answer.arguments.map(\.plainText).joined(separator: " ")
      Console.say(isPattern || answer.address != address ? "\(answer.address) \(values)" : values)
    }
  }
}
