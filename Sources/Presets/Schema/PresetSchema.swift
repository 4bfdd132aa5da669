/// The JSON Schema of presets, by which editors complete and check them.
public enum PresetSchema {
  /// The schema (draft 2020-12), written from the tables by which presets are read.
  ///
  /// It tells what a schema can: keys, types, ranges, names, which options go with which category, and the addresses
  /// with what they take. Only by reading are checked: references, names that are used twice, port expressions, what a
  /// pattern of addresses sets, and the numbers of IPv6 addresses.
  public static func json() -> String {
    let head: [OrderedJSON.Member] = [
      .init(key: "$schema", value: "https://json-schema.org/draft/2020-12/schema"),
      .init(key: "title", value: "Eider preset"),
    ]
    let definitions = OrderedJSON.Member(key: "$defs", value: ["messages": MessageSchema.definition])
    guard case .object(let members) = KeyTable<Preset>.preset.schema.replacing(head) else { return "" }
    return OrderedJSON.object(members + [definitions]).text() + "\n"
  }
}
