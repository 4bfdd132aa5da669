import SessionPolicy

/// How the drawing looks.
enum PlotColors {
  static let style = """
    text{font-family:"DejaVu Sans",Verdana,Helvetica,Arial,sans-serif;font-size:11px;fill:#39424e}
    .title{font-size:19px;font-weight:bold;fill:#1c232b}.subtitle{font-size:13px}
    .name{font-size:13px;font-weight:bold;fill:#1c232b}.small{font-size:10px}.unit{font-size:10px;fill:#6b7684}
    .duckAxis{font-size:10px;fill:#b3261e}.mono{font-family:"DejaVu Sans Mono",Menlo,Consolas,monospace;font-size:11px}
    .flagText{font-size:10px;fill:#ffffff;font-weight:bold}.band{font-size:10px;fill:#ffffff}
    .lane{fill:#f7f8fa;stroke:#d5dae1}.grid{stroke:#e2e6eb;stroke-width:1}.axis{stroke:#8a94a1;stroke-width:1}
    .mark{stroke:#6b4fbb;stroke-width:1;stroke-dasharray:3 3;opacity:.55}.flag{fill:#6b4fbb}
    .played{fill:#c3ccd8}.heard{fill:#2f74c0}.peak{fill:#a9cbee}.rms{fill:#2f74c0}
    .duck{fill:none;stroke:#b3261e;stroke-width:1.6}.duckArea{fill:#b3261e;opacity:.13}
    .limit{stroke:#b3261e;stroke-width:1;stroke-dasharray:5 3}.gone{fill:#39424e;opacity:.12}
    """

  /// What a session's state is called, and its colour.
  static func band(_ silence: Silence) -> (name: String, color: String) {
    switch silence {
    case .none: ("audible", "#23854a")
    case .inactive: ("inactive", "#a2abb7")
    case .interrupted: ("interrupted", "#c0392b")
    case .paused: ("paused", "#b7791f")
    case .noOutput: ("no output", "#607d8b")
    case .noRoute: ("no route", "#5d4037")
    case .recording: ("silent: recording", "#ad1457")
    case .silentSwitch: ("silent switch", "#6a4c93")
    case .locked: ("locked", "#3f51b5")
    case .muted: ("muted", "#37474f")
    case .notSoloed: ("not soloed", "#00838f")
    }
  }

  static let microphone = (name: "microphone open", color: "#e4572e")
}
