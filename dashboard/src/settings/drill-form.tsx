import { NativeSelect, SimpleGrid } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Drill } from "../../../src/automations/drill/drill.ts";
import { changeDrill, type DrillInput, drill } from "../api/drill-calls.ts";
import { faultIn } from "../components/form-error.tsx";
import { Loaded } from "../components/states.tsx";
import { WholeNumber } from "../components/whole-number.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { LastDrill } from "./last-drill.tsx";
import { SettingsForm } from "./site-form.tsx";
import { useEdits } from "./use-edits.ts";

const lookEveryMs = 1_000;

/**
 * The fire drill of the site: the test device that gets it, how often, and the result of the last one. Owners change
 * it.
 */
export function DrillSettings() {
  const { tenantId, siteId } = useCurrentSite();
  const query = useQuery({
    queryKey: ["drill", siteId],
    queryFn: () => drill(tenantId, siteId),
    refetchInterval: ({ state }) => (state.data?.last?.endedAt === null ? lookEveryMs : false),
  });
  return <Loaded of={query}>{(saved) => <DrillForm saved={saved} />}</Loaded>;
}

function DrillForm({ saved }: { saved: Drill }) {
  const { tenantId, siteId, isOwner } = useCurrentSite();
  const { canaryId, everyMinutes } = saved;
  const { input, write, snapshot } = useEdits<DrillInput>({ canaryId, everyMinutes });
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (change: DrillInput) => changeDrill(tenantId, siteId, change),
    async onSuccess() {
      notifications.show({ color: "green", message: words.settings.saved });
      await queries.invalidateQueries();
    },
  });
  const { heading, lead, onlyOwners, canary, canaryIs, every, everyIs } = words.settings.drill;
  return (
    <SettingsForm
      title={heading}
      lead={isOwner ? lead : `${lead} ${onlyOwners}`}
      fields={["canaryId", "everyMinutes"]}
      save={save}
      snapshot={snapshot}
      change={() => input}
      canSave={isOwner}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NativeSelect
          label={canary}
          description={canaryIs}
          disabled={!isOwner}
          data={choicesOf(saved)}
          value={input.canaryId ?? ""}
          onChange={(event) => write({ canaryId: event.currentTarget.value || null })}
          error={faultIn(save.error, "canaryId")}
        />
        <WholeNumber
          label={every}
          description={everyIs}
          disabled={!isOwner}
          value={input.everyMinutes}
          write={(minutes) => write({ everyMinutes: minutes })}
          error={faultIn(save.error, "everyMinutes")}
        />
      </SimpleGrid>
      <LastDrill drill={saved} />
    </SettingsForm>
  );
}

function choicesOf({ canaryId, testDevices }: Drill) {
  const { none, hasLeft } = words.settings.drill;
  const devices = testDevices.map(({ deviceId, label }) => ({ value: deviceId, label: label ?? deviceId }));
  const isThere = canaryId === null || testDevices.some(({ deviceId }) => deviceId === canaryId);
  return [{ value: "", label: none }, ...(isThere ? [] : [{ value: canaryId, label: hasLeft }]), ...devices];
}
