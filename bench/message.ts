import { payloadBytes } from "../src/runs/payload.ts";
import type { RunMessage } from "../src/runs/run.ts";

/** What every side sends: so many bytes before encryption. */
export const plaintextBytes = 300;

const bare = { title: "Opened", body: "", url: "https://news.example/", imageUrl: null };

/** A nudge whose payload has `plaintextBytes` with its message id and token. */
export const message: RunMessage = { ...bare, body: "!".repeat(plaintextBytes - payloadBytes(bare)) };
