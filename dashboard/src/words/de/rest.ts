import { account } from "./account.ts";
import { audit } from "./audit.ts";
import { calendar } from "./calendar.ts";
import { campaign } from "./campaign.ts";
import { compose } from "./compose.ts";
import { feeds } from "./feeds.ts";
import { integrations } from "./integrations.ts";
import { layout } from "./layout.ts";
import { members } from "./members.ts";
import { overview } from "./overview.ts";
import { pages } from "./pages.ts";
import { palette } from "./palette.ts";
import { said } from "./said.ts";
import { settings } from "./settings.ts";
import { subscribers } from "./subscribers.ts";

/** What is loaded after the sign-in. */
export const rest = {
  ...{ account, audit, calendar, campaign, compose, feeds, integrations },
  ...{ layout, members, overview, pages, palette, said, settings, subscribers },
};
