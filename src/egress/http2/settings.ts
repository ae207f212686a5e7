import {
  frameOf,
  initialWindow,
  maxFrameBytes,
  maxWindow,
  readUint32,
  settingsFrame,
  uint32s,
  windowUpdateFrame,
} from "./frames.ts";

/** The SETTINGS of both sides (RFC 9113 section 6.5) that matter to a client without a header table. */

const headerTableSize = 1;
const enablePush = 2;
const maxConcurrentStreams = 3;
const initialWindowSize = 4;
const maxFrameSize = 5;
const maxHeaderListSize = 6;
const entryBytes = 6;

/** How many bytes of response bodies the peer may send, over all streams, before we acknowledge them. */
export const connectionWindow = 1_048_576;

/**
 * The first bytes of a client (RFC 9113 section 3.4): the connection preface, its SETTINGS and a WINDOW_UPDATE. The
 * SETTINGS turn the header table off, so that each header block can be decoded by itself. They also turn server push
 * off and limit header lists to 64 KB. A stream keeps the initial window, because a response body is cut at 16 KB.
 */
export const clientPreface = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  frameOf(
    settingsFrame,
    0,
    0,
    Buffer.concat([setting(headerTableSize, 0), setting(enablePush, 0), setting(maxHeaderListSize, 65_536)]),
  ),
  frameOf(windowUpdateFrame, 0, 0, uint32s(connectionWindow - initialWindow)),
]);

function setting(id: number, value: number): Buffer {
  return Buffer.concat([Buffer.from([0, id]), uint32s(value)]);
}

/** The peer's SETTINGS so far (RFC 9113 section 6.5.2). */
export class PeerSettings {
  maxStreams = maxWindow;
  initialWindow = initialWindow;

  /** Applies the payload of a SETTINGS frame. Returns false if it is malformed, or has a value that is not allowed. */
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
