import { memberOf } from "../../actor.ts";
import { routes } from "../../route.ts";
import { createPasswordLink } from "../accounts/password-links.ts";
import { deleteInvitation, inviteMember } from "./invitations.ts";
import { changeMember, deleteMember, listMembers } from "./members.ts";

const root = "/dashboard/api/tenants/:tenantId";

/** Routes for the members and invitations of a tenant, for the dashboard only. */
export const memberRoutes = routes([
  {
    method: "GET",
    path: `${root}/members`,
    access: "viewer",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, { actor }) {
      return { status: 200, body: await listMembers(app, actor) };
    },
  },
  {
    method: "PATCH",
    path: `${root}/members/:userId`,
    access: "owner",
    needsRecentSignIn: true,
    body: "json",
    async answer(app, { actor, params, body }) {
      await changeMember(app, actor, { userId: params.userId, body });
      return { status: 204 };
    },
  },
  {
    method: "DELETE",
    path: `${root}/members/:userId`,
    access: "owner",
    needsRecentSignIn: true,
    body: "none",
    async answer(app, { actor, params }) {
      await deleteMember(app, actor, { userId: params.userId });
      return { status: 204 };
    },
  },
  {
    method: "POST",
    path: `${root}/members/:userId/password-link`,
    access: "owner",
    needsRecentSignIn: true,
    body: "none",
    async answer(app, call) {
      return { status: 201, body: await createPasswordLink(app, memberOf(call), { userId: call.params.userId }) };
    },
  },
  {
    method: "POST",
    path: `${root}/invitations`,
    access: "owner",
    needsRecentSignIn: true,
    body: "json",
    async answer(app, call) {
      return { status: 201, body: await inviteMember(app, memberOf(call), { body: call.body }) };
    },
  },
  {
    method: "DELETE",
    path: `${root}/invitations/:invitationId`,
    access: "owner",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, { actor, params }) {
      await deleteInvitation(app, actor, { invitationId: params.invitationId });
      return { status: 204 };
    },
  },
]);
