import AddressSpace
import Foundation
import FoundationXML
import Presets
import SessionPolicy

/// What a control surface sends, and what it shows.
struct Surface: Sendable {
  /// A control of the surface.
  struct Control: Sendable {
    var name: String
    var address: String
    /// The messages at either end of what it can send; none where it only shows.
    var sends: [Message] = []
    /// Whether it shows what comes.
    var shows = false
    /// The ends of what it can show, where that is a number.
    var range: ClosedRange<Double>?
    /// Whether it shows a text.
    var showsText = false
  }

  let name: String
  var controls: [Control] = []
  /// The scripts by which it subscribes.
  var script = ""

  /// The addresses and patterns that its script names.
  var scriptAddresses: [String] {
    script.matches(of: /'(\/[^']*)'/).map { String($0.output.1) }
  }
}

// MARK: - Open Stage Control

extension Surface {
  /// Reads a session of Open Stage Control: widgets within widgets, each with an address, what it puts before its value
  /// (`preArgs`) and its value's type.
  static func openStageControl() throws -> Surface {
    let data = Data(try PackageFiles.text("presets/surfaces/kiosk.open-stage-control.json").utf8)
    let session = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    guard session["type"] as? String == "session", let root = session["content"] as? [String: Any],
      root["type"] as? String == "root"
    else { throw CocoaError(.fileReadCorruptFile) }
    var surface = Surface(name: "Open Stage Control")
    surface.script = root["onCreate"] as? String ?? ""
    surface.read(widget: root)
    return surface
  }

  private mutating func read(widget: [String: Any]) {
    for inner in widget["widgets"] as? [[String: Any]] ?? [] { read(widget: inner) }
    guard let address = widget["address"] as? String else { return }
    // What no person sees is there for the scripts.
    if widget["type"] as? String == "variable" {
      script += "'\(address)'"
      return
    }
    var control = Control(name: widget["id"] as? String ?? "", address: address)
    let before = (widget["preArgs"] as? [String] ?? []).map(Argument.string)
    if widget["bypass"] as? Bool != true {
      if widget["mode"] as? String == "momentary" {
        control.sends = [Message(address, before)]
      } else {
        let values: [Any?] =
          (widget["range"] as? [String: Any]).map { [$0["min"], $0["max"]] } ?? [widget["off"], widget["on"]]
        let type = widget["typeTags"] as? String
        control.sends = values.compactMap { ($0 as? NSNumber)?.doubleValue }.map { value in
          Message(address, before + [type == "i" ? .int(Int32(value)) : .float(Float(value))])
        }
      }
    }
    control.shows = widget["mode"] as? String != "momentary"
    control.showsText = widget["type"] as? String == "text"
    if let range = widget["range"] as? [String: Any], let low = range["min"] as? Double,
      let high = range["max"] as? Double
    {
      control.range = low...high
    }
    controls.append(control)
  }
}

// MARK: - TouchOSC

extension Surface {
  /// Reads a layout of TouchOSC: nodes, whose OSC messages are made of constants and of the node's values.
  static func touchOSC() throws -> Surface {
    let reader = LayoutReader()
    let parser = XMLParser(data: Data(try PackageFiles.text("presets/surfaces/kiosk.tosc.xml").utf8))
    parser.delegate = reader
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
    return reader.surface
  }
}

/// Gathers the OSC messages of a layout. The text of an element is known where it ends.
private final class LayoutReader: NSObject, XMLParserDelegate {
  private struct Partial {
    var type = ""
    var conversion = ""
    var value = ""
    var low = 0.0
    var high = 1.0
  }

  var surface = Surface(name: "TouchOSC")
  private var text = ""
  private var key = ""
  private var names: [String] = []
  private var partial = Partial()
  private var path: [Partial] = []
  private var arguments: [Partial] = []
  private var sends = false
  private var receives = false
  private var isPath = false

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    text = ""
    switch element {
    case "node": names.append("")
    case "osc": (path, arguments) = ([], [])
    case "path": isPath = true
    case "arguments": isPath = false
    case "partial": partial = Partial()
    default: break
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(_ parser: XMLParser, foundCDATA block: Data) { text += String(decoding: block, as: UTF8.self) }

  func parser(_ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?) {
    defer { text = "" }
    switch element {
    case "node": names.removeLast()
    case "key": key = text
    case "value":
      partial.value = text
      if key == "name" { names[names.count - 1] = text }
      if key == "script" { surface.script += text }
    case "property": key = ""
    case "send": sends = text == "1"
    case "receive": receives = text == "1"
    case "type": partial.type = text
    case "conversion": partial.conversion = text
    case "scaleMin": partial.low = Double(text) ?? 0
    case "scaleMax": partial.high = Double(text) ?? 0
    case "partial": if isPath { path.append(partial) } else { arguments.append(partial) }
    case "osc": finishMessage()
    default: break
    }
  }

  private func finishMessage() {
    let address = path.map(\.value).joined()
    var control = Surface.Control(name: names.last ?? "", address: address)
    let values = arguments.filter { $0.type == "VALUE" }
    if sends {
      let ends: [(Partial) -> Double] = values.isEmpty ? [{ $0.low }] : [{ $0.low }, { $0.high }]
      control.sends = ends.map { end in Message(address, arguments.map { argument($0, end($0)) }) }
    }
    control.shows = receives
    control.showsText = values.contains { $0.conversion == "STRING" }
    if let value = values.first, value.conversion == "FLOAT" { control.range = value.low...value.high }
    surface.controls.append(control)
  }

  private func argument(_ partial: Partial, _ value: Double) -> Argument {
    switch (partial.type, partial.conversion) {
    case ("CONSTANT", _): .string(partial.value)
    case (_, "INTEGER"): .int(Int32(value))
    default: .float(Float(value))
    }
  }
}
