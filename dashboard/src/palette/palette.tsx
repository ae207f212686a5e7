import "@mantine/spotlight/styles.css";
import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { use, useEffect, useState } from "react";
import { campaigns } from "../api/calls.ts";
import { Icon, type IconName } from "../components/icon.tsx";
import { CurrentSiteContext, useStart } from "../layout/session.tsx";
import { sitePagesOf } from "../layout/site-pages.ts";
import { words } from "../words/words.ts";

type Action = { id: string; label: string; icon: IconName; description?: string; run: () => void };

const [store, { open }] = createSpotlight();

/** Finds a page, an action, another site or a notification by a part of its name. */
// biome-ignore lint/style/noDefaultExport: React's lazy takes the default export
export default function Palette({ onClose, onShowList }: { onClose: () => void; onShowList: () => void }) {
  const [query, setQuery] = useState("");
  useEffect(open, []);
  const actions = useActions(onShowList).filter(({ label }) =>
    label.toLowerCase().includes(query.trim().toLowerCase()),
  );
  const nudges = useNudges(query);
  const all = [...actions, ...nudges];
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      scrollable
      maxHeight={440}
    >
      <Spotlight.Search
        placeholder={words.palette.searchPlaceholder}
        aria-label={words.palette.searchPlaceholder}
        leftSection={<Icon name="search" />}
      />
      <Spotlight.ActionsList>
        {all.map(({ id, label, icon, description, run }) => (
          <Spotlight.Action
            key={id}
            label={label}
            {...(description === undefined ? {} : { description })}
            leftSection={<Icon name={icon} />}
            onClick={run}
          />
        ))}
        {all.length === 0 && <Spotlight.Empty>{words.palette.nothingFound}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function useActions(onShowList: () => void): Action[] {
  const navigate = useNavigate();
  const currentSite = use(CurrentSiteContext);
  const { data } = useStart();
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme("light") === "light" ? "dark" : "light";
  const scheme: Action = {
    id: "scheme",
    label: other === "dark" ? words.palette.darkColours : words.palette.lightColours,
    icon: other === "dark" ? "moon" : "sun",
    run: () => setColorScheme(other),
  };
  const others: Action[] = [
    { id: "account", label: words.palette.yourAccount, icon: "key", run: () => void navigate({ to: "/account" }) },
    scheme,
    // The list opens after the palette has closed, because two dialogs at once would compete for the focus.
    { id: "list", label: words.palette.keyboardShortcuts, icon: "info", run: () => setTimeout(onShowList) },
  ];
  if (currentSite === null) return others;
  const params = { siteId: currentSite.siteId };
  const sites = (data?.tenants ?? [])
    .flatMap((tenant) => tenant.sites)
    .filter(({ siteId }) => siteId !== params.siteId);
  return [
    ...(currentSite.canEdit
      ? [
          {
            id: "compose",
            label: words.palette.compose,
            icon: "compose" as const,
            run: () => void navigate({ to: "/sites/$siteId/compose", params }),
          },
        ]
      : []),
    ...sitePagesOf(currentSite).map(({ to, name, icon }) => ({
      id: to,
      label: words.layout[name],
      icon,
      run: () => void navigate({ to, params }),
    })),
    {
      id: "screen",
      label: words.palette.newsroomScreen,
      icon: "screen",
      run: () => void navigate({ to: "/sites/$siteId/screen", params }),
    },
    ...sites.map(({ siteId, name }) => ({
      id: siteId,
      label: name,
      description: words.palette.anotherSite,
      icon: "tag" as const,
      run: () => void navigate({ to: "/sites/$siteId", params: { siteId } }),
    })),
    ...others,
  ];
}

/** Returns the newest notifications of the site whose title or address contains the typed text. */
function useNudges(query: string): Action[] {
  const navigate = useNavigate();
  const currentSite = use(CurrentSiteContext);
  const { tenantId = "", siteId = "" } = currentSite ?? {};
  const [search] = useDebouncedValue(query.trim(), 200);
  const { data } = useQuery({
    queryKey: ["campaigns", siteId, "palette", search],
    queryFn: () => campaigns(tenantId, { siteId, limit: "8", ...(search === "" ? {} : { search }) }),
    enabled: siteId !== "",
  });
  return (data?.data ?? []).map(({ campaignId, title, status }) => ({
    id: campaignId,
    label: title ?? words.palette.aStoryWithoutATitle,
    icon: "bell" as const,
    description: words.components.statuses[status],
    run: () => void navigate({ to: "/sites/$siteId/campaigns/$campaignId", params: { siteId, campaignId } }),
  }));
}
