import type { Provider } from "../access/provider/provider.ts";
import { beginByProvider, completeByProvider } from "../access/provider/sign-in-by-provider.ts";
import type { AccountRoute } from "./account-route.ts";

const path = "/dashboard/api/auth/provider";

/** Returns the routes of the sign-in by the OpenID Connect provider; none if no provider is set. */
export function providerRoutes(provider: Provider | undefined): AccountRoute[] {
  if (provider === undefined) return [];
  return [
    {
      method: "POST",
      path: `${path}/begin`,
      needsRecentSignIn: false,
      body: "json",
      async answer(app, sessions, caller, { body }) {
        const { url, setCookies } = await beginByProvider(app, provider, sessions, { caller, body });
        return { body: { url }, setCookies };
      },
    },
    {
      method: "GET",
      path: `${path}/callback`,
      needsRecentSignIn: false,
      body: "none",
      async answer(app, sessions, caller, { search }) {
        const { location, setCookies } = await completeByProvider(app, provider, sessions, { caller, search });
        return { status: 303, body: {}, setCookies, location };
      },
    },
  ];
}
