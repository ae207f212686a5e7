import { z } from "zod";

/** What a topic may be called. */
export const topicName = z
  .string("must be a string")
  .trim()
  .min(1, "must not be empty")
  .max(80, "must have at most 80 characters");
