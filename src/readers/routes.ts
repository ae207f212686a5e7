import { readersRoutes } from "../route.ts";
import { readReaderData } from "./own-data.ts";
import { changePreferences } from "./preferences.ts";

export const readerRoutes = readersRoutes([
  {
    method: "POST",
    path: "/sdk/sites/:siteId/preferences",
    access: "public",
    limit: "write",
    ofRemovedSite: true,
    async answer(app, { params, body }) {
      return { status: 200, body: await changePreferences(app, { siteId: params.siteId, body }) };
    },
  },
  {
    method: "POST",
    path: "/sdk/sites/:siteId/data",
    access: "public",
    limit: "write",
    ofRemovedSite: true,
    async answer(app, { params, body }) {
      return { status: 200, body: await readReaderData(app, { siteId: params.siteId, body }) };
    },
  },
]);
