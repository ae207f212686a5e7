import { useContext } from "react";
import { CurrentSiteContext } from "../layout/session.tsx";
import { dayIn, momentIn } from "./times.tsx";
import { translated } from "./translated.ts";

/** Matches a day or a moment in ISO 8601, but not one that is part of an address. */
const iso = /(?<![\w/.=-])\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?(?![\w/-])/g;

/** Returns a sentence of the service, translated and with its moments in the time zone `timeZone`. */
export function inZone(sentence: string, timeZone: string): string {
  return translated(sentence).replace(iso, (found, time) =>
    Number.isNaN(Date.parse(found)) ? found : time === undefined ? dayIn("UTC", found) : momentIn(timeZone, found),
  );
}

/** A sentence of the service, with its moments in the site's time zone. On pages without a site, in the browser's. */
export function Said({ children }: { children: string }) {
  const timeZone = useContext(CurrentSiteContext)?.site.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return inZone(children, timeZone);
}
