import { initialWindow, maxFrameBytes, maxWindow, readUint32 } from "./frames.ts";

const enablePush = 2;
const maxConcurrentStreams = 3;
const initialWindowSize = 4;
const maxFrameSize = 5;
const entryBytes = 6;

/** What a peer's SETTINGS have said so far (RFC 9113 section 6.5.2), as far as it binds a client that uses no header table. */
export class PeerSettings {
  maxStreams = maxWindow;
  initialWindow = initialWindow;

  /** Takes the payload of a SETTINGS frame. False: it is malformed, or says what it may not. */
  read(payload: Buffer): boolean {
    if (payload.length % entryBytes !== 0) return false;
    for (let at = 0; at < payload.length; at += entryBytes) {
      const id = (payload[at]! << 8) | payload[at + 1]!;
      const value = readUint32(payload, at + 2);
      if (id === enablePush && value !== 0) return false;
      if (id === maxFrameSize && (value < maxFrameBytes || value > 0xffffff)) return false;
      if (id === initialWindowSize && value > maxWindow) return false;
      if (id === initialWindowSize) this.initialWindow = value;
      if (id === maxConcurrentStreams) this.maxStreams = value;
    }
    return true;
  }
}
