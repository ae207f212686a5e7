import { ECDH } from "node:crypto";
import { isMainThread } from "node:worker_threads";

/*
 * Loaded before the service by NODE_OPTIONS=--import. A delivery thread dies of an uncaught exception each time it has
 * encrypted for the subscriber whose `p256dh` is POISON. It dies after it could claim another batch, and before the
 * push service answers.
 */
const afterMs = 100;
const { computeSecret } = ECDH.prototype;
const poison = Buffer.from(process.env.POISON ?? "", "base64url");
const die = () => {
  throw new Error("poisoned by the test");
};

if (!isMainThread) {
  ECDH.prototype.computeSecret = function (this: ECDH, ...args: unknown[]): Buffer {
    if (poison.equals(args[0] as Buffer)) setTimeout(die, afterMs);
    return Reflect.apply(computeSecret, this, args) as Buffer;
  } as typeof computeSecret;
}
