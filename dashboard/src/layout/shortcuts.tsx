import { Button, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { createContext, lazy, type ReactNode, Suspense, use, useEffect, useRef, useState } from "react";
import { Icon } from "../components/icon.tsx";
import { withWords, words } from "../words/words.ts";
import { areSingleKeysOn, commandKey } from "./keys.ts";
import { CurrentSiteContext } from "./session.tsx";
import { sitePagesOf } from "./site-pages.ts";

const Palette = lazy(withWords(() => import("../palette/palette.tsx"), "palette"));
const ShortcutList = lazy(withWords(() => import("../palette/shortcut-list.tsx"), "palette"));

type Shown = "palette" | "list" | null;

const ShowContext = createContext<(shown: Shown) => void>(() => {});

/** How long after `g` the next key opens a page. */
const goForMs = 1_500;

/** Opens the palette and the list of shortcuts by their keys, and pages by `g` and a letter. */
export function Shortcuts({ children }: { children: ReactNode }) {
  const [shown, show] = useState<Shown>(null);
  const run = useShortcut(show);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented) return;
      if (run(event)) event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
  return (
    <ShowContext value={show}>
      {children}
      <Suspense>
        {shown === "palette" && <Palette onClose={() => show(null)} onShowList={() => show("list")} />}
        {shown === "list" && <ShortcutList onClose={() => show(null)} />}
      </Suspense>
    </ShowContext>
  );
}

/** Returns a function that runs the shortcut of a key. The function returns whether the key has a shortcut. */
function useShortcut(show: (shown: Shown) => void): (event: KeyboardEvent) => boolean {
  const navigate = useNavigate();
  const currentSite = use(CurrentSiteContext);
  const goUntilMs = useRef(0);
  return ({ key, metaKey, ctrlKey, altKey, target }) => {
    if ((metaKey || ctrlKey) && !altKey && key.toLowerCase() === "k") {
      show("palette");
      return true;
    }
    if (metaKey || ctrlKey || altKey || isWritten(target) || document.querySelector("[aria-modal=true]")) return false;
    if (!areSingleKeysOn()) return false;
    if (key === "?") show("list");
    if (key === "?" || currentSite === null) return key === "?";
    const params = { siteId: currentSite.siteId };
    const isGoing = performance.now() < goUntilMs.current;
    goUntilMs.current = !isGoing && key === "g" ? performance.now() + goForMs : 0;
    const page = isGoing ? sitePagesOf(currentSite).find((one) => one.key === key) : undefined;
    if (page !== undefined) void navigate({ to: page.to, params });
    else if (key === "c" && currentSite.canEdit) void navigate({ to: "/sites/$siteId/compose", params });
    else if (key === "w") void navigate({ to: "/sites/$siteId/screen", params });
    else return key === "g";
    return true;
  };
}

/** Returns whether a key pressed on this element is input of a text. */
function isWritten(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** The button that opens the palette and shows its key. */
export function FindButton() {
  const show = use(ShowContext);
  return (
    <Button
      variant="default"
      fullWidth
      justify="space-between"
      px="sm"
      fw={400}
      leftSection={<Icon name="search" size={16} />}
      rightSection={
        <Text component="kbd" size="xs" c="dimmed" ff="inherit" visibleFrom="sm">
          {commandKey()}K
        </Text>
      }
      styles={{ label: { flex: 1 } }}
      onClick={() => show("palette")}
    >
      {words.layout.find}
    </Button>
  );
}
