import { Button, Paper, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { SiteChange } from "../../../src/tenants/sites/site.ts";
import { changeSite } from "../api/calls.ts";
import { FormError } from "../components/form-error.tsx";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/** Returns the mutation that saves a change of the site. */
export function useSaveSite() {
  const { tenantId, siteId } = useCurrentSite();
  const withRecentSignIn = useRecentSignIn();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: SiteChange) => withRecentSignIn(() => changeSite(tenantId, siteId, change)),
    async onSuccess() {
      await queries.invalidateQueries();
      notifications.show({ color: "green", message: words.settings.saved });
    },
  });
}

/** A form of the settings: its heading, lead, fields, and a button for members who may edit. */
export function SettingsForm<Change>(props: {
  title: string;
  lead: string;
  fields: string[];
  /** The mutation that saves a change. */
  save: {
    mutate(change: Change, options: { onSuccess: () => void }): void;
    isPending: boolean;
    error: Error | null;
  };
  change: () => Change;
  /** The `snapshot` of the form's edits (use-edits.ts). */
  snapshot: () => () => void;
  /** Whether the member may save the form. Default: whether the member may edit. */
  canSave?: boolean;
  children: ReactNode;
}) {
  const { canEdit } = useCurrentSite();
  const { title, lead, fields, save, change, snapshot, canSave = canEdit, children } = props;
  return (
    <Paper component="section" aria-label={title}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(change(), { onSuccess: snapshot() });
        }}
      >
        <Stack>
          <div>
            <Title order={2} size="h4">
              {title}
            </Title>
            <Text size="sm" c="dimmed" mt={4}>
              {lead}
            </Text>
          </div>
          <FormError error={save.error} fields={fields} />
          {children}
          {canSave && (
            <Button
              type="submit"
              loading={save.isPending}
              w="fit-content"
              aria-label={words.settings.saveLabel({ title })}
            >
              {words.settings.saveButton}
            </Button>
          )}
        </Stack>
      </form>
    </Paper>
  );
}
