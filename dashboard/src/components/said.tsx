import { useContext } from "react";
import type { Said as Sentence } from "../../../src/messages.ts";
import { CurrentSiteContext } from "../layout/session.tsx";
import { dayIn, momentIn } from "./times.tsx";
import { translated } from "./translated.ts";

/** Formats a day or a moment in ISO 8601 in a time zone. */
export function timeIn(timeZone: string, time: string): string {
  return time.includes("T") ? momentIn(timeZone, time) : dayIn("UTC", time);
}

/** Returns a message of the service in the language of the page, with its moments in the time zone `timeZone`. */
export function inZone(sentence: Sentence, timeZone: string): string {
  return translated(sentence, (time) => timeIn(timeZone, time));
}

/** A message of the service, with its moments in the site's time zone. On pages without a site, in the browser's. */
export function Said({ of }: { of: Sentence }) {
  const timeZone = useContext(CurrentSiteContext)?.site.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return inZone(of, timeZone);
}
