import { z } from "zod";
import { expects } from "../input.ts";
import { type ReaderSettings, readerSettingsChange } from "./reader-settings.ts";
import { vapidText } from "./vapid-file.ts";

/** Local times of day, `HH:MM`, in the site's time zone. `from` 22:00 `until` 07:00 goes over midnight. */
export type QuietHours = { from: string; until: string };

/** What the content decision judges by. Null: the site sets no such limit. */
export type SiteLimits = {
  /** IANA, as Intl takes it. */
  timeZone: string;
  /** An older story is not sent. */
  freshnessHours: number;
  /** Live sends in 24 hours. */
  dailyCap: number | null;
  /** Between two live sends. */
  minGapMinutes: number | null;
  quietHours: QuietHours | null;
};

/** A publication of a tenant with an audience of its own. `vapidPublicKey`: an uncompressed point, 65 bytes. */
export type Site = SiteLimits &
  ReaderSettings & {
    id: string;
    tenantId: string;
    name: string;
    url: string;
    pausedAt: Date | null;
    onUncertain: "resend" | "skip";
    vapidPublicKey: Buffer;
  };

export const newSite = z.object({
  name: z.string().trim().min(1, "must not be empty").max(200, "must have at most 200 characters"),
  /** A site lives on the open web; http is for a machine of one's own. */
  url: z
    .url({ protocol: /^https?$/, error: "must be an http(s) URL" })
    .max(2_048, "must have at most 2,048 characters"),
  /** The pair that its readers have subscribed to elsewhere; without one it gets a new one. */
  vapidPair: vapidText.optional(),
});

const whole = (max: number) => {
  const message = `must be a whole number from 1 to ${max.toLocaleString("en")}`;
  return z.int(message).min(1, message).max(max, message);
};

const timeOfDay = z.string(expects("a time of day such as 22:00")).regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be HH:MM");

/** What may be changed of a site. Absent: it stays. Null: the limit is taken away. */
export const siteChange = z.strictObject({
  name: newSite.shape.name.optional(),
  paused: z.boolean("must be true or false").optional(),
  timeZone: z
    .string(expects("the name of a time zone"))
    .refine(isTimeZone, "must be the name of an IANA time zone such as Europe/Berlin")
    .optional(),
  onUncertain: z.enum(["resend", "skip"], "must be resend or skip").optional(),
  freshnessHours: whole(8_760).optional(),
  dailyCap: whole(1_000).nullish(),
  minGapMinutes: whole(10_080).nullish(),
  quietHours: z
    .strictObject({ from: timeOfDay, until: timeOfDay }, "must have from and until")
    .refine(({ from, until }) => from !== until, "must not begin and end at the same time")
    .nullish(),
  ...readerSettingsChange,
});

export type SiteChange = z.output<typeof siteChange>;

/** Intl also takes offsets such as +02:00, which know no summer time. */
function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
