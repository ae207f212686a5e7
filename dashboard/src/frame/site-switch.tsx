import { Button, Menu, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { use } from "react";
import { Icon } from "../parts/icon.tsx";
import { PlaceContext, useStart } from "./session.tsx";

/** Which site one is at; with several, the way to another. */
export function SiteSwitch() {
  const { data } = useStart();
  const place = use(PlaceContext);
  const navigate = useNavigate();
  if (place === null || data === undefined) return null;
  const isOnlyOne = data.tenants.flatMap(({ sites }) => sites).length === 1;
  const words = (
    <span>
      <Text component="span" display="block" size="sm" fw={600} lh={1.3} truncate>
        {place.site.name}
      </Text>
      <Text component="span" display="block" size="xs" c="dimmed" lh={1.3} truncate>
        {place.tenantName}
      </Text>
    </span>
  );
  if (isOnlyOne)
    return (
      <Text component="div" px={6}>
        {words}
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
          {words}
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
