import { Button, Menu, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { use } from "react";
import { Icon } from "../components/icon.tsx";
import { CurrentSiteContext, useStart } from "./session.tsx";

/** Shows the current site; with several sites, a menu to switch. */
export function SiteSwitch() {
  const { data } = useStart();
  const currentSite = use(CurrentSiteContext);
  const navigate = useNavigate();
  if (currentSite === null || data === undefined) return null;
  const isOnlyOne = data.tenants.flatMap(({ sites }) => sites).length === 1;
  const names = (
    <span>
      <Text component="span" display="block" size="sm" fw={600} lh={1.3} truncate dir="auto">
        {currentSite.site.name}
      </Text>
      <Text component="span" display="block" size="xs" c="dimmed" lh={1.3} truncate dir="auto">
        {currentSite.tenantName}
      </Text>
    </span>
  );
  if (isOnlyOne)
    return (
      <Text component="div" px={6}>
        {names}
      </Text>
    );
  return (
    <Menu width="target" position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          fullWidth
          h={52}
          px="sm"
          justify="space-between"
          ta="left"
          rightSection={<Icon name="down" size={14} />}
        >
          {names}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {data.tenants.map(({ tenantId, name, sites }) => [
          <Menu.Label key={tenantId}>{name}</Menu.Label>,
          ...sites.map((site) => (
            <Menu.Item
              key={site.siteId}
              onClick={() => void navigate({ to: "/sites/$siteId", params: { siteId: site.siteId } })}
            >
              {site.name}
            </Menu.Item>
          )),
        ])}
      </Menu.Dropdown>
    </Menu>
  );
}
