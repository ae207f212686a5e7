import { afterEach, describe, expect, test } from "vitest";
import { createCertificate } from "../../fixtures/certificate.ts";
import { message, type TransportFixture } from "./fixture.ts";

const dayMs = 86_400_000;

/** Tests fault 15, untrusted TLS. No request is written, whatever the environment allows. */
export function untrustedCases(fixture: TransportFixture): void {
  describe("untrusted TLS (fault 15)", () => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    afterEach(() => {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    });

    test("because the certificate is self-signed leaves the request unsent", async () => {
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
      const stranger = await createCertificate("stranger");
      const peer = await fixture.framePeer({ certificate: stranger });
      const answer = await fixture.transport().post(message(peer.origin));
      expect(answer).toEqual({ kind: "notSent", reason: "connect: DEPTH_ZERO_SELF_SIGNED_CERT" });
      expect(peer.requests).toHaveLength(0);
    });

    test("because the certificate is for another name leaves the request unsent", async () => {
      const elsewhere = await createCertificate("elsewhere", ["push.example"]);
      const peer = await fixture.framePeer({ certificate: elsewhere });
      const answer = await fixture.transport({ ca: elsewhere.cert }).post(message(peer.origin));
      expect(answer).toEqual({ kind: "notSent", reason: "connect: ERR_TLS_CERT_ALTNAME_INVALID" });
      expect(peer.requests).toHaveLength(0);
    });

    test.each([
      ["has expired", -2 * dayMs, -dayMs, "CERT_HAS_EXPIRED"],
      ["is not valid yet", dayMs, 2 * dayMs, "CERT_NOT_YET_VALID"],
    ])("because the certificate %s leaves the request unsent", async (_why, from, until, code) => {
      const dates = { from: new Date(Date.now() + from), until: new Date(Date.now() + until) };
      const dated = await createCertificate("dated", ["localhost"], dates);
      const peer = await fixture.framePeer({ certificate: dated });
      const answer = await fixture.transport({ ca: dated.cert }).post(message(peer.origin));
      expect(answer).toEqual({ kind: "notSent", reason: `connect: ${code}` });
      expect(peer.requests).toHaveLength(0);
    });

    test.each(["TLSv1", "TLSv1.1"] as const)(
      "because the peer supports at most %s leaves the request unsent",
      async (version) => {
        let secured = 0;
        const peer = await fixture.tlsPeer(
          { ALPNProtocols: ["h2"], minVersion: version, maxVersion: version, ciphers: "ALL:@SECLEVEL=0" },
          () => {
            secured += 1;
          },
        );
        const answer = await fixture.transport().post(message(peer.origin));
        expect(answer).toMatchObject({
          kind: "notSent",
          reason: expect.stringMatching(/^connect: E\w*(VERSION|PROTOCOL)/),
        });
        expect([peer.sockets.size, secured]).toEqual([1, 0]);
      },
    );
  });
}
