import { Box, Button, SimpleGrid, Stack, Switch } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { maxSteps as limit } from "../../../src/automations/welcome/welcome.ts";
import {
  changeWelcome,
  type StepInput,
  type Welcome,
  type WelcomeInput,
  welcome,
  welcomeFigures,
} from "../api/welcome-calls.ts";
import { Loaded } from "../components/states.tsx";
import { Previews } from "../compose/previews.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { AutomationFiguresTable } from "./automation-figures.tsx";
import { SettingsForm } from "./site-form.tsx";
import { useEdits } from "./use-edits.ts";
import { fieldsOfStep, WelcomeStepFields } from "./welcome-step.tsx";

/** The limit of the service. The type ensures that both are equal. */
const maxSteps: typeof limit = 4;
const daysBetween = 3;
const lastDay = 30;

/** The welcome of new readers: up to four notifications, and what readers did with them. */
export function WelcomeSettings() {
  const { tenantId, siteId } = useCurrentSite();
  const query = useQuery({ queryKey: ["welcome", siteId], queryFn: () => welcome(tenantId, siteId) });
  return <Loaded of={query}>{(saved) => <WelcomeForm saved={saved} />}</Loaded>;
}

function WelcomeForm({ saved }: { saved: Welcome }) {
  const { tenantId, siteId, site, canEdit } = useCurrentSite();
  const { input, write, snapshot } = useEdits<WelcomeInput>(saved);
  const [shown, setShown] = useState(0);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (change: WelcomeInput) => changeWelcome(tenantId, siteId, change),
    async onSuccess() {
      await queries.invalidateQueries();
      notifications.show({ color: "green", message: words.settings.saved });
    },
  });
  const { enabled, steps } = input;
  const { heading, lead, switchedOn, addStep } = words.settings.welcome;
  const preview = steps[shown] ?? steps.at(-1);
  const add = () => {
    setShown(steps.length);
    write({ steps: [...steps, newStep(steps.at(-1), site.url)] });
  };
  const change = (at: number, part: Partial<StepInput>) =>
    write({ steps: steps.map((step, i) => (i === at ? { ...step, ...part } : step)) });
  return (
    <SettingsForm
      title={heading}
      lead={lead}
      fields={steps.flatMap((_, at) => fieldsOfStep(at))}
      save={save}
      snapshot={snapshot}
      change={() => input}
    >
      <Switch
        label={switchedOn}
        disabled={!canEdit}
        checked={enabled}
        onChange={(event) => {
          if (event.currentTarget.checked && steps.length === 0) add();
          write({ enabled: event.currentTarget.checked });
        }}
      />
      {preview !== undefined && (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Stack>
            {steps.map((step, at) => (
              <WelcomeStepFields
                // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other name than its place
                key={at}
                at={at}
                step={step}
                error={save.error}
                write={(part) => change(at, part)}
                remove={() => write({ steps: steps.filter((_, i) => i !== at) })}
                onFocus={() => setShown(at)}
              />
            ))}
          </Stack>
          <Box pos={{ base: "static", md: "sticky" }} top={24} style={{ alignSelf: "start" }}>
            <Previews
              nudge={{ title: preview.title, body: preview.body, imageUrl: preview.imageUrl ?? "" }}
              siteName={site.name}
              siteUrl={site.url}
            />
          </Box>
        </SimpleGrid>
      )}
      {canEdit && steps.length < maxSteps && (
        <Button variant="subtle" size="compact-sm" w="fit-content" onClick={add}>
          {addStep}
        </Button>
      )}
      <WelcomeFigures />
    </SettingsForm>
  );
}

/** What readers did with each step. */
function WelcomeFigures() {
  const { tenantId, siteId } = useCurrentSite();
  const { data } = useQuery({ queryKey: ["welcome-figures", siteId], queryFn: () => welcomeFigures(tenantId, siteId) });
  const lines = data?.steps.map(({ step, ...figures }) => ({
    name: words.settings.welcome.step({ n: step }),
    ...figures,
  }));
  return <AutomationFiguresTable lines={lines ?? []} />;
}

/** Returns a new step after the step `before`. */
function newStep(before: StepInput | undefined, url: string): StepInput {
  // What was typed there may be no number.
  const dayBefore = Number.isInteger(before?.afterDays) ? Number(before?.afterDays) : 0;
  const afterDays = before === undefined ? 0 : Math.min(lastDay, dayBefore + daysBetween);
  return { afterDays, title: "", body: "", url, imageUrl: null, topicId: null, onlyUnclicked: false };
}
