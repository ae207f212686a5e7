import { Button, Menu, Text, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { signOut } from "../api/calls.ts";
import { Icon } from "../components/icon.tsx";
import { useStart } from "./session.tsx";

/** The menu of the signed-in user: account, colour scheme, sign-out. */
export function UserMenu() {
  const { data } = useStart();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme("light") === "light" ? "dark" : "light";
  const out = useMutation({
    mutationFn: signOut,
    async onSuccess() {
      queries.clear();
      await navigate({ to: "/sign-in" });
    },
  });
  if (!data?.user) return null;
  return (
    <Menu position="top-start" width="target">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          fullWidth
          px="xs"
          justify="flex-start"
          leftSection={<Icon name="members" />}
          loading={out.isPending}
        >
          <Text component="span" size="sm" truncate>
            {data.user.email}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="key" size={16} />} onClick={() => void navigate({ to: "/account" })}>
          Your account
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name={other === "dark" ? "moon" : "sun"} size={16} />}
          onClick={() => setColorScheme(other)}
        >
          {other === "dark" ? "Dark colours" : "Light colours"}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="cross" size={16} />} onClick={() => out.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
