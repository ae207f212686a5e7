/**
 * Why a sign-in by the provider ends without a session; the dashboard has the words. `away`: the provider does not
 * answer. `declined`: it said no, or the person went back. `failed`: its answer does not fit. `expired`: begun over ten
 * minutes ago, in another browser, or completed already. `unverified`: it does not assert the e-mail address.
 * `unknown`: that address has no account. `linked`: its account is linked to another person there. `other`: not the
 * person of the session to confirm. `old`: that person was not asked to sign in again. `limited`: too many tries.
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

/** An expected end of a sign-in by the provider. */
export class ProviderRefusal extends Error {
  readonly refusal: ProviderRefusalCode;

  constructor(refusal: ProviderRefusalCode) {
    super(`refused: ${refusal}`);
    this.refusal = refusal;
  }
}
