import type { App } from "../app.ts";
import type { PublicRoute, VisitReply } from "../route.ts";
import { readMessageToken } from "../runs/message-token.ts";
import { unsubscribe } from "../subscribers/unsubscribe.ts";
import { articleOfRun } from "./queries.ts";
import type { Receipts } from "./receipt-buffer.ts";
import { recordEvents } from "./record-events.ts";

const deadLink = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Link not valid</title><p>This link is not valid or no longer leads anywhere.</p></html>\n`;

/** What readers do, noted in `receipts`. */
export function receiptReaderRoutes(receipts: Receipts): PublicRoute[] {
  return [
    {
      method: "POST",
      path: "/sdk/events",
      access: "public",
      limit: "beacon",
      async answer(_app, { body, origin }) {
        recordEvents(receipts, { body, origin });
        return { status: 204 };
      },
    },
    {
      method: "POST",
      path: "/sdk/sites/:siteId/unsubscribe",
      access: "public",
      limit: "write",
      async answer(app, { params, body }) {
        const siteId = params.siteId!;
        const { hasLeft, token } = await unsubscribe(app, { siteId, body });
        if (hasLeft && token !== undefined) receipts.note(token, "unsubscribed", { siteId });
        return { status: 204 };
      },
    },
    {
      method: "GET",
      path: "/sdk/click/:token",
      access: "public",
      limit: "file",
      answer: (app, { params }) => followClick(app, receipts, params.token!),
    },
  ];
}

/** Leads a reader on to the run's own article, and nowhere else: an address of the caller's would be an open redirect. */
async function followClick(app: App, receipts: Receipts, token: string): Promise<VisitReply> {
  const place = readMessageToken(app.secrets.tokenKey, token);
  const article = place && (await articleOfRun(app.db, place.runId));
  if (article === undefined) {
    return { status: 404, body: deadLink, headers: { "content-type": "text/html; charset=utf-8" } };
  }
  receipts.note(token, "clicked", { origin: undefined });
  return { status: 302, headers: { location: new URL(article).href } };
}
