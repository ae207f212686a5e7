import { Alert, Button, Group, NativeSelect, Paper, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  deleteInvitation,
  deleteMember,
  invite,
  type Members,
  members,
  type NewInvitation,
  type Role,
  type Roles,
} from "../api/calls.ts";
import { toApiError } from "../api/client.ts";
import { Confirm } from "../components/confirm.tsx";
import { CopyBlock } from "../components/copy.tsx";
import { FormError, faultIn } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { Page } from "../components/page.tsx";
import { EmptyState, Loaded } from "../components/states.tsx";
import { fromNow } from "../components/times.tsx";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { useCurrentSite, useSitesOfPublisher, useStart } from "../layout/session.tsx";
import { PasswordLinkDialog } from "../members/password-link-dialog.tsx";
import { OnSites, RoleOf } from "../members/role-of.tsx";
import { SecondFactor } from "../members/second-factor.tsx";
import { rolesToChoose, SiteRolesFields, withRole } from "../members/site-roles.tsx";
import { words } from "../words/words.ts";

export function MembersPage() {
  const { tenantId, tenantName, isOwner, hasPublisherRole } = useCurrentSite();
  const query = useQuery({
    queryKey: ["members", tenantId],
    queryFn: () => members(tenantId),
    enabled: hasPublisherRole,
  });
  if (!hasPublisherRole)
    return (
      <Page title={words.pages.members} lead={tenantName}>
        <EmptyState icon="members" title={words.pages.membersHiddenTitle}>
          {words.pages.membersHiddenHint}
        </EmptyState>
      </Page>
    );
  return (
    <Page title={words.pages.members} lead={words.pages.membersLead({ tenantName })}>
      <Stack gap="lg">
        {isOwner && <Invite />}
        <SecondFactor />
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
  const sites = useSitesOfPublisher();
  const [input, setInput] = useState<{ email: string } & Roles>({ email: "", role: "editor", siteRoles: [] });
  const withRecentSignIn = useRecentSignIn();
  const [created, setCreated] = useState<NewInvitation | null>(null);
  const { data } = useStart();
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: () => withRecentSignIn(() => invite(tenantId, input)),
    async onSuccess(invitation) {
      setCreated(invitation);
      setInput({ ...input, email: "" });
      await queries.invalidateQueries({ queryKey: ["members", tenantId] });
    },
  });
  return (
    <Paper component="section" aria-label={words.pages.inviteSomebody}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate();
        }}
      >
        <Stack>
          <Title order={2} size="h4">
            {words.pages.inviteSomebody}
          </Title>
          <FormError error={send.error} fields={["email"]} />
          <Group align="flex-start" gap="xs">
            <TextInput
              label={words.pages.eMailAddress}
              type="email"
              flex="1 1 220px"
              value={input.email}
              onChange={(event) => setInput({ ...input, email: event.currentTarget.value })}
              error={faultIn(send.error, "email")}
            />
            <NativeSelect
              label={words.pages.as}
              data={rolesToChoose(sites.length > 1)}
              value={input.role ?? "sites"}
              onChange={(event) => {
                const { email } = input;
                setInput({ email, ...withRole(input, event.currentTarget.value as Role | "sites") });
              }}
            />
            <Button type="submit" loading={send.isPending} mt={25}>
              {data?.sendsMail ? words.pages.sendTheInvitation : words.pages.makeTheLink}
            </Button>
          </Group>
          {sites.length > 1 && (input.role === null || input.role === "viewer") && (
            <SiteRolesFields roles={input} onChange={(roles) => setInput({ email: input.email, ...roles })} />
          )}
          {created !== null && <Link invitation={created} />}
        </Stack>
      </form>
    </Paper>
  );
}

function Link({ invitation: { email, token, mailed } }: { invitation: NewInvitation }) {
  const { publicUrl } = useCurrentSite();
  const title = mailed ? words.pages.invitationMailed({ email }) : words.pages.invitationNotMailed({ email });
  return (
    <Alert color="yellow" variant="light" icon={<Icon name={mailed ? "send" : "key"} />} title={title}>
      <Text size="sm" mb="sm">
        {mailed ? words.pages.invitationMailedHint : words.pages.invitationNotMailedHint}
      </Text>
      <CopyBlock text={`${publicUrl}/invitation#${token}`} label={words.pages.invitationLink} />
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
    <Paper component="section" aria-label={words.pages.invited}>
      <Title order={2} size="h4" mb="sm">
        {words.pages.invited}
      </Title>
      <Stack gap="xs">
        {invitations.map(({ invitationId, email, role, siteRoles, expiresAt }) => (
          <Group key={invitationId} justify="space-between">
            <div>
              <Text size="sm">
                {email}{" "}
                <Text component="span" c="dimmed">
                  {words.pages.asEnds({ role: words.pages.asRoles[role ?? "sites"], ends: fromNow(expiresAt) })}
                </Text>
              </Text>
              <OnSites roles={{ role, siteRoles }} />
            </div>
            {isOwner && (
              <Button
                size="compact-sm"
                variant="subtle"
                color="red"
                aria-label={words.pages.withdrawLabel({ email })}
                onClick={() => withdraw.mutate(invitationId)}
              >
                {words.pages.withdraw}
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
  const withRecentSignIn = useRecentSignIn();
  const [leaving, setLeaving] = useState<Member | null>(null);
  const [locked, setLocked] = useState<Member | null>(null);
  const queries = useQueryClient();
  return (
    <Paper component="section" aria-label={words.pages.members}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.pages.person}</Table.Th>
            <Table.Th w={{ base: 120, sm: 190 }}>{words.pages.role}</Table.Th>
            <Table.Th w={{ base: 105, sm: 210 }}>
              <span className="visually-hidden">{words.pages.memberActionsColumn}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {people.map((member) => (
            <Table.Tr key={member.userId}>
              <Table.Td style={{ overflowWrap: "anywhere" }}>
                <bdi>{member.label}</bdi>{" "}
                {member.userId === data?.user?.userId && (
                  <Text component="span" c="dimmed">
                    {words.pages.you}
                  </Text>
                )}{" "}
                {member.fromProvider && (
                  <Text component="span" c="dimmed">
                    {words.pages.bySingleSignOn}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <RoleOf member={member} />
              </Table.Td>
              <Table.Td ta="right">
                {isOwner && member.userId !== data?.user?.userId && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    aria-label={words.pages.passwordOf({ email: member.email })}
                    onClick={() => setLocked(member)}
                  >
                    {words.pages.password}
                  </Button>
                )}
                {isOwner && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="red"
                    aria-label={words.pages.removeName({ email: member.email })}
                    onClick={() => setLeaving(member)}
                  >
                    {words.pages.remove}
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
        title={words.pages.removeThisMember}
        action={words.pages.remove}
        act={async () => {
          await withRecentSignIn(() => deleteMember(tenantId, leaving!.userId));
          await queries.invalidateQueries();
        }}
      >
        {words.pages.removeMemberWarning({ email: leaving?.email ?? "" })}
      </Confirm>
    </Paper>
  );
}
