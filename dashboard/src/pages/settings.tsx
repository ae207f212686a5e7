import { Alert, Badge, Button, Group, Paper, Stack, Switch, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { addSite, changeSite, changeTenant, site as readSite, type TenantSettings, tenant } from "../api/calls.ts";
import { AddressInput } from "../components/address-input.tsx";
import { FormError, faultIn } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { ButtonLink } from "../components/links.tsx";
import { Page } from "../components/page.tsx";
import { Loaded } from "../components/states.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { AgreementState } from "../settings/agreement-state.tsx";
import { ClassesForm } from "../settings/classes-form.tsx";
import { DrillSettings } from "../settings/drill-form.tsx";
import { Publisher } from "../settings/publisher.tsx";
import { ReaderSettings } from "../settings/reader-settings.tsx";
import { SecondPerson } from "../settings/second-person.tsx";
import { SiteLimits } from "../settings/site-limits.tsx";
import { SiteNameForm } from "../settings/site-name-form.tsx";
import { UnsavedEdits } from "../settings/unsaved-edits.tsx";
import { WelcomeSettings } from "../settings/welcome-form.tsx";
import { WinBackSettings } from "../settings/win-back-form.tsx";
import { words } from "../words/words.ts";

export function SettingsPage() {
  const { tenantId, siteId, site, tenantName, canEdit, isOwner } = useCurrentSite();
  const siteQuery = useQuery({ queryKey: ["site", siteId], queryFn: () => readSite(tenantId, siteId) });
  const tenantQuery = useQuery({ queryKey: ["tenant", tenantId], queryFn: () => tenant(tenantId) });
  return (
    <Page title={words.pages.settings} lead={words.pages.siteAndPublisher({ name: site.name, tenantName })}>
      <UnsavedEdits>
        <Stack gap="lg" key={siteId}>
          {!canEdit && (
            <Alert color="gray" variant="light" icon={<Icon name="info" />}>
              {words.pages.youAreAViewerYou}
            </Alert>
          )}
          <Loaded of={siteQuery}>
            {(settings) => (
              <>
                <Pause
                  title={words.pages.sendsOf({ name: settings.name })}
                  paused={settings.paused}
                  disabled={!canEdit}
                  act={(paused) => changeSite(tenantId, siteId, { paused })}
                />
                <SiteNameForm settings={settings} />
                <SiteLimits settings={settings} />
                <ClassesForm settings={settings} />
              </>
            )}
          </Loaded>
          <ReaderSettings />
          <WelcomeSettings />
          <WinBackSettings />
          <DrillSettings />
          <Loaded of={tenantQuery}>{(settings) => <TenantPart settings={settings} />}</Loaded>
          {isOwner && <NewSite />}
          {isOwner && <AuditLogLink />}
        </Stack>
      </UnsavedEdits>
    </Page>
  );
}

function TenantPart({ settings }: { settings: TenantSettings }) {
  const { tenantId, tenantName, isOwner } = useCurrentSite();
  return (
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
  );
}

/** The switch of a pause. A pause halts open runs within two seconds; they continue when it is lifted. */
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
            {words.pages.aPauseHaltsWithinTwo}
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
            {words.pages.whoSentStoppedAndChanged}
          </Text>
        </div>
        <ButtonLink variant="default" to="/sites/$siteId/settings/audit-log" params={{ siteId }}>
          {words.pages.lookAtIt}
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
