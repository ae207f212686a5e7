import {
  beginSecondFactor,
  confirmSecondFactor,
  readSecondFactor,
  removeSecondFactor,
} from "../access/second-factor/second-factor.ts";
import type { AccountRoute } from "./account-route.ts";

const path = "/dashboard/api/auth/second-factor";

/** The routes of the second factor of one's own account. */
export const secondFactorRoutes: AccountRoute[] = [
  {
    method: "GET",
    path,
    needsRecentSignIn: false,
    body: "none",
    async answer(app, sessions, caller) {
      return { body: await readSecondFactor(app, sessions, caller) };
    },
  },
  {
    method: "POST",
    path: `${path}/begin`,
    needsRecentSignIn: true,
    body: "none",
    async answer(app, sessions, caller) {
      return { body: await beginSecondFactor(app, sessions, caller) };
    },
  },
  {
    method: "POST",
    path: `${path}/confirm`,
    needsRecentSignIn: true,
    body: "json",
    async answer(app, sessions, caller, input) {
      return { body: await confirmSecondFactor(app, sessions, caller, input) };
    },
  },
  {
    method: "POST",
    path: `${path}/remove`,
    needsRecentSignIn: true,
    body: "none",
    async answer(app, sessions, caller) {
      await removeSecondFactor(app, sessions, caller);
      return { body: {} };
    },
  },
];
