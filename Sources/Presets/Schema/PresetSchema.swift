/// The JSON Schema of presets, by which editors complete and check them.
public enum PresetSchema {
  /// The schema (draft 2020-12), written from the tables by which presets are read.
  ///
  /// It tells what a schema can: keys, types, ranges, names, and which options go with which category. References,
  /// names that are used twice, addresses and port expressions are checked only by reading.
  public static func json() -> String {
    let head: [OrderedJSON.Member] = [
      .init(key: "$schema", value: "https://json-schema.org/draft/2020-12/schema"),
      .init(key: "title", value: "Eider preset"),
    ]
    return KeyTable<Preset>.preset.schema.replacing(head).text() + "\n"
  }
}
