import { Text } from "@mantine/core";
import { useState } from "react";
import { words } from "../words/words.ts";
import { SignedOutPage } from "./signed-out-page.tsx";

/**
 * Returns the token of the link that opened this page, or "". The token is in the fragment, which servers and logs
 * never see.
 */
export function useLinkToken(): string {
  const [token] = useState(() => location.hash.slice(1));
  return token;
}

/** The page for a link whose token is missing. */
export function IncompleteLink() {
  return (
    <SignedOutPage title={words.components.linkIsIncomplete}>
      <Text size="sm">{words.components.incompleteLinkHint}</Text>
    </SignedOutPage>
  );
}
