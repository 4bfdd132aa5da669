#if canImport(Glibc)
  import Glibc

  /// How the processor treats very small numbers.
  public enum FloatingPointMode {
    /// Lets this thread flush denormals to zero, in results and in operands: a tail that dies away must not cost more
    /// and more. To be called once on the thread that runs the engine, before it does; x86-64 and ARM64.
    public static func flushDenormals() {
      var environment = fenv_t()
      fegetenv(&environment)
      #if arch(x86_64)
        // FTZ and DAZ of the MXCSR register.
        environment.__mxcsr |= 0x8040
      #elseif arch(arm64)
        // FZ of the FPCR register.
        environment.__fpcr |= 1 << 24
      #endif
      fesetenv(&environment)
    }
  }
#endif
