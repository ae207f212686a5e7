import { useContext } from "react";
import { CurrentSiteContext } from "../layout/session.tsx";
import { dayIn, momentIn } from "./times.tsx";
import { type Sentence, translated } from "./translated.ts";

/** Returns a sentence of the service in the language of the page, with its moments in the time zone `timeZone`. */
export function inZone(sentence: Sentence, timeZone: string): string {
  return translated(sentence, (time) => (time.includes("T") ? momentIn(timeZone, time) : dayIn("UTC", time)));
}

/** A sentence of the service, with its moments in the site's time zone. On pages without a site, in the browser's. */
export function Said({ of }: { of: Sentence }) {
  const timeZone = useContext(CurrentSiteContext)?.site.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return inZone(of, timeZone);
}
