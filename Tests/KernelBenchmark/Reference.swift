import Foundation

/// The loops of `reference.c`, which the script has built as a shared library.
struct Reference {
  typealias Samples = UnsafePointer<Float>
  typealias Output = UnsafeMutablePointer<Float>

  let addMoving: @convention(c) (Samples, Samples, Output, Output, Int32, Float, Float, Float, Int32) -> UInt32
  let addResting: @convention(c) (Samples, Samples, Output, Output, Int32, Float, Float) -> UInt32

  /// Loads a library, which stays as long as the program.
  init?(library: String) {
    guard let handle = dlopen(library, RTLD_NOW), let moving = dlsym(handle, "add_moving"),
      let resting = dlsym(handle, "add_resting")
    else { return nil }
    // What the two functions in reference.c take and give.
    addMoving = unsafeBitCast(moving, to: type(of: addMoving))
    addResting = unsafeBitCast(resting, to: type(of: addResting))
  }
}
