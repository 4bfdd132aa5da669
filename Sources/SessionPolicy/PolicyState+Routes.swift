/// Where it sounds (policy §10).
extension PolicyState {
  /// R3: the person's choice.
  mutating func choose(_ route: Int) throws(Refusal) {
    guard outputRoutes[route].isAvailable else {
      throw Refusal(.resourceNotAvailable, "the route \(outputRoutes[route].name) is not available")
    }
    makeCurrent(route, because: .override)
  }

  mutating func setAvailable(_ route: Int, _ value: Bool) {
    guard outputRoutes[route].isAvailable != value else { return }
    if value { arrive(route) } else { lose(route) }
  }

  /// R2, R6: a personal route becomes the current one, any other only if there is none.
  private mutating func arrive(_ route: Int) {
    outputRoutes[route].isAvailable = true
    availableRoutes.insert(route)
    if outputRoutes[route].isPersonal || currentRoute == nil { makeCurrent(route, because: .newDeviceAvailable) }
  }

  /// R4: what played on it is paused before anything can follow it to another route.
  private mutating func lose(_ route: Int) {
    let surroundings = Surroundings(self)
    var ended: [Int] = []
    if outputRoutes[route].pausesOnLoss {
      for index in sessions.indices
      where sessions[index].onRouteLoss == .pause && sessions[index].effectiveCategory.hasOutput
        && surroundings.routes(of: sessions[index]).contains(route)
      {
        ended += pauseByRouteLoss(index)
      }
    }
    outputRoutes[route].isAvailable = false
    availableRoutes.remove(route)
    if currentRoute == route {
      let next = routeHistory.first(where: availableRoutes.contains) ?? outputRoutes.firstIndex { $0.isAvailable }
      makeCurrent(next, because: next == nil ? .noSuitableRoute : .oldDeviceUnavailable)
    }
    settle(ended)
  }

  /// R4, R9: pauses a playing session with a notice; an interrupted one will not play afterwards.
  private mutating func pauseByRouteLoss(_ index: Int) -> [Int] {
    if sessions[index].playing {
      touch(index)
      sessions[index].ledger.wasPausedByRouteLoss = true
    }
    return hush(index)
  }

  /// R8.
  private mutating func makeCurrent(_ route: Int?, because reason: RouteChangeReason) {
    guard currentRoute != route else { return }
    currentRoute = route
    ledger.lastRouteReason = reason
    if let route {
      routeHistory.removeAll { $0 == route }
      routeHistory.insert(route, at: 0)
    }
  }

  /// R9: the loss of the last input pauses what records.
  mutating func setInputAvailable(_ route: Int, _ value: Bool) {
    guard inputRoutes[route].isAvailable != value else { return }
    inputRoutes[route].isAvailable = value
    guard !hasInputRoute else { return }
    var ended: [Int] = []
    for index in sessions.indices
    where sessions[index].state != .inactive && sessions[index].effectiveCategory == .record {
      ended += pauseByRouteLoss(index)
    }
    settle(ended)
  }

  /// Everything is paused, and nothing plays until it is asked to.
  mutating func panic() {
    var ended: [Int] = []
    for index in sessions.indices {
      ended += hush(index)
      sessions[index].automaticState.isBarred = true
    }
    settle(ended)
  }
}
