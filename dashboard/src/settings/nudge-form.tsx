import { Group, Image, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import type { ReaderSettingsView } from "../../../src/dashboard-api/settings.ts";
import { AddressInput } from "../components/address-input.tsx";
import { faultIn } from "../components/form-error.tsx";
import { WholeNumber } from "../components/whole-number.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { SettingsForm, useSaveSite } from "./site-form.tsx";
import { useEdits } from "./use-edits.ts";

const utmNames = ["source", "medium", "campaign"] as const;
const fields = [
  "iconUrl",
  "linkMode",
  "receipts",
  "onUncertain",
  "screenGoalSeconds",
  ...utmNames.map((name) => `utm/${name}`),
];
const exampleUtm = { source: "pressbell", medium: "web-push", campaign: "news" };

/**
 * The settings that each notification gets from its site. They are fixed at the send, so a change does not affect
 * open runs.
 */
export function NudgeForm({ settings }: { settings: ReaderSettingsView }) {
  const { canEdit } = useCurrentSite();
  const save = useSaveSite();
  const { iconUrl, utm, linkMode, receipts, onUncertain, screenGoalSeconds } = settings;
  const saved = { iconUrl: iconUrl ?? "", utm, linkMode, receipts, onUncertain, screenGoalSeconds };
  const { input, write, snapshot } = useEdits(saved);
  const choice = (
    name: "linkMode" | "receipts" | "onUncertain",
    label: string,
    description: string,
    labels: Record<string, string>,
  ) => (
    <NativeSelect
      label={label}
      description={description}
      disabled={!canEdit}
      value={input[name]}
      data={Object.entries(labels).map(([value, text]) => ({ value, label: text }))}
      onChange={(event) => write({ [name]: event.currentTarget.value })}
      error={faultIn(save.error, name)}
    />
  );
  return (
    <SettingsForm
      title={words.settings.nudgeTitle}
      lead={words.settings.nudgeLead}
      fields={fields}
      save={save}
      snapshot={snapshot}
      change={() => ({ ...input, iconUrl: input.iconUrl.trim() || null })}
    >
      <Group align="flex-start" wrap="nowrap" gap="sm">
        <AddressInput
          label={words.settings.icon}
          description={words.settings.iconHint}
          flex={1}
          disabled={!canEdit}
          value={input.iconUrl}
          write={(iconUrl) => write({ iconUrl })}
          error={faultIn(save.error, "iconUrl")}
        />
        <SavedIcon url={settings.iconUrl} />
      </Group>
      <UtmFields utm={input.utm} write={(utm) => write({ utm })} error={save.error} />
      {choice("linkMode", words.settings.clickRoute, words.settings.clickRouteHint, {
        token: words.settings.straightToTheStory,
        redirect: words.settings.throughThisService,
      })}
      {choice("receipts", words.settings.receiptsMode, words.settings.receiptsModeHint, {
        full: words.settings.eachNudgeApart,
        aggregate: words.settings.onlySums,
        off: words.settings.nothingAtAll,
      })}
      {choice("onUncertain", words.settings.afterCrash, words.settings.afterCrashHint, {
        resend: words.settings.afterCrashSendAgain,
        skip: words.settings.afterCrashLeave,
      })}
      <WholeNumber
        label={words.settings.displayGoal}
        description={words.settings.displayGoalHint}
        disabled={!canEdit}
        value={input.screenGoalSeconds}
        write={(screenGoalSeconds) => write({ screenGoalSeconds })}
        error={faultIn(save.error, "screenGoalSeconds")}
      />
    </SettingsForm>
  );
}

type Utm = ReaderSettingsView["utm"];

function UtmFields({ utm, write, error }: { utm: Utm; write: (utm: Utm) => void; error: unknown }) {
  const { canEdit } = useCurrentSite();
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      {utmNames.map((name) => (
        <TextInput
          key={name}
          label={`utm_${name}`}
          placeholder={words.settings.suchAs({ value: exampleUtm[name] })}
          disabled={!canEdit}
          value={utm[name] ?? ""}
          onChange={(event) => write({ ...utm, [name]: event.currentTarget.value.trim() || null })}
          error={faultIn(error, `utm/${name}`)}
        />
      ))}
    </SimpleGrid>
  );
}

function SavedIcon({ url }: { url: string | null }) {
  if (url === null) return null;
  return <Image src={url} alt={words.settings.iconAlt} w={48} h={48} radius="md" fit="cover" mt={25} />;
}
