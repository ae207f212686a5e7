import type { App } from "../../app.ts";
import { createPushTransport } from "../../egress/push/transport.ts";
import { type PollLoop, startPollLoop } from "../../poll-loop.ts";
import { pushServiceOfOrigin } from "../../subscribers/push-service.ts";
import { createSignerCache } from "../crypto/signer-cache.ts";
import { sendEditorNudges } from "./send-editor-nudges.ts";

const lookEveryMs = 2_000;
const endWithinMs = 5_000;

/** Starts a poller that notifies editors' devices of suggested stories when they are due, until it is stopped. */
export function startEditorNudgePoller(app: App): PollLoop {
  const transport = createPushTransport({
    allowsOrigin: (origin) => pushServiceOfOrigin(origin, app.config.PUSH_SERVICES) !== undefined,
  });
  const signerOf = createSignerCache(app.db, app.secrets, app.config.VAPID_SUBJECT);
  const loop = startPollLoop({
    async round(stopping) {
      await sendEditorNudges(app, { transport, signerOf }, () => stopping.aborted);
    },
    everyMs: lookEveryMs,
    firstAfterMs: lookEveryMs,
    onFault: (error) => app.log.warn({ err: error }, "devices of editors could not be told; will retry"),
    stopWithinMs: endWithinMs,
  });
  return {
    async stop() {
      await loop.stop();
      await transport.close();
    },
  };
}
