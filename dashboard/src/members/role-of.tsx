import { Button, Group, Modal, NativeSelect, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changeMember, type Members, type Role, type Roles } from "../api/calls.ts";
import { toApiError } from "../api/client.ts";
import { FormError } from "../components/form-error.tsx";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { useCurrentSite, useSitesOfPublisher } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { rolesToChoose, SiteRolesFields, withRole } from "./site-roles.tsx";

type Member = Members["members"][number];

/** A member's role for the publisher and the roles for single sites. An owner changes them. */
export function RoleOf({ member }: { member: Member }) {
  const { isOwner } = useCurrentSite();
  const sites = useSitesOfPublisher();
  const [draft, setDraft] = useState<Roles | null>(null);
  const change = useChange(member, () => {});
  const { role, siteRoles, email } = member;
  const chosen = role ?? "sites";
  const choose = (wanted: Role | "sites") => {
    const roles = withRole(member, wanted);
    if (wanted === "sites") setDraft(roles);
    else
      change.mutate(roles, {
        onError: (error) => notifications.show({ color: "red", message: toApiError(error).message }),
      });
  };
  const hasSiteRoles = role === null || role === "viewer";
  return (
    <Stack gap={4} align="flex-start">
      {!isOwner || member.fromProvider ? (
        <Text size="sm">{words.pages.roles[chosen]}</Text>
      ) : (
        <NativeSelect
          size="xs"
          w="100%"
          aria-label={words.pages.roleOf({ email })}
          data={rolesToChoose(sites.length > 1 || role === null)}
          value={chosen}
          onChange={(event) => choose(event.currentTarget.value as Role | "sites")}
        />
      )}
      {hasSiteRoles && <OnSites roles={member} />}
      {isOwner && hasSiteRoles && (sites.length > 1 || siteRoles.length > 0) && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={words.members.rolesOnSitesOf({ email })}
          onClick={() => setDraft({ role, siteRoles })}
        >
          {words.members.sites}
        </Button>
      )}
      {draft !== null && <SiteRolesDialog member={member} draft={draft} onClose={() => setDraft(null)} />}
    </Stack>
  );
}

/** The roles on sites in words, one per line. */
export function OnSites({ roles: { siteRoles } }: { roles: Roles }) {
  const sites = useSitesOfPublisher();
  return siteRoles.map(({ siteId, role }) => {
    const name = sites.find((site) => site.siteId === siteId)?.name;
    if (name === undefined) return null;
    return (
      <Text key={siteId} size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {words.members.roleOnSite({ name, role: words.pages.roles[role] })}
      </Text>
    );
  });
}

function useChange({ userId }: Member, onDone: () => void) {
  const { tenantId } = useCurrentSite();
  const withRecentSignIn = useRecentSignIn();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (roles: Roles) => withRecentSignIn(() => changeMember(tenantId, userId, roles)),
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries(),
  });
}

function SiteRolesDialog(props: { member: Member; draft: Roles; onClose: () => void }) {
  const { member, onClose } = props;
  const [roles, setRoles] = useState(props.draft);
  const change = useChange(member, onClose);
  return (
    <Modal opened onClose={onClose} title={<b>{words.members.rolesOnSitesOf({ email: member.email })}</b>}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(roles);
        }}
      >
        <Stack>
          <FormError error={change.error} />
          <SiteRolesFields roles={roles} onChange={setRoles} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {words.members.cancel}
            </Button>
            <Button type="submit" loading={change.isPending}>
              {words.members.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
