import { Chip, Group, MultiSelect, Stack, Text } from "@mantine/core";
import type { OtherSite, Site } from "../api/calls.ts";
import { AddressInput } from "../components/address-input.tsx";
import { people } from "../components/numbers.ts";
import { words } from "../words/words.ts";
import type { Draft } from "./draft.ts";
import { useOtherSites, useSizes } from "./other-sites.ts";

/** The most sites that are shown at once. If there are more, a person searches for names. */
const shownSites = 12;
/** The most other sites of a draft. Together with its own site, they are as many as the service takes. */
const mostOthers = 19;

type AlsoToProps = { draft: Draft; write: (change: Partial<Draft>) => void };

/** The choice of other sites of the publisher for a draft. Shows nothing if the publisher has only one site. */
export function AlsoTo({ draft, write }: AlsoToProps) {
  const sites = useOtherSites();
  const { alsoTo = [] } = draft;
  if (sites.length === 0) return null;
  const choose = (chosen: string[]) => {
    const kept = chosen.map((siteId) => alsoTo.find((site) => site.siteId === siteId) ?? { siteId, url: "" });
    write({ alsoTo: kept.length === 0 ? undefined : kept });
  };
  const value = alsoTo.map(({ siteId }) => siteId);
  return (
    <Stack gap="sm">
      {sites.length > shownSites ? (
        <MultiSelect
          label={words.compose.alsoTo}
          data={sites.map((site) => ({ value: site.siteId, label: nameOf(site) }))}
          value={value}
          onChange={choose}
          maxValues={mostOthers}
          limit={shownSites}
          clearable
          searchable
        />
      ) : (
        <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
          <Text component="legend" size="sm" fw={500} mb={8}>
            {words.compose.alsoTo}
          </Text>
          <Group gap={8}>
            <Chip.Group multiple value={value} onChange={choose}>
              {sites.map((site) => (
                <Chip key={site.siteId} value={site.siteId}>
                  {nameOf(site)}
                </Chip>
              ))}
            </Chip.Group>
          </Group>
        </fieldset>
      )}
      {alsoTo.length > 0 && <Addresses draft={draft} write={write} sites={sites} />}
    </Stack>
  );
}

const nameOf = ({ name, paused }: Site) => (paused ? words.compose.siteIsPaused({ site: name }) : name);

/** The audience at each site, and the address of the story there. */
function Addresses({ draft, write, sites }: AlsoToProps & { sites: Site[] }) {
  const { alsoTo = [], url } = draft;
  const sizes = useSizes(draft);
  const writeUrl = (at: OtherSite, to: string) =>
    write({ alsoTo: alsoTo.map((site) => (site === at ? { ...site, url: to } : site)) });
  return (
    <>
      {alsoTo.map((at) => {
        const site = sites.find(({ siteId }) => siteId === at.siteId);
        const size = sizes.find(({ siteId }) => siteId === at.siteId)?.size;
        if (site === undefined) return null;
        return (
          <AddressInput
            key={at.siteId}
            label={words.compose.addressAt({ site: site.name })}
            description={
              size === undefined ? "…" : words.compose.siteAddressHint({ people: people(size.audience, size.exact) })
            }
            placeholder={url || "https://"}
            value={at.url}
            write={(to) => writeUrl(at, to)}
          />
        );
      })}
      <Text size="sm" c="dimmed">
        {words.compose.otherSitesHint} {words.compose.scheduleSitesHint}
      </Text>
    </>
  );
}
