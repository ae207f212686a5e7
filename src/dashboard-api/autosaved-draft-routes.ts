import { memberOf } from "../actor.ts";
import { type Call, routes } from "../route.ts";
import { deleteAutosavedDraft, listAutosavedDrafts, saveAutosavedDraft } from "./autosaved-drafts.ts";

const root = "/dashboard/api/tenants/:tenantId/sites/:siteId/autosaved-drafts";

const inputOf = ({ params, body }: Call<{ siteId: string; autosavedDraftId: string }>) => ({
  siteId: params.siteId,
  autosavedDraftId: params.autosavedDraftId,
  body,
});

/** The routes of autosaved drafts: texts that members have typed and not sent. */
export const autosavedDraftRoutes = routes([
  {
    method: "GET",
    path: root,
    access: "editor",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, call) {
      return { status: 200, body: await listAutosavedDrafts(app, memberOf(call), { siteId: call.params.siteId }) };
    },
  },
  {
    method: "POST",
    path: `${root}/:autosavedDraftId`,
    access: "editor",
    needsRecentSignIn: false,
    body: "json",
    async answer(app, call) {
      return { status: 200, body: await saveAutosavedDraft(app, memberOf(call), inputOf(call)) };
    },
  },
  {
    method: "DELETE",
    path: `${root}/:autosavedDraftId`,
    access: "editor",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, call) {
      await deleteAutosavedDraft(app, memberOf(call), inputOf(call));
      return { status: 204 };
    },
  },
]);
