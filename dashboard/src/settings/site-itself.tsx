import { Button, NativeSelect, Paper, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changeSite, type SiteSettings } from "../api/calls.ts";
import { usePlace } from "../frame/session.tsx";
import { FormError, faultIn } from "../parts/form-error.tsx";

/** What a site is called, whose pages may subscribe its readers, and what becomes of messages that nobody is sure of. */
export function SiteItself({ settings }: { settings: SiteSettings }) {
  const { tenantId, siteId, canEdit } = usePlace();
  const [name, setName] = useState(settings.name);
  const [origins, setOrigins] = useState(settings.origins.join("\n"));
  const [onUncertain, setOnUncertain] = useState(settings.onUncertain);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      changeSite(tenantId, siteId, { name, onUncertain, origins: origins.split(/\s+/).filter(Boolean) }),
    async onSuccess() {
      notifications.show({ color: "green", message: "Saved." });
      await queries.invalidateQueries();
    },
  });
  return (
    <Paper component="section" aria-label="The site itself">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack>
          <div>
            <Title order={2} size="h4">
              The site itself
            </Title>
            <Text size="sm" c="dimmed" mt={4}>
              {settings.url}
            </Text>
          </div>
          <FormError error={save.error} fields={["name"]} />
          <TextInput
            label="Name of the site"
            disabled={!canEdit}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={faultIn(save.error, "name")}
          />
          <Textarea
            label="Further origins"
            description="Whose pages may subscribe readers beside the site’s own, a line each"
            placeholder="https://m.news.example"
            autosize
            minRows={1}
            disabled={!canEdit}
            value={origins}
            onChange={(event) => setOrigins(event.currentTarget.value)}
          />
          <NativeSelect
            label="A message that may have left when a machine died"
            description="Nobody can know whether its reader got it. This happens to a few hundred at most."
            disabled={!canEdit}
            value={onUncertain}
            onChange={(event) => setOnUncertain(event.currentTarget.value as SiteSettings["onUncertain"])}
            data={[
              { value: "resend", label: "Send it again: rather twice than not at all" },
              { value: "skip", label: "Leave it: rather not at all than twice" },
            ]}
          />
          {canEdit && (
            <Button type="submit" loading={save.isPending} w="fit-content">
              Save the site
            </Button>
          )}
        </Stack>
      </form>
    </Paper>
  );
}
