import { Group, Image, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import type { ReaderSettingsView } from "../../../src/dashboard-api/settings.ts";
import { AddressInput } from "../components/address-input.tsx";
import { faultIn } from "../components/form-error.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { SettingsForm, useSaveSite } from "./site-form.tsx";
import { useEdits } from "./use-edits.ts";

const utmNames = ["source", "medium", "campaign"] as const;
const fields = ["iconUrl", "linkMode", "onUncertain", ...utmNames.map((name) => `utm/${name}`)];
const exampleUtm = { source: "pressbell", medium: "web-push", campaign: "news" };

/** The settings that each nudge gets from its site. They are frozen at the send: a change does not affect open runs. */
export function NudgeForm({ settings }: { settings: ReaderSettingsView }) {
  const { canEdit } = useCurrentSite();
  const save = useSaveSite();
  const { iconUrl, utm, linkMode, onUncertain } = settings;
  const { input, write, snapshot } = useEdits({ iconUrl: iconUrl ?? "", utm, linkMode, onUncertain });
  return (
    <SettingsForm
      title={words.settings.whatEachNudgeCarries}
      lead={words.settings.itHoldsFromTheNext}
      fields={fields}
      save={save}
      snapshot={snapshot}
      change={() => ({ ...input, iconUrl: input.iconUrl.trim() || null })}
    >
      <Group align="flex-start" wrap="nowrap" gap="sm">
        <AddressInput
          label={words.settings.icon}
          description={words.settings.theSmallPictureBesideThe}
          flex={1}
          disabled={!canEdit}
          value={input.iconUrl}
          write={(iconUrl) => write({ iconUrl })}
          error={faultIn(save.error, "iconUrl")}
        />
        {settings.iconUrl !== null && (
          <Image
            src={settings.iconUrl}
            alt={words.settings.theIconThatIsSaved}
            w={48}
            h={48}
            radius="md"
            fit="cover"
            mt={25}
          />
        )}
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {utmNames.map((name) => (
          <TextInput
            key={name}
            label={`utm_${name}`}
            placeholder={words.settings.suchAs({ value: exampleUtm[name] })}
            disabled={!canEdit}
            value={input.utm[name] ?? ""}
            onChange={(event) => write({ utm: { ...input.utm, [name]: event.currentTarget.value.trim() || null } })}
            error={faultIn(save.error, `utm/${name}`)}
          />
        ))}
      </SimpleGrid>
      <NativeSelect
        label={words.settings.howAClickLeadsTo}
        description={words.settings.straightThereTheClicksAre}
        disabled={!canEdit}
        value={input.linkMode}
        data={[
          { value: "token", label: words.settings.straightToTheStory },
          { value: "redirect", label: words.settings.throughThisService },
        ]}
        onChange={(event) => write({ linkMode: event.currentTarget.value as typeof input.linkMode })}
        error={faultIn(save.error, "linkMode")}
      />
      <NativeSelect
        label={words.settings.whenAMachineDiesWhile}
        description={words.settings.forAtMost500Messages}
        disabled={!canEdit}
        value={input.onUncertain}
        data={[
          { value: "resend", label: words.settings.sendThemAgainNobodyMisses },
          { value: "skip", label: words.settings.leaveThemNobodyGetsIt },
        ]}
        onChange={(event) => write({ onUncertain: event.currentTarget.value as typeof input.onUncertain })}
        error={faultIn(save.error, "onUncertain")}
      />
    </SettingsForm>
  );
}
