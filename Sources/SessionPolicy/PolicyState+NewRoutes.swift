/// The machine has other routes than before (policy §10).
extension PolicyState {
  /// Takes over other output and input routes, in a new order, as a part of the event that has begun. Routes are the same
  /// if they have the same name.
  ///
  /// What is gone is lost first, with all that R4 and R9 say; what is new has to be absent, and arrives by an event of its
  /// own. A route that a session still lists stays behind the others, absent for good: the session is heard nowhere else
  /// instead (R5).
  /// - Precondition: with those that stay at most `RouteSet.capacity` output routes.
  public mutating func setRoutes(outputs: [OutputRoute], inputs: [InputRoute]) {
    let names = Set(outputs.map(\.name))
    for index in outputRoutes.indices where !names.contains(outputRoutes[index].name) { setAvailable(index, false) }
    for index in inputRoutes.indices where !inputs.contains(where: { $0.name == inputRoutes[index].name }) {
      setInputAvailable(index, false)
    }
    let listed = Set(sessions.flatMap(\.routes))
    var stay = outputRoutes.indices.filter { !names.contains(outputRoutes[$0].name) && listed.contains($0) }
      .map { outputRoutes[$0] }
    for index in stay.indices { stay[index].isDetected = true }

    let all = outputs + stay
    precondition(all.count <= RouteSet.capacity)
    let places = outputRoutes.map { old in all.firstIndex { $0.name == old.name } }
    func place(_ old: Int) -> Int? { places.indices.contains(old) ? places[old] : nil }
    outputRoutes = all
    inputRoutes = inputs
    availableRoutes = RouteSet(all.indices.filter { all[$0].isAvailable })
    currentRoute = currentRoute.flatMap(place)
    routeHistory = routeHistory.compactMap(place)
    // One that is gone is none that is current now.
    ledger.routeBefore = ledger.routeBefore.map { place($0) ?? -1 }
    for index in sessions.indices where !sessions[index].routes.isEmpty {
      sessions[index].routes = sessions[index].routes.compactMap(place)
    }
  }
}
