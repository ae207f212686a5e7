import { frameOf, initialWindow, settingsFrame, uint32s, windowUpdateFrame } from "./frames.ts";

/** What the peer may send of bodies before it hears that they were read, over all streams. */
export const connectionWindow = 1_048_576;

const headerTableSize = 1;
const enablePush = 2;
const maxHeaderListSize = 6;

/**
 * What a lean client of HTTP/2 says first (RFC 9113 section 3.4): no header table, so that each header block can be read by itself;
 * no push; no headers over 64 KB; and a window for bodies. A stream needs no more than the initial one: an answer is cut at 16 KB.
 */
export const leanGreeting = Buffer.concat([
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
