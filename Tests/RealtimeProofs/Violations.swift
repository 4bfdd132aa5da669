import Foundation
import Glibc
import Synchronization

/// Things that an audio thread must never do, each of which the sanitizer has to catch.
struct Violation: Sendable {
  let name: String
  /// What is needed for it, made before the cycle; returns what is then done in the cycle.
  let prepare: @Sendable () -> () -> Void

  static let all: [Violation] = [
    Violation(name: "malloc") {
      let place = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1)
      return { place.initialize(to: malloc(64)) }
    },
    Violation(name: "free") {
      let memory = malloc(64)
      return { free(memory) }
    },
    Violation(name: "allocate") { { keep(UnsafeMutablePointer<Float>.allocate(capacity: opaque(64))) } },
    Violation(name: "mutex") {
      let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
      pthread_mutex_init(mutex, nil)
      return { pthread_mutex_lock(mutex) }
    },
    Violation(name: "condition") {
      let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
      pthread_cond_init(condition, nil)
      return { pthread_cond_signal(condition) }
    },
    Violation(name: "contended-mutex") {
      let box = Box(0)
      let isHeld = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        box.value.withLock { _ in
          isHeld.signal()
          sleep(60)
        }
      }
      isHeld.wait()
      return { box.value.withLock { $0 += 1 } }
    },
    Violation(name: "sleep") { { usleep(1) } },
    Violation(name: "write") { { _ = write(STDOUT_FILENO, "", 0) } },
    Violation(name: "open") { { keep(open("/dev/null", O_RDONLY)) } },
    Violation(name: "thread") { { keep(startThread()) } },
    Violation(name: "array") {
      var values = Array(repeating: 0, count: opaque(1))
      return {
        values.append(1)
        keep(values.count)
      }
    },
    Violation(name: "copy-on-write") {
      var values = Array(repeating: 0, count: opaque(100))
      let copy = values
      return {
        values[0] = 1
        keep(copy.count)
      }
    },
    Violation(name: "class") { { keep(Box(opaque(1))) } },
    Violation(name: "release") {
      var box: Box? = Box(opaque(1))
      return {
        keep(box)
        box = nil
      }
    },
    Violation(name: "existential") { { keep(Wide(value: opaque(1)) as Any) } },
    Violation(name: "closure") {
      {
        let value = opaque(1)
        keep { value }
      }
    },
    Violation(name: "string") { { keep(String(opaque(1)) + " is longer than what a string holds in place") } },
    Violation(name: "dictionary") { { keep([opaque(1): opaque(2)].count) } },
    Violation(name: "print") { { print(opaque(1)) } },
    Violation(name: "metadata") { { keep(ObjectIdentifier(pairType(of: Wide.self))) } },
    Violation(name: "global") { { keep(lazyGlobal) } },
  ]
}

final class Box: Sendable {
  let value: Mutex<Int>
  init(_ value: Int) { self.value = Mutex(value) }
}

/// Too wide for the inside of an existential.
struct Wide: Sendable {
  var value: Int
  var others = (1, 2, 3, 4)
}

struct Pair<First, Second> {
  var first: First
  var second: Second
}

/// Made at its first use, wherever that is.
private let lazyGlobal = (0..<opaque(100)).map { $0 * $0 }

/// A value that the optimizer knows nothing of.
@inline(never) @_optimize(none)
func opaque(_ value: Int) -> Int { value }

/// A use that the optimizer cannot leave out.
@inline(never) @_optimize(none)
func keep<Value>(_ value: Value) {}

/// A type that is made of another while the program runs.
@inline(never) @_optimize(none)
private func pairType<Element>(of: Element.Type) -> Any.Type { Pair<Element, [Element]>.self }

private func startThread() -> pthread_t {
  var thread = pthread_t()
  pthread_create(&thread, nil, { _ in nil }, nil)
  return thread
}
