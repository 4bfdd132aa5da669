# Debian packages that the scripts need, and how they get there. Sourced, not run.

# What Eider is built from and runs on.
packages_to_build="libjack-jackd2-dev liblo-dev libsndfile1-dev libsystemd-dev pkg-config"
packages_to_run="jackd2"
# What the demo plays and measures with: recordings, players, sox.
packages_to_demonstrate="asterisk-core-sounds-en-wav asterisk-moh-opsound-wav jack-tools sox"
# What the tests compare with.
packages_to_test="asterisk-core-sounds-en-wav asterisk-moh-opsound-wav iproute2 jackd2 libebur128-dev liblo-tools python3-jsonschema
  sox"
# What is put beside Eider when its server dies.
packages_to_soak="jack-mixer supercollider-server"
# PipeWire in the place of jackd.
packages_to_test_pipewire="dbus-daemon pipewire pipewire-jack wireplumber"
# What ducking by margin is measured on: people and music.
packages_to_measure="asterisk-core-sounds-en-wav asterisk-core-sounds-es-wav asterisk-core-sounds-fr-wav
  asterisk-core-sounds-it-wav asterisk-core-sounds-ru-wav asterisk-moh-opsound-wav libebur128-dev sox"
# What speed is compared with: other mixers, and a C compiler for the barest of clients.
packages_to_bench="gcc jack-mixer jackd2 libc6-dev liblo-tools supercollider-server"

# What the drawings of the presets are made from.
packages_to_draw="asterisk-core-sounds-en-wav asterisk-moh-opsound-wav sox"
# What packs the layouts of control surfaces.
packages_to_pack="python3-minimal"

# Installs those of the packages that are missing.
install_missing() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q "ok installed" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "installing ${missing[*]}" >&2
  local as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  export DEBIAN_FRONTEND=noninteractive
  # A list of packages that is too old leads to files that are gone, so it is renewed before a second try.
  "${as_root[@]}" apt-get install -y --no-install-recommends "${missing[@]}" >&2 ||
    { "${as_root[@]}" apt-get update >&2 && "${as_root[@]}" apt-get install -y --no-install-recommends "${missing[@]}" >&2; }
}

# Says what is wrong where there is no Swift.
require_swift() {
  command -v swift >/dev/null && return 0
  echo "there is no Swift toolchain: install Swift 6.2 or later and put it on the PATH" >&2
  exit 2
}

# libjack keeps eight places for servers, and those that were killed keep theirs. Where no server lives, all are freed.
free_places_of_dead_servers() {
  local name
  for name in /proc/[0-9]*/comm; do
    case "$(cat "$name" 2>/dev/null)" in jackd | jackdbus) return 0 ;; esac
  done
  rm -rf /dev/shm/jack-shm-registry /dev/shm/jack-[0-9]* /dev/shm/jack_sem.* /dev/shm/jack_db-* /dev/shm/jack_*_[0-9]*_[0-9]*
}
