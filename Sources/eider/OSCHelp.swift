/// `eider help osc`: how to talk to the daemon.
enum OSCHelp {
  static let topic = "osc"
  static let summary = "how to talk to the daemon from surfaces, programs and scripts"

  static let text = """
    How to talk to the daemon by OSC

      It listens on port 9770 of this machine, by UDP and by TCP (SLIP frames, or each packet after its length).
      For other hosts: eider run --listen 0.0.0.0 (and :: for IPv6), or `osc.listen` in the preset; there `osc.allow` says
      who is heard and `osc.readOnly` who may only read. Answers go to the host and port that the message came from.

    Setting and reading
      /session/music/volume 0.8        an address with arguments sets
      /session/music/volume            without any it reads: the answer has the same address
      /session/*/mute true             ? * [a-z] [!a] {one,two} set or read every match, buttons excepted
      /route/speaker/volume 0.5        sessions and routes have the names of the preset
    A number may come as i f d h, a bool as T F i f, a text as s S. Faders are 0…1 and are clamped; all else that is out of
    its range is refused. A refused message is answered by /error ADDRESS CODE MESSAGE, and changes nothing.

    Being told
      /subscribe                       every value, then /subscribed * COUNT; afterwards what changes
      /subscribe /session/*/volume 20  of a pattern, at most every 20 ms
      /subscribe * 50 osc.udp://10.0.0.5:9000/   to another host or port
      /renew                           at least every 10 s (by TCP not needed); /eider/alive comes once a second
      /unsubscribe                     no more
      /client/bools int                bools as 1 and 0 instead of T and F
    Nobody is told what he has just set himself; two surfaces on one machine are two clients.

    In time
      A bundle is one event. With a time tag it takes effect on that sample, up to one hour ahead; equal tags in the order
      in which they came. /eider/time says what time it is here. /sync 7 answers /synced 7 once all before is in force.

    The daemon itself
      /eider/ping  /eider/version  /eider/status  /host/panic (all silent at once)  /eider/quit (from this machine only)

    From a shell
      eider get '/session/*/{state,volume}'      eider send /session/music/playing true      eider watch
      oscsend osc.udp://127.0.0.1:9770 /session/music/volume f 0.8      oscdump 9000

    eider reference prints every address with its types, ranges, units and rules.
    """
}
