import { Alert, Button, Group, NativeSelect, Paper, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  changeMember,
  deleteInvitation,
  deleteMember,
  invite,
  type Members,
  members,
  type NewInvitation,
  type Role,
} from "../api/calls.ts";
import { toApiError } from "../api/client.ts";
import { Confirm } from "../components/confirm.tsx";
import { CopyBlock } from "../components/copy.tsx";
import { FormError, faultIn } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { Page } from "../components/page.tsx";
import { Loaded } from "../components/states.tsx";
import { fromNow } from "../components/times.tsx";
import { useCurrentSite, useStart } from "../layout/session.tsx";
import { PasswordLinkDialog } from "../members/password-link-dialog.tsx";

const roles: { value: Role; label: string }[] = [
  { value: "owner", label: "Owner" },
  { value: "editor", label: "Editor" },
  { value: "viewer", label: "Viewer" },
];

export function MembersPage() {
  const { tenantId, tenantName, isOwner } = useCurrentSite();
  const query = useQuery({ queryKey: ["members", tenantId], queryFn: () => members(tenantId) });
  return (
    <Page
      title="Members"
      lead={`Who works for ${tenantName}. Viewers look, editors send, owners also manage keys, members and settings.`}
    >
      <Stack gap="lg">
        {isOwner && <Invite />}
        <Loaded of={query}>
          {(data) => (
            <>
              <Invitations invitations={data.invitations} />
              <People members={data.members} />
            </>
          )}
        </Loaded>
      </Stack>
    </Page>
  );
}

function Invite() {
  const { tenantId } = useCurrentSite();
  const [input, setInput] = useState<{ email: string; role: Role }>({ email: "", role: "editor" });
  const [created, setCreated] = useState<NewInvitation | null>(null);
  const { data } = useStart();
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: () => invite(tenantId, input),
    async onSuccess(invitation) {
      setCreated(invitation);
      setInput({ ...input, email: "" });
      await queries.invalidateQueries({ queryKey: ["members", tenantId] });
    },
  });
  return (
    <Paper component="section" aria-label="Invite somebody">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate();
        }}
      >
        <Stack>
          <Title order={2} size="h4">
            Invite somebody
          </Title>
          <FormError error={send.error} fields={["email", "role"]} />
          <Group align="flex-start" gap="xs">
            <TextInput
              label="E-mail address"
              type="email"
              flex="1 1 220px"
              value={input.email}
              onChange={(event) => setInput({ ...input, email: event.currentTarget.value })}
              error={faultIn(send.error, "email")}
            />
            <NativeSelect
              label="As"
              data={roles}
              value={input.role}
              onChange={(event) => setInput({ ...input, role: event.currentTarget.value as Role })}
            />
            <Button type="submit" loading={send.isPending} mt={25}>
              {data?.sendsMail ? "Send the invitation" : "Make the link"}
            </Button>
          </Group>
          {created !== null && <Link invitation={created} />}
        </Stack>
      </form>
    </Paper>
  );
}

function Link({ invitation: { email, token, mailed } }: { invitation: NewInvitation }) {
  const { publicUrl } = useCurrentSite();
  const title = mailed ? `The link is on its way to ${email}` : `Give this link to ${email}`;
  return (
    <Alert color="yellow" variant="light" icon={<Icon name={mailed ? "send" : "key"} />} title={title}>
      <Text size="sm" mb="sm">
        {mailed
          ? "It is here too, this once, should the e-mail not arrive. It works once, and for 7 days."
          : "It is shown this once, works once, and for 7 days. Anyone who has it can join, so hand it over yourself."}
      </Text>
      <CopyBlock text={`${publicUrl}/invitation#${token}`} label="invitation link" />
    </Alert>
  );
}

function Invitations({ invitations }: Pick<Members, "invitations">) {
  const { tenantId, isOwner } = useCurrentSite();
  const queries = useQueryClient();
  const withdraw = useMutation({
    mutationFn: (id: string) => deleteInvitation(tenantId, id),
    onError: (error) => notifications.show({ color: "red", message: toApiError(error).message }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["members", tenantId] }),
  });
  if (invitations.length === 0) return null;
  return (
    <Paper component="section" aria-label="Invited">
      <Title order={2} size="h4" mb="sm">
        Invited
      </Title>
      <Stack gap="xs">
        {invitations.map(({ invitationId, email, role, expiresAt }) => (
          <Group key={invitationId} justify="space-between">
            <Text size="sm">
              {email}{" "}
              <Text component="span" c="dimmed">
                as {role}, ends {fromNow(expiresAt)}
              </Text>
            </Text>
            {isOwner && (
              <Button
                size="compact-sm"
                variant="subtle"
                color="red"
                aria-label={`Withdraw the invitation of ${email}`}
                onClick={() => withdraw.mutate(invitationId)}
              >
                Withdraw
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}

type Member = Members["members"][number];

function People({ members: people }: { members: Member[] }) {
  const { tenantId, isOwner } = useCurrentSite();
  const { data } = useStart();
  const [leaving, setLeaving] = useState<Member | null>(null);
  const [locked, setLocked] = useState<Member | null>(null);
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: Role }) => changeMember(tenantId, userId, role),
    onError: (error) => notifications.show({ color: "red", message: toApiError(error).message }),
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <Paper component="section" aria-label="Members">
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Person</Table.Th>
            <Table.Th w={{ base: 110, sm: 140 }}>Role</Table.Th>
            <Table.Th w={{ base: 105, sm: 210 }}>
              <span className="visually-hidden">Password, remove</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {people.map((member) => (
            <Table.Tr key={member.userId}>
              <Table.Td style={{ overflowWrap: "anywhere" }}>
                {member.email}{" "}
                {member.userId === data?.user?.userId && (
                  <Text component="span" c="dimmed">
                    (you)
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <RoleOf member={member} onChange={(role) => change.mutate({ userId: member.userId, role })} />
              </Table.Td>
              <Table.Td ta="right">
                {isOwner && member.userId !== data?.user?.userId && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    aria-label={`Password of ${member.email}`}
                    onClick={() => setLocked(member)}
                  >
                    Password
                  </Button>
                )}
                {isOwner && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="red"
                    aria-label={`Remove ${member.email}`}
                    onClick={() => setLeaving(member)}
                  >
                    Remove
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <PasswordLinkDialog key={locked?.userId} member={locked} onClose={() => setLocked(null)} />
      <Confirm
        opened={leaving !== null}
        onClose={() => setLeaving(null)}
        title="Remove this member?"
        action="Remove"
        act={async () => {
          await deleteMember(tenantId, leaving!.userId);
          await queries.invalidateQueries();
        }}
      >
        {leaving?.email} can do nothing here from the next click on. What they have sent stays.
      </Confirm>
    </Paper>
  );
}

function RoleOf({ member, onChange }: { member: Member; onChange: (role: Role) => void }) {
  const { isOwner } = useCurrentSite();
  if (!isOwner) return <Text size="sm">{roles.find(({ value }) => value === member.role)!.label}</Text>;
  return (
    <NativeSelect
      size="xs"
      aria-label={`Role of ${member.email}`}
      data={roles}
      value={member.role}
      onChange={(event) => onChange(event.currentTarget.value as Role)}
    />
  );
}
