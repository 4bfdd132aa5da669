// JACKTransport
