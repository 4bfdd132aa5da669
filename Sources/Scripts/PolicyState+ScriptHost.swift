import SessionPolicy

extension PolicyState {
  /// The host of a script without a preset: routes `speaker`, and `headphones`, `bluetooth`, `line` that are absent;
  /// input `mic`.
  public static var scriptHost: PolicyState {
    PolicyState(
      outputRoutes: [
        OutputRoute(name: "speaker", kind: .speaker),
        OutputRoute(name: "headphones", kind: .headphones, isAvailable: false),
        OutputRoute(name: "bluetooth", kind: .bluetooth, isAvailable: false),
        OutputRoute(name: "line", kind: .line, isAvailable: false),
      ],
      inputRoutes: [InputRoute(name: "mic")])
  }
}
