import { payloadBytes } from "../src/runs/payload.ts";
import type { RunMessage } from "../src/runs/run.ts";

/** The size of every message before encryption, in bytes. */
export const plaintextBytes = 300;

const bare = { title: "Opened", body: "", url: "https://news.example/", imageUrl: null };

/** A notification whose payload, with message id and token, has `plaintextBytes`. */
export const message: RunMessage = { ...bare, body: "!".repeat(plaintextBytes - payloadBytes(bare)) };
