import { Group, Image, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import type { ReaderSettingsView } from "../../../src/dashboard-api/settings.ts";
import { AddressInput } from "../components/address-input.tsx";
import { faultIn } from "../components/form-error.tsx";
import { useCurrentSite } from "../layout/session.tsx";
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
      title="What each nudge carries"
      lead="It holds from the next send on."
      fields={fields}
      save={save}
      snapshot={snapshot}
      change={() => ({ ...input, iconUrl: input.iconUrl.trim() || null })}
    >
      <Group align="flex-start" wrap="nowrap" gap="sm">
        <AddressInput
          label="Icon"
          description="The small picture beside the text, square, https. Empty: the browser’s own"
          flex={1}
          disabled={!canEdit}
          value={input.iconUrl}
          write={(iconUrl) => write({ iconUrl })}
          error={faultIn(save.error, "iconUrl")}
        />
        {settings.iconUrl !== null && (
          <Image src={settings.iconUrl} alt="The icon that is saved" w={48} h={48} radius="md" fit="cover" mt={25} />
        )}
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {utmNames.map((name) => (
          <TextInput
            key={name}
            label={`utm_${name}`}
            placeholder={`such as ${exampleUtm[name]}`}
            disabled={!canEdit}
            value={input.utm[name] ?? ""}
            onChange={(event) => write({ utm: { ...input.utm, [name]: event.currentTarget.value.trim() || null } })}
            error={faultIn(save.error, `utm/${name}`)}
          />
        ))}
      </SimpleGrid>
      <NativeSelect
        label="How a click leads to the story"
        description="Straight there, the clicks are counted by the script on the story’s page. Through this service they are counted where it cannot run."
        disabled={!canEdit}
        value={input.linkMode}
        data={[
          { value: "token", label: "Straight to the story" },
          { value: "redirect", label: "Through this service" },
        ]}
        onChange={(event) => write({ linkMode: event.currentTarget.value as typeof input.linkMode })}
        error={faultIn(save.error, "linkMode")}
      />
      <NativeSelect
        label="When a machine dies while it sends"
        description="For at most 500 messages it is then not known whether they were sent. Most browsers show a repeated one once."
        disabled={!canEdit}
        value={input.onUncertain}
        data={[
          { value: "resend", label: "Send them again: nobody misses it" },
          { value: "skip", label: "Leave them: nobody gets it twice" },
        ]}
        onChange={(event) => write({ onUncertain: event.currentTarget.value as typeof input.onUncertain })}
        error={faultIn(save.error, "onUncertain")}
      />
    </SettingsForm>
  );
}
