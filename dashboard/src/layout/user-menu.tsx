import { Button, Menu, Text, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { signOut } from "../api/calls.ts";
import { Icon } from "../components/icon.tsx";
import { languages, otherLanguages } from "../words/language.ts";
import { speak } from "../words/speak.ts";
import { words } from "../words/words.ts";
import { openPage } from "./leave.tsx";
import { useStart } from "./session.tsx";

/** The menu of the signed-in user: account, colour scheme and sign-out. */
// biome-ignore lint/style/noDefaultExport: React's lazy takes the default export
export default function UserMenu() {
  const { data } = useStart();
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme("light") === "light" ? "dark" : "light";
  const out = useMutation({
    mutationFn: signOut,
    onSuccess: () => openPage("/sign-in"),
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
          {words.layout.yourAccount}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name={other === "dark" ? "moon" : "sun"} size={16} />}
          onClick={() => setColorScheme(other)}
        >
          {other === "dark" ? words.layout.darkColours : words.layout.lightColours}
        </Menu.Item>
        {otherLanguages.map((name) => (
          <Menu.Item
            key={name}
            leftSection={<Icon name="language" size={16} />}
            lang={name}
            onClick={() => speak(name)}
          >
            {languages[name].name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="cross" size={16} />} onClick={() => out.mutate()}>
          {words.layout.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
