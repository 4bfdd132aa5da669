/// Takes packets out of the bytes of a TCP connection, however those are cut into pieces.
///
/// It holds at most one packet of at most `packetLimit` bytes.
struct StreamDeframer {
  /// What frames that hold no packet mean for the connection.
  enum Fault: Error, Equatable {
    /// This frame is lost, the next one will be found: SLIP with a bad escape, or too long.
    case badFrame
    /// No further frame can be found: a size beyond the limit.
    case brokenStream
  }

  let framing: StreamFraming
  let packetLimit: Int

  /// What is there of the present packet, and of a length-prefixed one's size before that.
  private var assembled: [UInt8] = []
  /// The size of the present length-prefixed packet, once it is known.
  private var expected: Int?
  private var isEscaped = false
  /// Whether the present SLIP frame is bad and skipped to its end.
  private var isSkipping = false

  init(framing: StreamFraming, packetLimit: Int) {
    self.framing = framing
    self.packetLimit = packetLimit
  }

  /// Takes in the next bytes; calls `body` for each packet that they complete, or fault that they show.
  ///
  /// After `brokenStream` nothing more is to be taken in.
  mutating func consume(_ bytes: Span<UInt8>, _ body: (Span<UInt8>?, Fault?) -> Void) {
    switch framing {
    case .slip: consumeSLIP(bytes, body)
    case .lengthPrefixed: consumeLengthPrefixed(bytes, body)
    }
  }

  private mutating func consumeSLIP(_ bytes: Span<UInt8>, _ body: (Span<UInt8>?, Fault?) -> Void) {
    for index in bytes.indices {
      let byte = bytes[index]
      if byte == SLIP.end {
        if isSkipping || isEscaped {
          body(nil, .badFrame)
        } else if !assembled.isEmpty {
          body(assembled.span, nil)
        }
        (isSkipping, isEscaped) = (false, false)
        assembled.removeAll(keepingCapacity: true)
      } else if isSkipping {
        continue
      } else if isEscaped {
        isEscaped = false
        switch byte {
        case SLIP.escapedEnd: appendOrSkip(SLIP.end)
        case SLIP.escapedEscape: appendOrSkip(SLIP.escape)
        default: isSkipping = true
        }
      } else if byte == SLIP.escape {
        isEscaped = true
      } else {
        appendOrSkip(byte)
      }
    }
  }

  private mutating func appendOrSkip(_ byte: UInt8) {
    if assembled.count < packetLimit {
      assembled.append(byte)
    } else {
      isSkipping = true
    }
  }

  private mutating func consumeLengthPrefixed(_ bytes: Span<UInt8>, _ body: (Span<UInt8>?, Fault?) -> Void) {
    var position = 0
    while position < bytes.count {
      guard let size = expected else {
        assembled.append(bytes[position])
        position += 1
        if assembled.count == 4 {
          let size = Int(assembled.span.bigEndian32(at: 0))
          assembled.removeAll(keepingCapacity: true)
          guard size <= packetLimit else { return body(nil, .brokenStream) }
          if size == 0 { body(assembled.span, nil) } else { expected = size }
        }
        continue
      }
      let end = position + min(size - assembled.count, bytes.count - position)
      if end - position == size {
        // The whole packet lies in the bytes at hand: no need to gather it.
        body(bytes.extracting(position..<end), nil)
        expected = nil
      } else {
        for index in position..<end { assembled.append(bytes[index]) }
        if assembled.count == size {
          body(assembled.span, nil)
          expected = nil
          assembled.removeAll(keepingCapacity: true)
        }
      }
      position = end
    }
  }
}
