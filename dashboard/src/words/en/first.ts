import { agreement } from "./agreement.ts";
import { api } from "./api.ts";
import { components } from "./components.ts";
import { signedOut } from "./signed-out.ts";

/** What is loaded before the sign-in. */
export const first = { agreement, api, components, signedOut };
