/**
 * The reasons why a sign-in by the provider ends without a session. The dashboard has the texts.
 * - `away`: the provider does not answer.
 * - `declined`: the provider said no, or the person went back.
 * - `failed`: the provider's answer does not fit.
 * - `expired`: the sign-in began over ten minutes ago or in another browser, or was completed already.
 * - `unverified`: the provider does not assert the e-mail address.
 * - `unknown`: the e-mail address has no account.
 * - `linked`: the account of the address is linked to another person at the provider.
 * - `other`: the person is not the one whose session is to be confirmed.
 * - `old`: the provider did not ask the person to sign in again.
 * - `limited`: there were too many tries.
 */
export type ProviderRefusalCode =
  | "away"
  | "declined"
  | "failed"
  | "expired"
  | "unverified"
  | "unknown"
  | "linked"
  | "other"
  | "old"
  | "limited";

/** A sign-in by the provider that ended without a session for an expected reason. */
export class ProviderRefusal extends Error {
  readonly refusal: ProviderRefusalCode;

  constructor(refusal: ProviderRefusalCode) {
    super(`refused: ${refusal}`);
    this.refusal = refusal;
  }
}
