import { Alert, Button, Checkbox, Paper, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changeTenant, type TenantSettings } from "../api/calls.ts";
import { Agreement } from "../components/agreement.tsx";
import { FormError } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { momentIn } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/**
 * The agreement: its text and version, the accepted version with the time and the person, and the form to accept it.
 */
export function AgreementState({ settings: { dpaAcceptedAt, agreement } }: { settings: TenantSettings }) {
  const { isOwner, site } = useCurrentSite();
  const isCurrent = agreement.acceptedVersion === agreement.version;
  return (
    <Paper component="section" aria-label={words.settings.agreement}>
      <Title order={2} size="h4">
        {words.settings.agreementOnReadersData}
      </Title>
      <Text size="sm" c="dimmed" mt={4} mb="sm">
        {words.settings.versionOf({ version: agreement.version })}
      </Text>
      <Stack>
        <Agreement />
        {dpaAcceptedAt !== null && (
          <Text size="sm" c="dimmed">
            {acceptance(agreement, momentIn(site.timeZone, dpaAcceptedAt))}
          </Text>
        )}
        {dpaAcceptedAt !== null && !isCurrent && (
          <Alert color="yellow" variant="light" icon={<Icon name="info" />}>
            {words.settings.agreementOutdated}
          </Alert>
        )}
        {!(dpaAcceptedAt !== null && isCurrent) &&
          (isOwner ? <Accept /> : <Text size="sm">{words.settings.agreementNotAccepted}</Text>)}
      </Stack>
    </Paper>
  );
}

/** Returns the sentence with the date of the acceptance and the person who accepted. */
function acceptance({ acceptedVersion, acceptedBy }: TenantSettings["agreement"], when: string): string {
  const { accepted, versionOfAccepted, theOperatorOnTheCommand } = words.settings;
  const accepter = acceptedBy === "operator" ? theOperatorOnTheCommand : acceptedBy;
  const by = accepter === null ? "" : words.settings.by({ accepter });
  return acceptedVersion === null ? accepted({ when, by }) : versionOfAccepted({ acceptedVersion, when, by });
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
        label={words.settings.acceptAgreementLabel}
        checked={accepted}
        onChange={(event) => setAccepted(event.currentTarget.checked)}
      />
      <Button disabled={!accepted} loading={accept.isPending} onClick={() => accept.mutate()} w="fit-content">
        {words.settings.acceptIt}
      </Button>
    </>
  );
}
