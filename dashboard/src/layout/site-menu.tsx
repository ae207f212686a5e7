import { Button, Menu } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Start } from "../api/calls.ts";
import { Icon } from "../components/icon.tsx";

/** The menu to switch the site. `children`: the name of the current site. */
// biome-ignore lint/style/noDefaultExport: React's lazy takes the default export
export default function SiteMenu({ tenants, children }: Pick<Start, "tenants"> & { children: ReactNode }) {
  const navigate = useNavigate();
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
          {children}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {tenants.map(({ tenantId, name, sites }) => [
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
