/// The known name that a misspelt one most likely means; nil if none is near.
///
/// Distance counts letters that are missing, too many, wrong or swapped with their neighbour (Damerau and
/// Levenshtein's, restricted); capitals do not count. A third of the letters may be wrong, at least one.
func nearestName(to name: String, among known: some Sequence<String>) -> String? {
  let misspelt = Array(name.lowercased().unicodeScalars.prefix(64))
  let tolerance = max(1, misspelt.count / 3)
  var best: (name: String, distance: Int)?
  for candidate in known where candidate != name {
    let letters = Array(candidate.lowercased().unicodeScalars.prefix(64))
    guard abs(letters.count - misspelt.count) <= tolerance else { continue }
    let distance = editDistance(misspelt, letters)
    if distance <= tolerance, distance < max(letters.count, misspelt.count), distance < best?.distance ?? .max {
      best = (candidate, distance)
    }
  }
  return best?.name
}

private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for i in left.indices {
    var row = [i + 1]
    for j in right.indices {
      var distance = min(last[j + 1] + 1, row[j] + 1, last[j] + (left[i] == right[j] ? 0 : 1))
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
        distance = min(distance, beforeLast[j - 1] + 1)
      }
      row.append(distance)
    }
    beforeLast = last
    last = row
  }
  return last[right.count]
}
