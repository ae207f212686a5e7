import { Alert, Badge, Button, Group, Paper, Stack, Switch, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useState } from "react";
import type { ReaderSettingsView } from "../../../src/dashboard-api/settings.ts";
import {
  addSite,
  changeSite,
  changeTenant,
  readerSettings,
  site as readSite,
  type SiteSettings,
  tenant,
} from "../api/calls.ts";
import { AddressInput } from "../components/address-input.tsx";
import { FormError, faultIn } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { ButtonLink } from "../components/links.tsx";
import { Page } from "../components/page.tsx";
import { Loaded, LoadingState } from "../components/states.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { AgreementState } from "../settings/agreement-state.tsx";
import { ClassesForm } from "../settings/classes-form.tsx";
import { DrillSettings } from "../settings/drill-form.tsx";
import { FactsForm } from "../settings/facts-form.tsx";
import { MigrationForm } from "../settings/migration-form.tsx";
import { NudgeForm } from "../settings/nudge-form.tsx";
import { PromptFigures } from "../settings/prompt-figures.tsx";
import { Publisher } from "../settings/publisher.tsx";
import { ReadersForm } from "../settings/readers-form.tsx";
import { SecondPerson } from "../settings/second-person.tsx";
import classes from "../settings/section-nav.module.css";
import { SectionNav } from "../settings/section-nav.tsx";
import { type Section, sectionsOf, settingsRoute } from "../settings/sections.ts";
import { SiteLimits } from "../settings/site-limits.tsx";
import { SiteNameForm } from "../settings/site-name-form.tsx";
import { UnsavedEdits } from "../settings/unsaved-edits.tsx";
import { WinBackSettings } from "../settings/win-back-form.tsx";
import { words } from "../words/words.ts";
import { NotFoundPage } from "./not-found.tsx";

const PromptForm = lazy(async () => ({ default: (await import("../settings/prompt-form.tsx")).PromptForm }));
const OtherPromptForm = lazy(async () => ({
  default: (await import("../settings/other-prompt-form.tsx")).OtherPromptForm,
}));
const WelcomeSettings = lazy(async () => ({
  default: (await import("../settings/welcome-form.tsx")).WelcomeSettings,
}));

/** The settings, one section at a time. Each section has its own address. */
export function SettingsPage() {
  const currentSite = useCurrentSite();
  const { site, siteId, tenantName, canEdit, hasPublisherRole } = currentSite;
  const { section: named } = useParams({ from: settingsRoute });
  const section = sectionsOf(currentSite).find((one) => one === named);
  if (section === undefined) return <NotFoundPage />;
  const name = words.settings.sections[section];
  return (
    <Page
      title={words.pages.settings}
      windowTitle={words.pages.sectionOfSettings({ section: name })}
      lead={hasPublisherRole ? words.pages.settingsLead({ name: site.name, tenantName }) : site.name}
    >
      <UnsavedEdits>
        <div className={classes.settings}>
          <SectionNav section={section} />
          <Stack gap="lg" key={`${siteId} ${section}`} miw={0} component="section" aria-label={name}>
            {!canEdit && (
              <Alert color="gray" variant="light" icon={<Icon name="info" />}>
                {words.pages.settingsViewerHint}
              </Alert>
            )}
            <Suspense fallback={<LoadingState />}>{contentOf[section]()}</Suspense>
          </Stack>
        </div>
      </UnsavedEdits>
    </Page>
  );
}

const contentOf: Record<Section, () => ReactNode> = {
  site: () => <SiteSection />,
  stories: () => <OfSite>{(settings) => <SiteLimits settings={settings} />}</OfSite>,
  classes: () => <OfSite>{(settings) => <ClassesForm settings={settings} />}</OfSite>,
  prompt: () => (
    <OfReaders>
      {(settings) => (
        <>
          <PromptForm settings={settings} />
          <OtherPromptForm settings={settings} />
          <PromptFigures />
        </>
      )}
    </OfReaders>
  ),
  notifications: () => <OfReaders>{(settings) => <NudgeForm settings={settings} />}</OfReaders>,
  readers: () => (
    <OfReaders>
      {(settings) => (
        <>
          <ReadersForm settings={settings} />
          <FactsForm settings={settings} />
          <MigrationForm settings={settings} />
        </>
      )}
    </OfReaders>
  ),
  welcome: () => <WelcomeSettings />,
  "win-back": () => <WinBackSettings />,
  drill: () => <DrillSettings />,
  publisher: () => <PublisherSection />,
};

function OfSite({ children }: { children: (settings: SiteSettings) => ReactNode }) {
  const { tenantId, siteId } = useCurrentSite();
  const query = useQuery({ queryKey: ["site", siteId], queryFn: () => readSite(tenantId, siteId) });
  return <Loaded of={query}>{children}</Loaded>;
}

