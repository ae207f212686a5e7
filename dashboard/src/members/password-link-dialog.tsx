import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { passwordLink } from "../api/calls.ts";
import { CopyBlock } from "../components/copy.tsx";
import { FormError } from "../components/form-error.tsx";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/** Creates a link with which a member sets a new password. An owner gives it to the member. */
export function PasswordLinkDialog(props: { member: { userId: string; email: string } | null; onClose: () => void }) {
  const { member, onClose } = props;
  const { tenantId, publicUrl } = useCurrentSite();
  const withRecentSignIn = useRecentSignIn();
  const create = useMutation({ mutationFn: () => withRecentSignIn(() => passwordLink(tenantId, member!.userId)) });
  return (
    <Modal
      opened={member !== null}
      onClose={onClose}
      title={<b>{words.members.passwordLinkTitle({ email: member?.email ?? "" })}</b>}
    >
      <Stack>
        <FormError error={create.error} />
        {create.data === undefined ? (
          <Text size="sm">{words.members.passwordLinkLead}</Text>
        ) : (
          <>
            <Text size="sm">{words.members.passwordLinkWarning({ validHours: create.data.validHours })}</Text>
            <CopyBlock text={`${publicUrl}/new-password#${create.data.token}`} label={words.members.passwordLink} />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.members.close}
          </Button>
          {create.data === undefined && (
            <Button loading={create.isPending} onClick={() => create.mutate()} data-autofocus>
              {words.members.makeTheLink}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
