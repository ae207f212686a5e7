import { routes } from "../route.ts";
import { previewContent } from "./preview-content.ts";

export const decisionRoutes = routes([
  {
    method: "POST",
    path: "/v1/content/preview",
    access: "key",
    needsRecentSignIn: false,
    scope: "preview",
    body: "json",
    readsPage: () => true,
    async answer(app, { actor, body }) {
      return { status: 200, body: await previewContent(app, actor, { body }) };
    },
  },
]);
