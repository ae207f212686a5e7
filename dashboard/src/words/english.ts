import { account } from "./en/account.ts";
import { agreement } from "./en/agreement.ts";
import { api } from "./en/api.ts";
import { audit } from "./en/audit.ts";
import { calendar } from "./en/calendar.ts";
import { campaign } from "./en/campaign.ts";
import { campaigns } from "./en/campaigns.ts";
import { components } from "./en/components.ts";
import { compose } from "./en/compose.ts";
import { faults } from "./en/faults.ts";
import { feeds } from "./en/feeds.ts";
import { integrations } from "./en/integrations.ts";
import { layout } from "./en/layout.ts";
import { members } from "./en/members.ts";
import { overview } from "./en/overview.ts";
import { pages } from "./en/pages.ts";
import { palette } from "./en/palette.ts";
import { prompts } from "./en/prompts.ts";
import { refusals } from "./en/refusals.ts";
import { said } from "./en/said.ts";
import { settings } from "./en/settings.ts";
import { signedOut } from "./en/signed-out.ts";
import { subscribers } from "./en/subscribers.ts";

/** All English words, only for types and tests. A page loads only the folders that it needs. */
export const english = {
  account,
  agreement,
  api,
  audit,
  calendar,
  campaign,
  campaigns,
  components,
  compose,
  faults,
  feeds,
  integrations,
  layout,
  members,
  overview,
  pages,
  palette,
  prompts,
  refusals,
  said,
  settings,
  signedOut,
  subscribers,
};
