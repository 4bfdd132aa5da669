// OSCTransport
