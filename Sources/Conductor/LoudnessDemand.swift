/// Whose loudness somebody wants to know: it is measured from the first time it is read, until nobody has read it for a
/// while. Control thread only.
struct LoudnessDemand<Subject: Hashable> {
  /// How long it is measured after it was read, in seconds: longer than any reader who goes on takes a breath.
  static var patience: Double { 10 }

  private var lastRead: [Subject: Double] = [:]
  /// Whether who is measured has changed since this was last asked.
  private var hasChanged = false

  /// Somebody reads it.
  mutating func note(_ subject: Subject, at seconds: Double) {
    if lastRead.updateValue(seconds, forKey: subject) == nil { hasChanged = true }
  }

  /// Forgets what was not read for long.
  mutating func expire(at seconds: Double) {
    let count = lastRead.count
    lastRead = lastRead.filter { $0.value + Self.patience > seconds }
    if lastRead.count != count { hasChanged = true }
  }

  mutating func forget(_ subject: Subject) { lastRead[subject] = nil }

  func contains(_ subject: Subject) -> Bool { lastRead[subject] != nil }

  mutating func takeChange() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }

  var isEmpty: Bool { lastRead.isEmpty }
}
