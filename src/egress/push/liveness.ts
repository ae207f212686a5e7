/**
 * Detects a peer that is gone. If nothing is received for `silenceMs` while requests are in flight, the peer has to
 * be pinged. If it stays silent for the same time again, it is lost. Without this, each new request on the connection
 * would be uncertain at its deadline.
 */
export class Liveness {
  readonly #silenceMs: number;
  /** Whether something was received since `silentForMs` was last called. */
  #hasReceived = true;
  #receivedAtMs = 0;
  #pingedAtMs: number | undefined;

  constructor(silenceMs: number) {
    this.#silenceMs = silenceMs;
  }

  /** Records that the peer sent something just now. */
  recordReceived(): void {
    this.#hasReceived = true;
  }

  /** Starts to count the peer's silence now, because it had nothing to answer before. */
  restart(nowMs: number): void {
    this.#receivedAtMs = nowMs;
  }

  /** Records that a ping was answered, or failed. */
  endPing(answered: boolean): void {
    this.#pingedAtMs = undefined;
    if (answered) this.#hasReceived = true;
  }

  /**
   * Returns the time in ms since something was received, or since `restart`. Has to be called several times a second.
   */
  silentForMs(nowMs: number): number {
    if (this.#hasReceived) this.#receivedAtMs = nowMs;
    this.#hasReceived = false;
    return nowMs - this.#receivedAtMs;
  }

  /** Returns what to do while requests are in flight. Call it after `silentForMs`. "ping" counts as done. */
  nextStep(nowMs: number): "wait" | "ping" | "lost" {
    if (this.#pingedAtMs !== undefined) return nowMs > this.#pingedAtMs + this.#silenceMs ? "lost" : "wait";
    if (nowMs <= this.#receivedAtMs + this.#silenceMs) return "wait";
    this.#pingedAtMs = nowMs;
    return "ping";
  }
}
