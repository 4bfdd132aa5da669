import CProcessor

extension MixKernels {
  /// The widest loops that this processor can run. Control thread only.
  package static var best: MixKernels { MixKernels(areWide: eider_processor_has_avx2()) }
}
