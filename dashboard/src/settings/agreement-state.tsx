import { Alert, Button, Checkbox, Paper, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changeTenant, type TenantSettings } from "../api/calls.ts";
import { Agreement } from "../components/agreement.tsx";
import { FormError } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { momentIn } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";

/** The agreement: its text and version, which version was accepted when and its author, and the form to accept it. */
export function AgreementState({ settings: { dpaAcceptedAt, agreement } }: { settings: TenantSettings }) {
  const { isOwner, site } = useCurrentSite();
  const isCurrent = agreement.acceptedVersion === agreement.version;
  return (
    <Paper component="section" aria-label="Agreement">
      <Title order={2} size="h4">
        Agreement on readers’ data
      </Title>
      <Text size="sm" c="dimmed" mt={4} mb="sm">
        Version of {agreement.version}
      </Text>
      <Stack>
        <Agreement />
        {dpaAcceptedAt !== null && (
          <Text size="sm" c="dimmed">
            {agreement.acceptedVersion === null ? "Accepted" : `Version of ${agreement.acceptedVersion} accepted`}{" "}
            {momentIn(site.timeZone, dpaAcceptedAt)}
            {agreement.acceptedBy !== null && ` by ${accepter(agreement.acceptedBy)}`}.
          </Text>
        )}
        {dpaAcceptedAt !== null && !isCurrent && (
          <Alert color="yellow" variant="light" icon={<Icon name="info" />}>
            The text was changed since. Sends continue; read it again, and accept it.
          </Alert>
        )}
        {!(dpaAcceptedAt !== null && isCurrent) &&
          (isOwner ? <Accept /> : <Text size="sm">Not accepted as it stands: only an owner can.</Text>)}
      </Stack>
    </Paper>
  );
}

/** Returns the e-mail address of a user, or the label of another actor. */
function accepter(by: string): string {
  return by === "operator" ? "the operator, on the command line" : by;
}

function Accept() {
  const { tenantId } = useCurrentSite();
  const [accepted, setAccepted] = useState(false);
  const queries = useQueryClient();
  const accept = useMutation({
    mutationFn: () => changeTenant(tenantId, { dpaAccepted: true }),
    onSuccess: () => queries.invalidateQueries(),
  });
  return (
    <>
      <FormError error={accept.error} />
      <Checkbox
        label="I accept the data processing agreement for this publication"
        checked={accepted}
        onChange={(event) => setAccepted(event.currentTarget.checked)}
      />
      <Button disabled={!accepted} loading={accept.isPending} onClick={() => accept.mutate()} w="fit-content">
        Accept it
      </Button>
    </>
  );
}
