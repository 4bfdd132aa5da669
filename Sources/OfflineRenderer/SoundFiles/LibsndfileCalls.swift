import CSndfile

/// Every call of libsndfile. A sound file is its `SNDFILE *`, used by one thread at a time.
enum LibsndfileCalls {
  struct Format: Hashable {
    var frames: Int
    var rate: Int
    var channels: Int
  }

  /// Opens a file of any format for reading; `nil` if it cannot be. (`sf_open`)
  static func openForReading(_ path: String) -> (file: OpaquePointer, format: Format)? {
    var info = SF_INFO()
    guard let file = sf_open(path, Int32(SFM_READ), &info) else { return nil }
    return (file, Format(frames: Int(info.frames), rate: Int(info.samplerate), channels: Int(info.channels)))
  }

  /// Opens a file for writing 32-bit float samples, as WAV or as RF64, which is a WAV that may be longer than 4 GB;
  /// `nil` if it cannot be. (`sf_open`)
  static func openForWriting(_ path: String, rate: Int, channels: Int, isLong: Bool) -> OpaquePointer? {
    var info = SF_INFO()
    info.samplerate = Int32(clamping: rate)
    info.channels = Int32(clamping: channels)
    info.format = Int32(isLong ? eider_rf64_float : eider_wav_float)
    return sf_open(path, Int32(SFM_WRITE), &info)
  }

  /// Leaves out the chunk that has the time of day in it; RF64 keeps it. (`sf_command`, `SFC_SET_ADD_PEAK_CHUNK`)
  static func omitPeakChunk(_ file: OpaquePointer) {
    _ = sf_command(file, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
  }

  /// Reads frames of interleaved samples, full scale 1; fewer at the end of the file. The buffer has room for whole
  /// frames. (`sf_readf_float`)
  static func read(_ file: OpaquePointer, _ samples: UnsafeMutableBufferPointer<Float>, frames: Int) -> Int {
    guard let base = samples.baseAddress else { return 0 }
    return Int(sf_readf_float(file, base, sf_count_t(frames)))
  }

  /// Writes frames of interleaved samples; returns how many were. (`sf_writef_float`)
  static func write(_ file: OpaquePointer, _ samples: UnsafeBufferPointer<Float>, frames: Int) -> Int {
    guard let base = samples.baseAddress else { return 0 }
    return Int(sf_writef_float(file, base, sf_count_t(frames)))
  }

  /// What has gone wrong last with a file, or with opening one. `nil`: nothing. (`sf_error`, `sf_strerror`)
  static func problem(_ file: OpaquePointer?) -> String? {
    sf_error(file) == Int32(SF_ERR_NO_ERROR) ? nil : String(cString: sf_strerror(file))
  }

  /// Finishes a file; false if not all of it could be written. (`sf_close`)
  static func close(_ file: OpaquePointer) -> Bool { sf_close(file) == 0 }
}
