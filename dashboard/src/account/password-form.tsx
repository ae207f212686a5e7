import { Button, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changePassword } from "../api/calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { newSessionKey } from "../layout/session.tsx";
import { words } from "../words/words.ts";

const empty = { currentPassword: "", newPassword: "" };

export function PasswordForm() {
  const [input, setInput] = useState(empty);
  const queries = useQueryClient();
  const change = useMutation({
    mutationKey: newSessionKey,
    mutationFn: changePassword,
    async onSuccess() {
      setInput(empty);
      notifications.show({ color: "green", message: words.account.passwordChanged });
      await queries.invalidateQueries({ queryKey: ["sessions"] });
    },
  });
  return (
    <Paper component="section" aria-label={words.account.changeYourPassword} maw={640}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(input);
        }}
      >
        <Stack>
          <div>
            <Title order={2} size="h4">
              {words.account.changeYourPassword}
            </Title>
            <Text size="sm" c="dimmed">
              {words.account.changePasswordLead}
            </Text>
          </div>
          <FormError error={change.error} fields={["currentPassword", "newPassword"]} />
          <Secret
            label={words.account.presentPassword}
            autoComplete="current-password"
            value={input.currentPassword}
            onChange={(currentPassword) => setInput({ ...input, currentPassword })}
            error={faultIn(change.error, "currentPassword")}
          />
          <Secret
            label={words.account.newPassword}
            autoComplete="new-password"
            value={input.newPassword}
            onChange={(newPassword) => setInput({ ...input, newPassword })}
            error={faultIn(change.error, "newPassword")}
          />
          <Button type="submit" loading={change.isPending}>
            {words.account.changeIt}
          </Button>
        </Stack>
      </form>
    </Paper>
  );
}

function Secret(props: {
  label: string;
  autoComplete: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}) {
  const { onChange, ...rest } = props;
  return (
    <PasswordInput
      {...rest}
      visibilityToggleButtonProps={{ "aria-label": words.account.showThePassword, tabIndex: 0 }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
