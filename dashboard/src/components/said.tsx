import { useContext } from "react";
import { CurrentSiteContext } from "../layout/session.tsx";
import { dayIn, momentIn } from "./times.tsx";
import { translated } from "./translated.ts";

/** A day or a moment of ISO 8601, but not a part of an address. */
const iso = /(?<![\w/.=-])\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?(?![\w/-])/g;

/** Returns a sentence of the service with its moments as the clocks of `timeZone` show them. */
export function inZone(sentence: string, timeZone: string): string {
  return translated(sentence).replace(iso, (found, time) =>
    Number.isNaN(Date.parse(found)) ? found : time === undefined ? dayIn("UTC", found) : momentIn(timeZone, found),
  );
}

/** A sentence of the service, with moments in the time zone of the site; of the browser where there is no site. */
export function Said({ children }: { children: string }) {
  const timeZone = useContext(CurrentSiteContext)?.site.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return inZone(children, timeZone);
}
