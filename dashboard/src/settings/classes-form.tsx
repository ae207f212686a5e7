import { Checkbox, Fieldset, Group, Stack, TextInput } from "@mantine/core";
import type { CampaignClass, ClassRule, ClassSender } from "../../../src/tenants/sites/campaign-classes.ts";
import type { SiteSettings } from "../api/calls.ts";
import { classNames } from "../components/class-names.ts";
import { faultIn } from "../components/form-error.tsx";
import { WholeNumber } from "../components/whole-number.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { SettingsForm, useSaveSite } from "./site-form.tsx";
import { useEdits } from "./use-edits.ts";

const senders: ClassSender[] = ["owner", "editor", "key"];

/** The rules of the site for its classes of campaigns. Only owners change them. */
export function ClassesForm({ settings }: { settings: SiteSettings }) {
  const { input, write, snapshot } = useEdits(settings.classes);
  const save = useSaveSite();
  const { isOwner } = useCurrentSite();
  return (
    <SettingsForm
      title={words.settings.classesOfCampaigns}
      lead={isOwner ? words.settings.classesLead : words.settings.classesOwnerLead}
      fields={classNames.flatMap((name) => fieldsOf(name))}
      save={save}
      snapshot={snapshot}
      change={() => ({ classes: input })}
    >
      <Stack>
        {classNames.map((name) => (
          <ClassFields
            key={name}
            name={name}
            rule={input[name]}
            error={save.error}
            disabled={!isOwner}
            write={(change) => write({ [name]: { ...input[name], ...change } })}
          />
        ))}
      </Stack>
    </SettingsForm>
  );
}

const fields = ["name", "senders", "maxADay", "caps/hour", "caps/day", "caps/week", "holdoutPercent"] as const;
const fieldsOf = (name: CampaignClass) => fields.map((field) => `classes/${name}/${field}`);

function ClassFields(props: {
  name: CampaignClass;
  rule: ClassRule;
  error: unknown;
  disabled: boolean;
  write: (change: Partial<ClassRule>) => void;
}) {
  const { name, rule, error, disabled, write } = props;
  const faultOf = (field: (typeof fields)[number]) => faultIn(error, `classes/${name}/${field}`);
  return (
    <Fieldset legend={words.components.classes[name]} disabled={disabled}>
      <Stack>
        <Group align="start" grow>
          <TextInput
            label={words.settings.nameOfClass}
            placeholder={words.components.classes[name]}
            value={rule.name ?? ""}
            onChange={(event) => write({ name: event.currentTarget.value || null })}
            error={faultOf("name")}
          />
          <WholeNumber
            label={words.settings.dailySendLimit}
            value={rule.maxADay}
            write={(maxADay) => write({ maxADay })}
            error={faultOf("maxADay")}
          />
        </Group>
        <Group align="start" grow>
          {(["hour", "day", "week"] as const).map((window) => (
            <WholeNumber
              key={window}
              label={words.settings.capOfClass[window]}
              value={rule.caps[window]}
              write={(value) => write({ caps: { ...rule.caps, [window]: value } })}
              error={faultOf(`caps/${window}`)}
            />
          ))}
        </Group>
        <WholeNumber
          label={words.settings.holdoutOfClass}
          description={words.settings.classHoldoutHint}
          placeholder="0"
          value={rule.holdoutPercent || null}
          write={(value) => write({ holdoutPercent: value ?? 0 })}
          error={faultOf("holdoutPercent")}
        />
        <Checkbox.Group
          label={words.settings.whoSendsClass}
          value={rule.senders}
          onChange={(chosen) => write({ senders: senders.filter((sender) => chosen.includes(sender)) })}
          error={faultOf("senders")}
        >
          <Group mt={4}>
            {senders.map((sender) => (
              <Checkbox key={sender} value={sender} label={words.settings.sendersOfClass[sender]} />
            ))}
          </Group>
        </Checkbox.Group>
      </Stack>
    </Fieldset>
  );
}
