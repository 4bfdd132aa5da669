// What every test of the whole uses: the program as a process, and a remote for it.
@_exported import EiderProbe
