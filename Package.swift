// swift-tools-version: 6.2
import PackageDescription

// The innermost loops of MixCore once more, for processors that have AVX2: which of the two run is decided at run time.
#if arch(x86_64)
  let wideLoops: [Target] = [
    .target(name: "WideLoops", swiftSettings: [.unsafeFlags(["-Xcc", "-mavx2"])])
  ]
#else
  let wideLoops: [Target] = []
#endif

let package = Package(
  name: "eider",
  products: [
    .executable(name: "eider", targets: ["eider"])
  ],
  targets: [
    // System libraries: a module map and a shim header each.
    .systemLibrary(name: "CJack", pkgConfig: "jack", providers: [.apt(["libjack-jackd2-dev"])]),
    .systemLibrary(name: "CLiblo", pkgConfig: "liblo", providers: [.apt(["liblo-dev"])]),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),

    // What the processor can do, and what Swift's own module of the C library leaves out: a shim header each.
    .systemLibrary(name: "CProcessor"),
    .systemLibrary(name: "CGlibc"),

    // The realtime side. It knows nothing of any other room.
    .target(name: "MixCore", dependencies: ["CProcessor"] + wideLoops.map { .target(name: $0.name) }),

    // The control side: values and pure functions.
    .target(name: "SessionPolicy"),
    .target(name: "AddressSpace", dependencies: ["SessionPolicy"]),
    .target(name: "Presets", dependencies: ["AddressSpace", "SessionPolicy"]),
    .target(name: "Scripts", dependencies: ["AddressSpace", "Presets", "SessionPolicy"]),

    // The control thread, which turns policy state into a mix plan.
    .target(name: "Conductor", dependencies: ["AddressSpace", "MixCore", "Presets", "SessionPolicy"]),

    // Transports: what reaches the machine.
    .target(name: "OSCTransport", dependencies: ["AddressSpace", "CGlibc", "CLiblo"]),
    .target(name: "JACKTransport", dependencies: ["CGlibc", "CJack", "MixCore"]),

    // Who starts the daemon, and is told how it does.
    .target(name: "ServiceManager", dependencies: ["CSystemd"]),

    // The live code on files instead of JACK.
    .target(
      name: "OfflineRenderer",
      dependencies: ["AddressSpace", "CSndfile", "Conductor", "MixCore", "Presets", "Scripts", "SessionPolicy"]
    ),

    // The daemon: one control thread that waits for all of them.
    .target(
      name: "Daemon",
      dependencies: [
        "AddressSpace", "CGlibc", "Conductor", "JACKTransport", "MixCore", "OSCTransport", "Presets", "ServiceManager",
        "SessionPolicy",
      ]
    ),
    .executableTarget(
      name: "eider",
      dependencies: [
        "AddressSpace", "Daemon", "JACKTransport", "OSCTransport", "OfflineRenderer", "Presets", "Scripts",
        "SessionPolicy",
      ],
      // Every function of a library is looked up at the start, none by the audio thread when it first calls it.
      linkerSettings: [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"])]
    ),

    // What the tests of loudness compare with.
    .systemLibrary(
      name: "CEbur128", path: "Tests/CEbur128", pkgConfig: "libebur128", providers: [.apt(["libebur128-dev"])]),

    // What holds up a single thread of a program.
    .systemLibrary(name: "CPtrace", path: "Tests/CPtrace"),

    // What tests of the whole need: private servers, clients that play and record.
    .target(name: "JACKProbe", dependencies: ["CJack"], path: "Tests/JACKProbe"),
    .executableTarget(name: "jackprobe", dependencies: ["JACKProbe"], path: "Tests/JACKProbeTool"),
    .target(name: "EiderProbe", dependencies: ["AddressSpace", "JACKProbe", "OSCTransport"], path: "Tests/EiderProbe"),

    // Whether scripts can fail.
    .target(name: "ScriptProbe", dependencies: ["AddressSpace", "Scripts"], path: "Tests/ScriptProbe"),

    // What the daemon has to stand: packets by the million, right and wrong ones; and how fast it is, beside scsynth.
    .systemLibrary(name: "CSendBatch", path: "Tests/CSendBatch"),
    .target(
      name: "OSCStorm",
      dependencies: ["AddressSpace", "CJack", "CSendBatch", "EiderProbe", "JACKProbe", "OSCTransport"],
      path: "Tests/OSCStorm"),
    .executableTarget(
      name: "oscstorm", dependencies: ["EiderProbe", "JACKProbe", "OSCStorm"], path: "Tests/OSCStormTool"),

    // Whether ducking by margin keeps its promise on recordings.
    .executableTarget(
      name: "MarginMeasurement", dependencies: ["CEbur128", "MixCore"], path: "Tests/MarginMeasurement"),

    // What an event costs on a host with many sessions.
    .executableTarget(
      name: "PolicyBenchmark", dependencies: ["AddressSpace", "SessionPolicy"], path: "Tests/PolicyBenchmark"),

    // What the audio thread costs, beside others who do the same.
    .executableTarget(
      name: "KernelBenchmark", dependencies: ["MixCore"], path: "Tests/KernelBenchmark", exclude: ["reference.c"]),
    .executableTarget(
      name: "SpeedBenchmark", dependencies: ["JACKProbe"], path: "Tests/SpeedBenchmark", exclude: ["Clients"]),

    .testTarget(name: "MixCoreTests", dependencies: ["CEbur128", "MixCore"]),
    .testTarget(name: "SessionPolicyTests", dependencies: ["SessionPolicy"]),
    .testTarget(name: "AddressSpaceTests", dependencies: ["AddressSpace", "SessionPolicy"]),
    .testTarget(name: "PresetsTests", dependencies: ["Presets"]),
    .testTarget(
      name: "ScriptsTests", dependencies: ["AddressSpace", "Presets", "ScriptProbe", "Scripts", "SessionPolicy"],
      resources: [.copy("Conformance")]),
    .testTarget(name: "ConductorTests", dependencies: ["Conductor"]),
    .testTarget(
      name: "OfflineRendererTests", dependencies: ["OfflineRenderer", "Presets", "Scripts"]),
    .testTarget(
      name: "ReadyMadeTests",
      dependencies: ["AddressSpace", "OfflineRenderer", "Presets", "ScriptProbe", "Scripts", "SessionPolicy"],
      exclude: ["Scripts"]),
    .testTarget(name: "OSCTransportTests", dependencies: ["OSCTransport"]),
    .testTarget(name: "ServiceManagerTests", dependencies: ["ServiceManager"]),
    .testTarget(name: "JACKTransportTests", dependencies: ["JACKProbe", "JACKTransport", "MixCore", "jackprobe"]),
    .testTarget(
      name: "EiderTests",
      dependencies: [
        "AddressSpace", "CJack", "CPtrace", "Conductor", "Daemon", "EiderProbe", "JACKProbe", "OSCStorm",
        "OSCTransport", "OfflineRenderer", "Scripts", "SessionPolicy", "eider", "jackprobe",
      ]),
  ] + wideLoops,
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
}
// Tests look at run time whether anything is changed while it is being changed. The program itself does not: that would
// take a sixteenth of the time that a message takes.
for target in package.targets where ["SessionPolicy", "AddressSpace", "Conductor", "Daemon"].contains(target.name) {
  target.swiftSettings?.append(.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)))
}
