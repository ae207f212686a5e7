import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { passwordLink } from "../api/calls.ts";
import { usePlace } from "../frame/session.tsx";
import { CopyBlock } from "../parts/copy.tsx";
import { FormError } from "../parts/form-error.tsx";

/** A link by which a member who forgot the password sets a new one, for an owner to hand over. */
export function PasswordLinkDialog(props: { member: { userId: string; email: string } | null; onClose: () => void }) {
  const { member, onClose } = props;
  const { tenantId, publicUrl } = usePlace();
  const make = useMutation({ mutationFn: () => passwordLink(tenantId, member!.userId) });
  return (
    <Modal opened={member !== null} onClose={onClose} title={<b>A new password for {member?.email}</b>}>
      <Stack>
        <FormError error={make.error} />
        {make.data === undefined ? (
          <Text size="sm">
            You get a link to hand over. Whoever opens it chooses a password and is signed out everywhere else. The
            present password works until then; the audit log says that you made the link.
          </Text>
        ) : (
          <>
            <Text size="sm">
              It is shown this once, works once, and for {make.data.validHours} hours. Whoever has it gets in.
            </Text>
            <CopyBlock text={`${publicUrl}/new-password#${make.data.token}`} label="password link" />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          {make.data === undefined && (
            <Button loading={make.isPending} onClick={() => make.mutate()} data-autofocus>
              Make the link
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
