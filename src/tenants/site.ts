import { z } from "zod";

/** A publication of a tenant with an audience of its own. `vapidPublicKey`: an uncompressed point, 65 bytes. */
export type Site = {
  id: string;
  tenantId: string;
  name: string;
  url: string;
  timeZone: string;
  pausedAt: Date | null;
  onUncertain: "resend" | "skip";
  vapidPublicKey: Buffer;
};

export const siteName = z.string().trim().min(1, "must not be empty").max(200, "must have at most 200 characters");

/** A site lives on the open web; http is for a machine of one's own. */
export const siteUrl = z
  .url({ protocol: /^https?$/, error: "must be an http(s) URL" })
  .max(2_048, "must have at most 2,048 characters");
