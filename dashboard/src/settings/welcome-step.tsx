import { Button, Fieldset, Group, Select, Stack, Switch } from "@mantine/core";
import type { StepInput } from "../api/welcome-calls.ts";
import { faultIn } from "../components/form-error.tsx";
import { WholeNumber } from "../components/whole-number.tsx";
import { shownTopics } from "../compose/shown-topics.ts";
import { useSubscribers } from "../compose/use-subscribers.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { NudgeFields } from "./nudge-fields.tsx";

/** The fields of a step, named as in the service. */
const names = ["afterDays", "title", "body", "url", "imageUrl", "topicId", "onlyUnclicked"] as const;

/** Returns the fields of the step at an index, from 0, as the service names them in its faults. */
export const fieldsOfStep = (at: number) => names.map((name) => `steps/${at}/${name}`);

type StepProps = {
  at: number;
  step: StepInput;
  error: unknown;
  write: (change: Partial<StepInput>) => void;
};

/** The fields of one notification of the welcome: its day, its text, and the readers who get it. */
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
        <NudgeFields nudge={props.step} write={props.write} faultOf={(field) => faultOf(props, field)} />
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

/** Returns the fault of a field of the step, or undefined. */
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
          limit={shownTopics}
          nothingFoundMessage={words.compose.noSuchTopic}
          searchable
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
