import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Navigate, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { signIn } from "../api/calls.ts";
import { useStart } from "../frame/session.tsx";
import { Door } from "../parts/door.tsx";
import { FormError, faultIn } from "../parts/form-error.tsx";
import { TextLink } from "../parts/links.tsx";

export function SignInPage() {
  const { data } = useStart();
  const { next } = useSearch({ strict: false }) as { next?: string };
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const enter = useMutation({
    mutationFn: signIn,
    async onSuccess() {
      await queries.resetQueries();
      await navigate({ href: isOurs(next) ? next : "/" });
    },
  });
  if (data?.needsSetUp) return <Navigate to="/set-up" replace />;
  return (
    <Door title="Sign in" lead="With the address and password of your account here.">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          enter.mutate({ email, password });
        }}
      >
        <Stack>
          <FormError error={enter.error} fields={["email", "password"]} />
          <TextInput
            label="E-mail address"
            type="email"
            autoComplete="username"
            autoFocus
            required
            withAsterisk={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={faultIn(enter.error, "email")}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            visibilityToggleButtonProps={{ "aria-label": "Show the password", tabIndex: 0 }}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={faultIn(enter.error, "password")}
          />
          <Button type="submit" loading={enter.isPending} mt="xs">
            Sign in
          </Button>
          <TextLink to="/forgotten" size="sm" ta="center">
            Forgot your password?
          </TextLink>
        </Stack>
      </form>
    </Door>
  );
}

/** A page of ours, and no address that leads elsewhere. */
function isOurs(next: string | undefined): next is string {
  return next !== undefined && /^\/(?![/\\])/.test(next);
}
