import { Button, Fieldset, Group, Select, Stack, Switch, Textarea } from "@mantine/core";
import type { StepInput } from "../api/welcome-calls.ts";
import { AddressInput } from "../components/address-input.tsx";
import { faultIn } from "../components/form-error.tsx";
import { WholeNumber } from "../components/whole-number.tsx";
import { Counted } from "../compose/counted.tsx";
import { maxBodyLength, maxTitleLength } from "../compose/draft.ts";
import { useSubscribers } from "../compose/use-subscribers.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/** The fields of a step, by the names of the service. */
const names = ["afterDays", "title", "body", "url", "imageUrl", "topicId", "onlyUnclicked"] as const;

/** The fields of the step at a place, from 0, as the service names them in its faults. */
export const fieldsOfStep = (at: number) => names.map((name) => `steps/${at}/${name}`);

type StepProps = {
  at: number;
  step: StepInput;
  error: unknown;
  write: (change: Partial<StepInput>) => void;
};

/** Where a notification of the welcome is written: its day, its text, and who gets it. */
export function WelcomeStepFields({
  remove,
  onFocus,
  ...props
}: StepProps & { remove: () => void; onFocus: () => void }) {
  const { canEdit } = useCurrentSite();
  const { step, removeIt } = words.settings.welcome;
  const n = props.at + 1;
  return (
    <Fieldset legend={step({ n })} onFocus={onFocus} data-step={n}>
      <Stack gap="sm">
        <Day {...props} />
        <Nudge {...props} />
        <Conditions {...props} />
        {canEdit && (
          <Group justify="end">
            <Button variant="subtle" size="compact-sm" onClick={remove}>
              {removeIt({ n })}
            </Button>
          </Group>
        )}
      </Stack>
    </Fieldset>
  );
}

/** Returns what is wrong with a field of the step. */
const faultOf = ({ at, error }: StepProps, field: (typeof names)[number]) => faultIn(error, `steps/${at}/${field}`);

function Day(props: StepProps) {
  const { step, write } = props;
  const { canEdit } = useCurrentSite();
  return (
    <WholeNumber
      label={words.settings.welcome.day}
      description={words.settings.welcome.daysAfter}
      disabled={!canEdit}
      value={step.afterDays}
      write={(afterDays) => write({ afterDays })}
      error={faultOf(props, "afterDays")}
    />
  );
}

function Nudge(props: StepProps) {
  const { step, write } = props;
  const { canEdit } = useCurrentSite();
  const { title, text, address, picture } = words.settings.welcome;
  const written = (field: "title" | "body", label: string, max: number) => (
    <Textarea
      label={<Counted label={label} text={step[field]} max={max} />}
      labelProps={{ display: "block" }}
      autosize
      minRows={1}
      maxRows={4}
      disabled={!canEdit}
      value={step[field]}
      onChange={(event) => write({ [field]: event.currentTarget.value.replace(/\n/g, " ") })}
      error={faultOf(props, field)}
    />
  );
  const leadsTo = (field: "url" | "imageUrl", label: string) => (
    <AddressInput
      label={label}
      disabled={!canEdit}
      value={step[field] ?? ""}
      write={(url) => write({ [field]: url })}
      error={faultOf(props, field)}
    />
  );
  return (
    <>
      {written("title", title, maxTitleLength)}
      {written("body", text, maxBodyLength)}
      {leadsTo("url", address)}
      {leadsTo("imageUrl", picture)}
    </>
  );
}

function Conditions(props: StepProps) {
  const { step, write } = props;
  const { canEdit } = useCurrentSite();
  const topics = useSubscribers().data?.topics ?? [];
  return (
    <>
      {(topics.length > 0 || step.topicId !== null) && (
        <Select
          label={words.settings.welcome.topic}
          placeholder={words.settings.welcome.anyTopic}
          clearable
          disabled={!canEdit}
          data={topics.map(({ topicId, name }) => ({ value: topicId, label: name }))}
          value={step.topicId}
          onChange={(topicId) => write({ topicId })}
          error={faultOf(props, "topicId")}
        />
      )}
      <Switch
        label={words.settings.welcome.onlyUnclicked}
        disabled={!canEdit}
        checked={step.onlyUnclicked}
        onChange={(event) => write({ onlyUnclicked: event.currentTarget.checked })}
        error={faultOf(props, "onlyUnclicked")}
      />
    </>
  );
}
