import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import {
  type Frame,
  frame,
  frameFlags,
  frameReader,
  frameTypes,
  headerBlock,
  type PeerSettings,
  preface,
  settingsPayload,
  uint32s,
} from "./frames.ts";

const largestPart = 16_384;
const refusedStream = 7;

/** What a request came to by the peer's record. Refused: the peer has said that it processes nothing of it. */
type Fate = "open" | "processed" | "refused";

/** A request as a peer of frames sees it, from its first HEADERS on. */
export class FrameRequest {
  readonly session: FrameSession;
  readonly id: number;
  fate: Fate = "open";
  /** Its last byte has come. */
  whole = false;
  answered = false;
  /** What the client may still send of the body. */
  window: number;
  readonly chunks: Buffer[] = [];

  constructor(session: FrameSession, id: number, window: number) {
    this.session = session;
    this.id = id;
    this.window = window;
  }

  get body(): string {
    return Buffer.concat(this.chunks).toString("latin1");
  }

  head(status: number, headers: Record<string, string> = {}, end = false): void {
    if (status >= 200) this.fate = "processed";
    const flags = frameFlags.endHeaders | (end ? frameFlags.endStream : 0);
    this.session.send(frameTypes.headers, flags, this.id, headerBlock({ ":status": String(status), ...headers }));
    if (end) this.end();
  }

  /** `onFlushed` is called when the kernel has it: a reset that follows no longer takes it away. */
  data(text: string, end = false, onFlushed?: () => void): void {
    const bytes = Buffer.from(text, "latin1");
    for (let at = 0; at < Math.max(1, bytes.length); at += largestPart) {
      const last = at + largestPart >= bytes.length;
      const flags = last && end ? frameFlags.endStream : 0;
      const part = bytes.subarray(at, at + largestPart);
      this.session.send(frameTypes.data, flags, this.id, part, last ? onFlushed : undefined);
    }
    if (end) this.end();
  }

  answer(status: number, headers: Record<string, string> = {}, body = ""): void {
    this.head(status, headers, body === "");
    if (body !== "") this.data(body, true);
  }

  reset(code: number): void {
    if (code === refusedStream && this.fate === "open") this.fate = "refused";
    this.session.send(frameTypes.rstStream, 0, this.id, uint32s(code));
    this.session.forget(this);
  }

  end(): void {
    this.answered = true;
    if (this.whole) this.session.forget(this);
  }
}

export type FrameListeners = {
  /** Instead of SETTINGS at once. */
  greet?: (session: FrameSession) => void;
  onHeaders?: (request: FrameRequest) => void;
  onData?: (request: FrameRequest, bytes: number) => void;
  /** A request is whole. */
  onRequest?: (request: FrameRequest) => void;
  onReset?: (request: FrameRequest, code: number) => void;
  /** False: the windows for request bodies are opened by the test alone. */
  opensWindows?: boolean;
};

