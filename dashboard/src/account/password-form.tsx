import { Button, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { changePassword } from "../api/calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";

const empty = { currentPassword: "", newPassword: "" };

export function PasswordForm() {
  const [input, setInput] = useState(empty);
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: changePassword,
    async onSuccess() {
      setInput(empty);
      notifications.show({ color: "green", message: "Your password is changed. Other devices are signed out." });
      await queries.invalidateQueries({ queryKey: ["sessions"] });
    },
  });
  return (
    <Paper component="section" aria-label="Change your password" maw={640}>
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
              Change your password
            </Title>
            <Text size="sm" c="dimmed">
              You stay signed in here, and are signed out everywhere else.
            </Text>
          </div>
          <FormError error={change.error} fields={["currentPassword", "newPassword"]} />
          <Secret
            label="Present password"
            autoComplete="current-password"
            value={input.currentPassword}
            onChange={(currentPassword) => setInput({ ...input, currentPassword })}
            error={faultIn(change.error, "currentPassword")}
          />
          <Secret
            label="New password, at least 8 characters"
            autoComplete="new-password"
            value={input.newPassword}
            onChange={(newPassword) => setInput({ ...input, newPassword })}
            error={faultIn(change.error, "newPassword")}
          />
          <Button type="submit" loading={change.isPending}>
            Change it
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
      visibilityToggleButtonProps={{ "aria-label": "Show the password", tabIndex: 0 }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
