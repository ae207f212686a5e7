import { NativeSelect, SimpleGrid, Stack, Text } from "@mantine/core";
import type { Role, Roles, SiteRole } from "../api/calls.ts";
import { useSitesOfPublisher } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/**
 * Returns the choices for the role for the whole publisher. `sites` stands for no such role. It is offered only if
 * there are several sites.
 */
export function rolesToChoose(hasSeveralSites: boolean): { value: Role | "sites"; label: string }[] {
  const values = ["owner", "editor", "viewer", ...(hasSeveralSites ? (["sites"] as const) : [])] as const;
  return values.map((value) => ({ value, label: words.pages.roles[value] }));
}

/** Returns the roles after a choice. Drops roles on sites that add nothing to the chosen role. */
export function withRole({ siteRoles }: Roles, chosen: Role | "sites"): Roles {
  if (chosen === "sites") return { role: null, siteRoles };
  return { role: chosen, siteRoles: chosen === "viewer" ? siteRoles.filter(({ role }) => role === "editor") : [] };
}

/**
 * The fields for a person's role on each site. They are for a viewer, or a person without a role for the whole
 * publisher.
 */
export function SiteRolesFields({ roles, onChange }: { roles: Roles; onChange: (changed: Roles) => void }) {
  const sites = useSitesOfPublisher();
  const { role, siteRoles } = roles;
  const none = role === null ? words.members.noRole : words.pages.roles.viewer;
  const choices = (["", ...(role === null ? ["viewer"] : []), "editor"] as ("" | SiteRole["role"])[]).map((value) => ({
    value,
    label: value === "" ? none : words.pages.roles[value],
  }));
  const write = (siteId: string, chosen: "" | SiteRole["role"]) => {
    const others = siteRoles.filter((one) => one.siteId !== siteId);
    onChange({ role, siteRoles: chosen === "" ? others : [...others, { siteId, role: chosen }] });
  };
  return (
    <Stack gap="xs" component="fieldset" bd={0} p={0} m={0} miw={0}>
      <Text component="legend" size="sm" fw={500}>
        {words.members.rolesOnSites}
      </Text>
      <Text size="sm" c="dimmed">
        {words.members.rolesOnSitesHint}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
        {sites.map(({ siteId, name }) => (
          <NativeSelect
            key={siteId}
            label={name}
            aria-label={words.members.roleOn({ name })}
            data={choices}
            value={siteRoles.find((one) => one.siteId === siteId)?.role ?? ""}
            onChange={(event) => write(siteId, event.currentTarget.value as "" | SiteRole["role"])}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}
