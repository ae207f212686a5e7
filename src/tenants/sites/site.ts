import { z } from "zod";
import { faults, zodText } from "../../faults.ts";
import { expects, flag, oneOf, wholeNumber } from "../../input.ts";
import { isTimeZone } from "../../local-time.ts";
import { vapidText } from "../vapid/vapid-file.ts";
import { type CampaignClass, type ClassRule, classesChange } from "./campaign-classes.ts";
import { type ReaderSettings, readerSettingsChange } from "./reader-settings.ts";

/** Quiet hours as local times, `HH:MM`, in the site's time zone. `from` 22:00 `until` 07:00 spans midnight. */
export type QuietHours = { from: string; until: string };

/** The limits that the content decision applies to a site. Null if there is no such limit. */
export type SiteLimits = {
  /** An IANA time zone that Intl accepts. */
  timeZone: string;
  /** The greatest age of a story, in hours. Older stories are not sent. */
  freshnessHours: number;
  /** The most live sends in 24 hours. */
  dailyLimit: number | null;
  /** The least time between two live sends. */
  minGapMinutes: number | null;
  quietHours: QuietHours | null;
  /**
   * The treatment of stories whose date of publication is unknown. `skip` blocks them. `ask` holds a feed's items for
   * the owner's answer.
   */
  undatedStories: "send" | "ask" | "skip";
};

/** A publication with an audience of its own. `vapidPublicKey`: an uncompressed point, 65 bytes. */
export type Site = SiteLimits &
  ReaderSettings & {
    id: string;
    tenantId: string;
    name: string;
    url: string;
    pausedAt: Date | null;
    onUncertain: "resend" | "skip";
    /** The number of seconds after a send within which 90 % of its displays should come. Null if there is no goal. */
    screenGoalSeconds: number | null;
    /** The rules that the site has set for its classes of campaigns. `classRulesOf` adds the defaults. */
    classes: Partial<Record<CampaignClass, ClassRule>>;
    vapidPublicKey: Buffer;
  };

export const newSite = z.object({
  name: z
    .string()
    .trim()
    .min(1, zodText(faults.empty()))
    .max(200, zodText(faults.too_long({ most: 200 }))),
  /** http is allowed for development on the operator's own machine. */
  url: z
    .url({ protocol: /^https?$/, error: zodText(faults.not_http()) })
    .max(2_048, zodText(faults.too_long({ most: 2_048 }))),
  /**
   * The key pair that the site's readers have subscribed to at another push service. By default a new pair is
   * generated.
   */
  vapidPair: vapidText.optional(),
});

/** A time of day, `HH:MM`. */
export const timeOfDay = z
  .string(expects("a time of day such as 22:00"))
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, zodText(faults.not_a_time_of_day()));

/** The quiet hours of a site or of a reader. */
export const quietHours = z
  .strictObject({ from: timeOfDay, until: timeOfDay }, zodText(faults.from_and_until_needed()))
  .refine(({ from, until }) => from !== until, zodText(faults.same_times()));

/** The changeable fields of a site. An absent field stays as it is. Null removes a limit. */
export const siteChange = z.strictObject({
  name: newSite.shape.name.optional(),
  paused: flag.optional(),
  timeZone: z
    .string(expects("the name of a time zone"))
    .refine(isTimeZone, zodText(faults.not_a_time_zone({ example: "Europe/Berlin" })))
    .optional(),
  onUncertain: oneOf(["resend", "skip"]).optional(),
  screenGoalSeconds: wholeNumber(1, 86_400).nullish(),
  freshnessHours: wholeNumber(1, 8_760).optional(),
  dailyLimit: wholeNumber(1, 1_000).nullish(),
  minGapMinutes: wholeNumber(1, 10_080).nullish(),
  quietHours: quietHours.nullish(),
  undatedStories: oneOf(["send", "ask", "skip"]).optional(),
  classes: classesChange.optional(),
  ...readerSettingsChange,
});

export type SiteChange = z.output<typeof siteChange>;
