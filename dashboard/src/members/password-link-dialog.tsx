import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { passwordLink } from "../api/calls.ts";
import { CopyBlock } from "../components/copy.tsx";
import { FormError } from "../components/form-error.tsx";
import { useCurrentSite } from "../layout/session.tsx";

/** Creates a link with which a member sets a new password. An owner hands it over. */
export function PasswordLinkDialog(props: { member: { userId: string; email: string } | null; onClose: () => void }) {
  const { member, onClose } = props;
  const { tenantId, publicUrl } = useCurrentSite();
  const create = useMutation({ mutationFn: () => passwordLink(tenantId, member!.userId) });
  return (
    <Modal opened={member !== null} onClose={onClose} title={<b>A new password for {member?.email}</b>}>
      <Stack>
        <FormError error={create.error} />
        {create.data === undefined ? (
          <Text size="sm">
            You get a link to hand over. The person who opens it chooses a password and is signed out everywhere else.
            The present password works until then; the audit log says that you made the link.
          </Text>
        ) : (
          <>
            <Text size="sm">
              It is shown this once, works once, and for {create.data.validHours} hours. Anyone who has it can sign in.
            </Text>
            <CopyBlock text={`${publicUrl}/new-password#${create.data.token}`} label="password link" />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          {create.data === undefined && (
            <Button loading={create.isPending} onClick={() => create.mutate()} data-autofocus>
              Make the link
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
