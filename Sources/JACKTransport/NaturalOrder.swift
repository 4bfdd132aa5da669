/// The order in which people count: `out_2` before `out_10`.
enum NaturalOrder {
  /// Whether `a` stands before `b`: texts are compared by their Unicode scalars, but runs of digits as numbers; where
  /// only the writing of numbers differs (`01`, `1`), as plain texts. A strict total order.
  static func isBefore(_ a: String, _ b: String) -> Bool {
    var left = Array(a.unicodeScalars)[...]
    var right = Array(b.unicodeScalars)[...]
    while let first = left.first, let second = right.first {
      if isDigit(first) && isDigit(second) {
        let numbers = (number(&left), number(&right))
        if numbers.0.count != numbers.1.count { return numbers.0.count < numbers.1.count }
        if numbers.0 != numbers.1 { return numbers.0.lexicographicallyPrecedes(numbers.1) }
      } else {
        if first != second { return first < second }
        left.removeFirst()
        right.removeFirst()
      }
    }
    return left.isEmpty && right.isEmpty ? a < b : left.isEmpty
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// Takes the digits at the beginning, without leading zeros.
  private static func number(_ text: inout ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
    let digits = text.prefix { isDigit($0) }
    text = text.dropFirst(digits.count)
    return digits.drop { $0 == "0" }
  }
}
