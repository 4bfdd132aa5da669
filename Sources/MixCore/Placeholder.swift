// MixCore