/** A connection of HTTP/2 whose frames a test writes itself. What the client does against RFC 9113 goes into `faults`. */
export class FrameSession {
  readonly no: number;
  readonly socket: TLSSocket;
  readonly tcp: Socket;
  /** The highest id of a stream that the client has opened. */
  lastId = 0;
  /** Of the first SETTINGS of the client, the payload. */
  clientSettings: Buffer | undefined;
  /** The client's GOAWAY. */
  clientGoaway: { lastId: number; code: number } | undefined;
  /** Says nothing of its own accord: neither SETTINGS nor PING is acknowledged. */
  mute = false;
  readonly #listeners: FrameListeners;
  readonly #onFault: (fault: string) => void;
  readonly #open = new Map<number, FrameRequest>();
  readonly #unacknowledged: { settings: PeerSettings; resolve: () => void }[] = [];
  readonly #pings: ((data: Buffer) => void)[] = [];
  #limits: Required<PeerSettings> = {
    headerTableSize: 4_096,
    maxConcurrentStreams: Number.POSITIVE_INFINITY,
    initialWindowSize: 65_535,
    maxFrameSize: 16_384,
  };
  #window = 65_535;
  #processedUpTo = 2 ** 31 - 1;
  #greeted = false;

  constructor(
    no: number,
    sockets: { socket: TLSSocket; tcp: Socket },
    listeners: FrameListeners,
    onFault: (fault: string) => void,
  ) {
    this.no = no;
    this.socket = sockets.socket;
    this.tcp = sockets.tcp;
    this.#listeners = listeners;
    this.#onFault = onFault;
    const read = frameReader((received) => this.#receive(received));
    let start = Buffer.alloc(0);
    this.socket.on("data", (bytes: Buffer) => {
      if (start.length >= preface.length) return read(bytes);
      start = Buffer.concat([start, bytes]);
      if (start.length < preface.length) return;
      if (!start.subarray(0, preface.length).equals(preface)) this.#onFault("a wrong preface");
      read(start.subarray(preface.length));
    });
  }

  send(type: number, flags: number, id: number, payload?: Buffer, onFlushed?: () => void): void {
    if (this.socket.writable) this.socket.write(frame(type, flags, id, payload), () => onFlushed?.());
  }

  /** Resolves when the client has acknowledged them; from then on it is held to them. */
  settings(settings: PeerSettings): Promise<void> {
    this.send(frameTypes.settings, 0, 0, settingsPayload(settings));
    return new Promise((resolve) => this.#unacknowledged.push({ settings, resolve }));
  }

  /** Nothing above `lastId` is processed. */
  goaway(code: number, lastId: number): void {
    this.#processedUpTo = Math.min(this.#processedUpTo, lastId);
    for (const request of this.#open.values()) if (request.id > lastId) request.fate = "refused";
    this.send(frameTypes.goaway, 0, 0, uint32s(lastId, code));
  }

  windowUpdate(id: number, bytes: number): void {
    if (id === 0) this.#window += bytes;
    const request = this.#open.get(id);
    if (request !== undefined) request.window += bytes;
    this.send(frameTypes.windowUpdate, 0, id, uint32s(bytes));
  }

  /** Resolves with what the client sent back. */
  ping(data: Buffer): Promise<Buffer> {
    this.send(frameTypes.ping, 0, 0, data);
    return new Promise((resolve) => this.#pings.push(resolve));
  }

  forget(request: FrameRequest): void {
    this.#open.delete(request.id);
  }

  #receive(received: Frame): void {
    if (received.payload.length > this.#limits.maxFrameSize) this.#onFault(`a frame of ${received.payload.length}`);
    if (!this.#greeted && received.type !== frameTypes.settings) this.#onFault("no SETTINGS at first");
    this.#greeted = true;
    if (this.mute) return;
    const acknowledges = (received.flags & frameFlags.ack) !== 0;
    if (received.type === frameTypes.headers) this.#onHeaders(received);
    else if (received.type === frameTypes.data) this.#onData(received);
    else if (received.type === frameTypes.rstStream) this.#onReset(received);
    else if (received.type === frameTypes.settings) this.#onSettings(acknowledges, received.payload);
    else if (received.type === frameTypes.goaway) this.#onGoaway(received.payload);
    else if (received.type !== frameTypes.ping) return;
    else if (acknowledges) this.#pings.shift()?.(received.payload);
    else this.send(frameTypes.ping, frameFlags.ack, 0, received.payload);
  }

  #onGoaway(payload: Buffer): void {
    this.clientGoaway = { lastId: payload.readUInt32BE(0), code: payload.readUInt32BE(4) };
  }

  #onSettings(acknowledges: boolean, payload: Buffer): void {
    if (!acknowledges) {
      this.clientSettings ??= payload;
      this.send(frameTypes.settings, frameFlags.ack, 0);
      return;
    }
    const { settings, resolve } = this.#unacknowledged.shift()!;
    const raised = (settings.initialWindowSize ?? this.#limits.initialWindowSize) - this.#limits.initialWindowSize;
    for (const request of this.#open.values()) request.window += raised;
    this.#limits = { ...this.#limits, ...settings };
    resolve();
  }

  #onHeaders({ id, flags }: Frame): void {
    if (id % 2 !== 1 || id <= this.lastId) this.#onFault(`stream ${id} after ${this.lastId}`);
    this.lastId = id;
    const request = new FrameRequest(this, id, this.#limits.initialWindowSize);
    if (id > this.#processedUpTo) request.fate = "refused";
    this.#open.set(id, request);
    if (this.#open.size > this.#limits.maxConcurrentStreams) this.#onFault(`${this.#open.size} streams`);
    this.#listeners.onHeaders?.(request);
    if (flags & frameFlags.endStream) this.#finish(request);
  }

  #onData({ id, flags, payload }: Frame): void {
    this.#window -= payload.length;
    if (this.#window < 0) this.#onFault("more than the connection's window");
    if (this.#listeners.opensWindows !== false && payload.length > 0) this.windowUpdate(0, payload.length);
    const request = this.#open.get(id);
    if (request === undefined) return;
    if (request.whole) this.#onFault("DATA after END_STREAM");
    request.window -= payload.length;
    if (request.window < 0) this.#onFault("more than the stream's window");
    request.chunks.push(payload);
    this.#listeners.onData?.(request, payload.length);
    if (flags & frameFlags.endStream) this.#finish(request);
    else if (this.#listeners.opensWindows !== false) this.windowUpdate(id, payload.length);
  }

  #finish(request: FrameRequest): void {
    request.whole = true;
    if (request.answered) this.forget(request);
    this.#listeners.onRequest?.(request);
  }

  #onReset({ id, payload }: Frame): void {
    const request = this.#open.get(id);
    if (request === undefined) return;
    this.forget(request);
    this.#listeners.onReset?.(request, payload.readUInt32BE(0));
  }
}
