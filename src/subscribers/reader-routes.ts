import { readersRoutes } from "../route.ts";
import { eraseSubscriber } from "./erase-subscriber.ts";
import { registerSubscriber } from "./register-subscriber.ts";

export const subscriberReaderRoutes = readersRoutes([
  {
    method: "POST",
    path: "/sdk/sites/:siteId/subscriptions",
    access: "public",
    limit: "write",
    async answer(app, { params, body, address }) {
      const { isNew, ...registered } = await registerSubscriber(app, { siteId: params.siteId, address, body });
      return { status: isNew ? 201 : 200, body: registered };
    },
  },
  {
    method: "POST",
    path: "/sdk/sites/:siteId/erasure",
    access: "public",
    limit: "write",
    ofRemovedSite: true,
    async answer(app, { params, body }) {
      await eraseSubscriber(app, { siteId: params.siteId, body });
      return { status: 204 };
    },
  },
]);