function OfReaders({ children }: { children: (settings: ReaderSettingsView) => ReactNode }) {
  const { tenantId, siteId } = useCurrentSite();
  const query = useQuery({ queryKey: ["reader-settings", siteId], queryFn: () => readerSettings(tenantId, siteId) });
  return <Loaded of={query}>{children}</Loaded>;
}

function SiteSection() {
  const { tenantId, siteId, canEdit } = useCurrentSite();
  return (
    <OfSite>
      {(settings) => (
        <>
          <Pause
            title={words.pages.sendsOf({ name: settings.name })}
            paused={settings.paused}
            disabled={!canEdit}
            act={(paused) => changeSite(tenantId, siteId, { paused })}
          />
          <SiteNameForm settings={settings} />
        </>
      )}
    </OfSite>
  );
}

function PublisherSection() {
  const { tenantId, tenantName, isOwner } = useCurrentSite();
  const query = useQuery({ queryKey: ["tenant", tenantId], queryFn: () => tenant(tenantId) });
  return (
    <>
      <Loaded of={query}>
        {(settings) => (
          <>
            <Pause
              title={words.pages.allSendsOf({ tenantName })}
              paused={settings.paused}
              disabled={!isOwner}
              act={(paused) => changeTenant(tenantId, { paused })}
            />
            <Publisher settings={settings} />
            <SecondPerson settings={settings} />
            <AgreementState settings={settings} />
          </>
        )}
      </Loaded>
      {isOwner && <NewSite />}
      {isOwner && <AuditLogLink />}
    </>
  );
}

/** The switch of a pause. A pause halts open runs within two seconds. They continue when it is lifted. */
function Pause(props: {
  title: string;
  paused: boolean;
  disabled: boolean;
  act: (paused: boolean) => Promise<unknown>;
}) {
  const { title, paused, disabled, act } = props;
  const queries = useQueryClient();
  const change = useMutation({ mutationFn: act, onSuccess: () => queries.invalidateQueries() });
  return (
    <Paper component="section" aria-label={title}>
      <FormError error={change.error} />
      <Group justify="space-between" wrap="nowrap">
        <div>
          <Group gap="sm">
            <Title order={2} size="h4">
              {title}
            </Title>
            {paused && (
              <Badge color="orange" variant="light" tt="none" c="var(--status-orange)">
                {words.pages.paused}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed" mt={4}>
            {words.pages.pauseHint}
          </Text>
        </div>
        <Switch
          size="md"
          aria-label={words.pages.switchedOn({ title })}
          checked={!paused}
          disabled={disabled || change.isPending}
          onChange={(event) => change.mutate(!event.currentTarget.checked)}
        />
      </Group>
    </Paper>
  );
}

function AuditLogLink() {
  const { siteId } = useCurrentSite();
  return (
    <Paper component="section" aria-label={words.pages.auditLog}>
      <Group justify="space-between">
        <div>
          <Title order={2} size="h4">
            {words.pages.auditLog}
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            {words.pages.auditLogHint}
          </Text>
        </div>
        <ButtonLink variant="default" to="/sites/$siteId/settings/audit-log" params={{ siteId }}>
          {words.pages.openIt}
        </ButtonLink>
      </Group>
    </Paper>
  );
}

function NewSite() {
  const { tenantId } = useCurrentSite();
  const [input, setInput] = useState({ name: "", url: "" });
  const queries = useQueryClient();
  const navigate = useNavigate();
  const add = useMutation({
    mutationFn: () => addSite(tenantId, input),
    async onSuccess({ siteId }) {
      await queries.invalidateQueries({ queryKey: ["start"] });
      await navigate({ to: "/sites/$siteId/integrations", params: { siteId } });
    },
  });
  return (
    <Paper component="section" aria-label={words.pages.addASite}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        <Stack>
          <Title order={2} size="h4">
            {words.pages.addASite}
          </Title>
          <FormError error={add.error} fields={["name", "url"]} />
          <Group align="flex-start" gap="xs">
            <TextInput
              label={words.pages.name}
              flex="1 1 180px"
              value={input.name}
              onChange={(event) => setInput({ ...input, name: event.currentTarget.value })}
              error={faultIn(add.error, "name")}
            />
            <AddressInput
              label={words.pages.address}
              flex="1 1 220px"
              value={input.url}
              write={(url) => setInput({ ...input, url })}
              error={faultIn(add.error, "url")}
            />
            <Button type="submit" variant="default" loading={add.isPending} mt={25}>
              {words.pages.add}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
