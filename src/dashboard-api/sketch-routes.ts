import type { Actor } from "../actor.ts";
import { appError } from "../errors.ts";
import type { Call, Route } from "../route.ts";
import { deleteSketch, listSketches, saveSketch } from "./sketches.ts";

const root = "/dashboard/api/tenants/:tenantId/sites/:siteId/sketches";

/** The member who calls: a sketch belongs to a person. Throws `forbidden`. */
function memberOf({ actor }: Call): Extract<Actor, { kind: "user" }> {
  if (actor.kind !== "user") throw appError("forbidden");
  return actor;
}

const inputOf = ({ params, body }: Call) => ({ siteId: params.siteId!, sketchId: params.sketchId!, body });

/** The routes of what members have typed and not sent. */
export const sketchRoutes: Route[] = [
  {
    method: "GET",
    path: root,
    access: "editor",
    body: "none",
    async answer(app, call) {
      return { status: 200, body: await listSketches(app, memberOf(call), inputOf(call)) };
    },
  },
  {
    method: "POST",
    path: `${root}/:sketchId`,
    access: "editor",
    body: "json",
    async answer(app, call) {
      return { status: 200, body: await saveSketch(app, memberOf(call), inputOf(call)) };
    },
  },
  {
    method: "DELETE",
    path: `${root}/:sketchId`,
    access: "editor",
    body: "none",
    async answer(app, call) {
      await deleteSketch(app, memberOf(call), inputOf(call));
      return { status: 204 };
    },
  },
];
