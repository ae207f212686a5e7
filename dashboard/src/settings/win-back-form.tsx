import { Box, NativeSelect, SimpleGrid, Stack, Switch, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { WinBack } from "../../../src/automations/win-back/win-back.ts";
import { countSegment } from "../api/segment-calls.ts";
import { changeWinBack, type WinBackInput, winBack, winBackFigures } from "../api/win-back-calls.ts";
import { faultIn } from "../components/form-error.tsx";
import { people } from "../components/numbers.ts";
import { Loaded } from "../components/states.tsx";
import { WholeNumber } from "../components/whole-number.tsx";
import { Previews } from "../compose/previews.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { AutomationFiguresTable } from "./automation-figures.tsx";
import { NudgeFields } from "./nudge-fields.tsx";
import { SettingsForm } from "./site-form.tsx";
import { useEdits } from "./use-edits.ts";

/** The win-back: what readers get who were not seen for long, and what happens to readers who do not come back. */
export function WinBackSettings() {
  const { tenantId, siteId } = useCurrentSite();
  const query = useQuery({ queryKey: ["win-back", siteId], queryFn: () => winBack(tenantId, siteId) });
  return <Loaded of={query}>{(saved) => <WinBackForm saved={saved} />}</Loaded>;
}

function WinBackForm({ saved }: { saved: WinBack }) {
  const { tenantId, siteId, site, canEdit } = useCurrentSite();
  const { input, write, snapshot } = useEdits<WinBackInput>(saved);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (change: WinBackInput) => changeWinBack(tenantId, siteId, change),
    async onSuccess() {
      await queries.invalidateQueries();
      notifications.show({ color: "green", message: words.settings.saved });
    },
  });
  const { heading, lead, switchedOn } = words.settings.winBack;
  const { enabled, title, body, url, imageUrl } = input;
  return (
    <SettingsForm
      title={heading}
      lead={lead}
      fields={["afterDays", "title", "body", "url", "imageUrl", "afterwards"]}
      save={save}
      snapshot={snapshot}
      change={() => input}
    >
      <Switch
        label={switchedOn}
        disabled={!canEdit}
        checked={enabled}
        onChange={(event) => write({ enabled: event.currentTarget.checked, url: url || site.url })}
      />
      {(enabled || title !== "") && (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Stack gap="sm">
            <Conditions input={input} write={write} error={save.error} />
            <NudgeFields
              nudge={{ title, body, url, imageUrl }}
              write={write}
              faultOf={(field) => faultIn(save.error, field)}
            />
          </Stack>
          <Box pos={{ base: "static", md: "sticky" }} top={24} style={{ alignSelf: "start" }}>
            <Previews nudge={{ title, body, imageUrl: imageUrl ?? "" }} siteName={site.name} siteUrl={site.url} />
          </Box>
        </SimpleGrid>
      )}
      <Figures removes={saved.afterwards === "remove"} />
    </SettingsForm>
  );
}

type ConditionsProps = { input: WinBackInput; write: (change: Partial<WinBackInput>) => void; error: unknown };

function Conditions({ input, write, error }: ConditionsProps) {
  const { canEdit } = useCurrentSite();
  const { days, daysAre, afterwards, keep, remove, removedAre } = words.settings.winBack;
  return (
    <>
      <WholeNumber
        label={days}
        description={daysAre}
        disabled={!canEdit}
        value={input.afterDays}
        write={(afterDays) => write({ afterDays })}
        error={faultIn(error, "afterDays")}
      />
      <ReadersAway days={input.afterDays} />
      <NativeSelect
        label={afterwards}
        description={removedAre}
        disabled={!canEdit}
        data={[
          { value: "keep", label: keep },
          { value: "remove", label: remove },
        ]}
        value={input.afterwards}
        onChange={(event) => write({ afterwards: event.currentTarget.value as WinBack["afterwards"] })}
        error={faultIn(error, "afterwards")}
      />
    </>
  );
}

/** The number of readers who were not seen for this many days. */
function ReadersAway({ days }: { days: number | null }) {
  const { tenantId, siteId, canEdit } = useCurrentSite();
  const [notSeenForDays] = useDebouncedValue(days, 500);
  const counted = useQuery({
    queryKey: ["win-back-readers", siteId, notSeenForDays],
    queryFn: () => countSegment(tenantId, siteId, { notSeenForDays: notSeenForDays! }),
    enabled: canEdit && Number.isInteger(notSeenForDays) && notSeenForDays! > 0,
    retry: false,
  });
  if (counted.data === undefined) return null;
  return (
    <Text size="sm" c="dimmed" role="status">
      {words.settings.winBack.away({ readers: people(counted.data.readers, counted.data.exact) })}
    </Text>
  );
}

function Figures({ removes }: { removes: boolean }) {
  const { tenantId, siteId } = useCurrentSite();
  const { data } = useQuery({
    queryKey: ["win-back-figures", siteId],
    queryFn: () => winBackFigures(tenantId, siteId),
  });
  if (data === undefined || (data.accepted === 0 && data.removed === 0)) return null;
  const { removed, ...figures } = data;
  const line = { name: words.settings.winBack.heading, ...figures };
  return <AutomationFiguresTable lines={[removes || removed > 0 ? { ...line, removed } : line]} />;
}
