/**
 * Whether the peer of a connection is still there. While requests are in flight and nothing was heard for `silenceMs` it is to
 * be pinged; as long again without a word, and it is lost: else it would swallow each new request for a whole deadline.
 */
export class Liveness {
  readonly #silenceMs: number;
  #heard = true;
  #heardAtMs = 0;
  #pingedAtMs: number | undefined;

  constructor(silenceMs: number) {
    this.#silenceMs = silenceMs;
  }

  /** Something came that the peer has said now. */
  note(): void {
    this.#heard = true;
  }

  /** The peer's silence counts from now: before, it had nothing to answer. */
  restart(nowMs: number): void {
    this.#heardAtMs = nowMs;
  }

  /** The ping was answered, or came to nothing. */
  endPing(answered: boolean): void {
    this.#pingedAtMs = undefined;
    if (answered) this.#heard = true;
  }

  /** For how long nothing was heard, or nothing was asked. To be called some times a second. */
  quietMs(nowMs: number): number {
    if (this.#heard) this.#heardAtMs = nowMs;
    this.#heard = false;
    return nowMs - this.#heardAtMs;
  }

  /** What is to be done while requests are in flight, after `quietMs`. */
  judge(nowMs: number): "wait" | "ping" | "lost" {
    if (this.#pingedAtMs !== undefined) return nowMs > this.#pingedAtMs + this.#silenceMs ? "lost" : "wait";
    if (nowMs <= this.#heardAtMs + this.#silenceMs) return "wait";
    this.#pingedAtMs = nowMs;
    return "ping";
  }
}
