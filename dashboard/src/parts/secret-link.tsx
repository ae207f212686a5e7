import { Text } from "@mantine/core";
import { useState } from "react";
import { Door } from "./door.tsx";

/** The token of the link that led here, "" where there is none. It stands behind the #, which no server and no log sees. */
export function useLinkToken(): string {
  const [token] = useState(() => location.hash.slice(1));
  return token;
}

/** For a link whose token was lost on the way. */
export function LinkNotWhole() {
  return (
    <Door title="This link is not whole">
      <Text size="sm">Copy it from the message again, to its very end.</Text>
    </Door>
  );
}
