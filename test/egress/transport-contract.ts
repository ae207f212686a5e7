import { afterEach, beforeAll, beforeEach, describe } from "vitest";
import { answerCases } from "./contract/answers.ts";
import { closingCases } from "./contract/closing.ts";
import { connectCases } from "./contract/connects.ts";
import { type CreateTransport, transportFixture } from "./contract/fixture.ts";
import { flowControlCases } from "./contract/flow-control.ts";
import { goawayCases } from "./contract/goaway.ts";
import { http1Cases } from "./contract/http1.ts";
import { loadCases } from "./contract/load.ts";
import { refusalCases } from "./contract/refusals.ts";
import { resetCases } from "./contract/resets.ts";
import { settingsCases } from "./contract/settings.ts";
import { slowCases } from "./contract/slow-answers.ts";
import { standstillCases } from "./contract/standstill.ts";
import { untrustedCases } from "./contract/untrusted.ts";

/**
 * The tests that every push transport must pass. Test peers record the requests that they receive. The tests check the
 * transport's answers against that record: whether a message came twice, was processed, or was not sent. The titles
 * number the faults that a run of Pressbell must survive: 11 a peer that accepts and never answers (slow-answers.ts),
 * 12 slow and endless answers (slow-answers.ts), 13 GOAWAY, RST_STREAM and SETTINGS (goaway.ts, resets.ts,
 * settings.ts), 14 connections that break before and during the answer (resets.ts), 15 untrusted TLS (untrusted.ts).
 */
export function transportContract(name: string, createTransport: CreateTransport): void {
  describe(name, () => {
    const fixture = transportFixture(createTransport);
    beforeAll(fixture.begin);
    beforeEach(fixture.beginTest);
    afterEach(fixture.end);

    refusalCases(fixture);
    answerCases(fixture);
    settingsCases(fixture);
    flowControlCases(fixture);
    goawayCases(fixture);
    resetCases(fixture);
    slowCases(fixture);
    standstillCases(fixture);
    connectCases(fixture);
    untrustedCases(fixture);
    http1Cases(fixture);
    closingCases(fixture);
    loadCases(fixture);
  });
}
