import { Group, NativeSelect, SimpleGrid, Stack, Switch, TextInput } from "@mantine/core";
import type { SiteSettings } from "../api/calls.ts";
import { faultIn } from "../components/form-error.tsx";
import { TimeZoneSelect } from "../components/time-zone-select.tsx";
import { WholeNumber } from "../components/whole-number.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { SettingsForm, useSaveSite } from "./site-form.tsx";
import { useEdits } from "./use-edits.ts";

const fields = ["timeZone", "freshnessHours", "dailyLimit", "minGapMinutes", "quietHours", "undatedStories"] as const;
type Limits = Pick<SiteSettings, (typeof fields)[number]>;
const defaultQuietHours = { from: "22:00", until: "07:00" };

/** The limits of the content decision. An empty field means no limit. */
export function SiteLimits({ settings }: { settings: SiteSettings }) {
  const { canEdit } = useCurrentSite();
  const { timeZone, freshnessHours, dailyLimit, minGapMinutes, quietHours, undatedStories } = settings;
  const saved: Limits = { timeZone, freshnessHours, dailyLimit, minGapMinutes, quietHours, undatedStories };
  const { input: limits, write: set, snapshot } = useEdits(saved);
  const save = useSaveSite();
  return (
    <SettingsForm
      title={words.settings.limitsTitle}
      lead={words.settings.limitsLead}
      fields={[...fields]}
      save={save}
      snapshot={snapshot}
      change={() => limits}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TimeZoneSelect
          label={words.settings.timeZone}
          value={limits.timeZone}
          disabled={!canEdit}
          onChange={(zone) => set({ timeZone: zone })}
          error={faultIn(save.error, "timeZone")}
        />
        <Whole
          name="freshnessHours"
          label={words.settings.oldestStoryInHours}
          limits={limits}
          set={set}
          error={save.error}
        />
        <Whole name="dailyLimit" label={words.settings.dailySendLimit} limits={limits} set={set} error={save.error} />
        <Whole
          name="minGapMinutes"
          label={words.settings.minutesBetweenTwoSends}
          limits={limits}
          set={set}
          error={save.error}
        />
      </SimpleGrid>
      <NativeSelect
        label={words.settings.aStoryWithoutADate}
        description={words.settings.storyWithoutDateHint}
        disabled={!canEdit}
        value={limits.undatedStories}
        data={[
          { value: "ask", label: words.settings.askBeforeAFeedSends },
          { value: "send", label: words.settings.sendItLikeOthers },
          { value: "skip", label: words.settings.skipIt },
        ]}
        onChange={(event) => set({ undatedStories: event.currentTarget.value as Limits["undatedStories"] })}
        error={faultIn(save.error, "undatedStories")}
      />
      <Quiet limits={limits} set={set} error={save.error} />
    </SettingsForm>
  );
}

type Part = { limits: Limits; set: (change: Partial<Limits>) => void; error: unknown };

function Whole(props: Part & { name: "freshnessHours" | "dailyLimit" | "minGapMinutes"; label: string }) {
  const { canEdit } = useCurrentSite();
  const { name, label, limits, set, error } = props;
  return (
    <WholeNumber
      label={label}
      disabled={!canEdit}
      value={limits[name]}
      write={(value) => set({ [name]: value })}
      error={faultIn(error, name)}
    />
  );
}

function Quiet({ limits: { quietHours }, set, error }: Part) {
  const { canEdit } = useCurrentSite();
  return (
    <Stack gap="xs">
      <Switch
        label={words.settings.quietHours}
        disabled={!canEdit}
        checked={quietHours !== null}
        onChange={(event) => set({ quietHours: event.currentTarget.checked ? defaultQuietHours : null })}
        error={faultIn(error, "quietHours")}
      />
      {quietHours !== null && (
        <Group gap="sm">
          <TextInput
            type="time"
            label={words.settings.from}
            disabled={!canEdit}
            value={quietHours.from}
            onChange={(event) => set({ quietHours: { ...quietHours, from: event.currentTarget.value } })}
          />
          <TextInput
            type="time"
            label={words.settings.until}
            disabled={!canEdit}
            value={quietHours.until}
            onChange={(event) => set({ quietHours: { ...quietHours, until: event.currentTarget.value } })}
          />
        </Group>
      )}
    </Stack>
  );
}
