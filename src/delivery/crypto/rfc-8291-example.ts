import type { FixedKeys, PlainBatch } from "./encrypt.ts";

const fromBase64 = (text: string) => Buffer.from(text, "base64url");
const plaintext = Buffer.from("When I grow up, I want to be a watermelon");

/** The example of RFC 8291, section 5 and appendix A: input, fixed keys, and expected body. */
export const rfc8291Example: { batch: PlainBatch; fixed: FixedKeys; body: Buffer } = {
  batch: {
    count: 1,
    publicKeys: fromBase64("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
    authSecrets: fromBase64("BTBZMqHH6r4Tts7J_aSIgg"),
    plaintexts: plaintext,
    plaintextBytes: plaintext.length,
  },
  fixed: {
    privateKey: fromBase64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
    salt: fromBase64("DGv6ra1nlYgDCS1FRnbzlw"),
  },
  body: fromBase64(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz" +
      "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  ),
};
