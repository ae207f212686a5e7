import type { ComponentType } from "react";
import { withWords } from "../words/words.ts";

/** Loads a page. */
export type LoadPage = () => Promise<ComponentType>;

const signIn = withWords(() => import("./sign-in.tsx"), "signedOut");
const setUp = withWords(() => import("./set-up.tsx"), "signedOut", "agreement");
const invitation = withWords(() => import("./invitation.tsx"), "signedOut");
const password = withWords(() => import("./password.tsx"), "signedOut");

const loadSignIn: LoadPage = async () => (await signIn()).SignInPage;

/** The pages for people who are not signed in, by their path. */
export const signedOutPages: Record<string, LoadPage | undefined> = {
  "/sign-in": loadSignIn,
  // People may type this address.
  "/login": loadSignIn,
  "/set-up": async () => (await setUp()).SetUpPage,
  "/invitation": async () => (await invitation()).InvitationPage,
  "/forgotten": async () => (await password()).ForgottenPage,
  "/new-password": async () => (await password()).NewPasswordPage,
};

/** Returns the path of a page of the dashboard, without the path below which a proxy may serve it. */
export function pageOf(pathname: string): string {
  const base = new URL(document.baseURI).pathname;
  return pathname.startsWith(base) ? pathname.slice(base.length - 1) : pathname;
}
