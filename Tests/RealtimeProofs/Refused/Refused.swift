// What the compiler must refuse in code that carries `@_noLocks @_noAllocation`: were one of these accepted, the two
// attributes would prove nothing. Compiled by scripts/prove-realtime with `-verify`, which wants exactly these errors.
import Synchronization

final class Box {
  var value = 0
}

struct Wide {
  var values = (1, 2, 3, 4, 5)
}

@_noLocks @_noAllocation
func lock(_ mutex: borrowing Mutex<Int>) {
  mutex.withLock { $0 += 1 }  // expected-error {{called function is not available in this module}}
}

@_noLocks @_noAllocation
func grow(_ values: inout [Int]) {
  values.append(1)  // expected-error {{reference counting operations}}
}

@_noLocks @_noAllocation
func write(_ values: inout [Int]) {
  values[0] = 1  // expected-error {{reference counting operations}}
}

@_noLocks @_noAllocation
func makeObject() -> Box {
  Box()  // expected-error {{Using type 'Box' can cause metadata allocation or locks}}
}

@_noLocks @_noAllocation
func releaseObject(_ box: inout Box?) {
  box = nil  // expected-error {{can cause an deallocation}}
}

@_noLocks @_noAllocation
func box(_ value: Wide) -> Any {
  value  // expected-error {{Using type 'Any' can cause metadata allocation or locks}}
}

@_noLocks @_noAllocation
func allocate() -> UnsafeMutablePointer<Int> {
  .allocate(capacity: 1)  // expected-error {{can cause an allocation}}
}

// expected-error@+1 {{global/static variable initialization can cause locking}}
let madeAtFirstUse = (0..<3).map { $0 * Int.random(in: 0..<3) }

@_noLocks @_noAllocation
func readGlobal() -> Int {
  madeAtFirstUse.count  // expected-note {{called from here}}
}

@_noLocks @_noAllocation
func makeType<Element>(_: Element.Type) -> Any.Type {
  [Element].self  // expected-error {{Using type 'Array<Element>' can cause metadata allocation or locks}}
}

@_noLocks @_noAllocation
func capture(_ value: Int) -> () -> Int {
  { value }  // expected-error {{can cause metadata allocation or locks}}
}

@_noLocks @_noAllocation
func describe(_ value: Int) -> String {
  "\(value)"  // expected-error {{reference counting operations}}
}
