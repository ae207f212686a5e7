import { useEffect } from "react";
import { addressOf } from "../api/address.ts";

/** Opens a page of the dashboard by loading it, because the pages before and after the sign-in are two programs. */
export function openPage(page: string): void {
  location.assign(addressOf(page));
}

/** Replaces this page by another, so that "back" does not lead to it. */
export function Leave({ to }: { to: string }) {
  useEffect(() => location.replace(addressOf(to)), [to]);
  return null;
}
