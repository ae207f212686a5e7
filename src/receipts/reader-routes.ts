import type { App } from "../app.ts";
import { type PublicRoute, readersRoutes, type Visit, type VisitReply } from "../route.ts";
import { readMessageToken } from "../runs/message-token.ts";
import { unsubscribe } from "../subscribers/unsubscribe.ts";
import { addressOfRun } from "./queries.ts";
import type { ReceiptBuffer } from "./receipt-buffer.ts";
import { recordEvents } from "./record-events.ts";
import type { SiteCounter } from "./site-counts.ts";

const invalidLinkPage = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Link not valid</title><p>This link is not valid or no longer leads anywhere.</p></html>\n`;

/**
 * Returns the public routes that record receipts: events, unsubscribes, clicks through this service, and page counts.
 */
export function receiptReaderRoutes(receipts: ReceiptBuffer, counter: SiteCounter): PublicRoute[] {
  return readersRoutes([
    {
      method: "POST",
      path: "/sdk/sites/:siteId/counts",
      access: "public",
      limit: "beacon",
      async answer(_app, { params, body }) {
        counter.record(params.siteId, body);
        return { status: 204 };
      },
    },
    {
      method: "POST",
      path: "/sdk/events",
      access: "public",
      limit: "beacon",
      async answer(_app, visit) {
        recordEvents(receipts, { body: visit.body, origin: visit.origin, isAndroid: isAndroid(visit) });
        return { status: 204 };
      },
    },
    {
      method: "POST",
      path: "/sdk/sites/:siteId/unsubscribe",
      access: "public",
      limit: "write",
      ofRemovedSite: true,
      async answer(app, { params, body }) {
        const siteId = params.siteId;
        const { hasLeft, token } = await unsubscribe(app, { siteId, body });
        if (hasLeft && token !== undefined) receipts.record(token, "unsubscribed", { siteId });
        return { status: 204 };
      },
    },
    {
      method: "GET",
      path: "/sdk/click/:token",
      access: "public",
      limit: "file",
      answer: (app, visit) => followClick(app, receipts, visit),
    },
  ]);
}

/** Returns whether the user agent names Android. Nothing else of the header is read, and nothing is stored. */
function isAndroid(visit: Visit): boolean {
  return /\bAndroid\b/.test(visit.header("user-agent"));
}

/**
 * Redirects a reader to the article of the run, or to the address of a button. The button's number follows the token.
 * The address is never taken from the request, which would make this an open redirect.
 */
async function followClick(app: App, receipts: ReceiptBuffer, visit: Visit<{ token: string }>): Promise<VisitReply> {
  const [, token = "", button] = /^([\w-]{43})([12]?)$/.exec(visit.params.token) ?? [];
  const message = readMessageToken(app.secrets.tokenKeys, token);
  const article = message && (await addressOfRun(app.db, message.runId, button ? Number(button) : undefined));
  if (article === undefined) {
    return { status: 404, body: invalidLinkPage, headers: { "content-type": "text/html; charset=utf-8" } };
  }
  const source = { origin: undefined, isAndroid: isAndroid(visit) };
  receipts.record(token, "clicked", source);
  if (button) receipts.record(token, button === "1" ? "action1" : "action2", source);
  return { status: 302, headers: { location: new URL(article).href } };
}
