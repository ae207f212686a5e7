/**
 * The length in bits of each octet's code in HPACK's Huffman code (RFC 7541 appendix B). The last entry is the end of
 * the string. In this canonical code, codes of one length are consecutive in the order of octets. The lengths
 * therefore define all codes.
 */
const bitsOfOctet = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28,
  28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6,
  5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23,
  22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22,
  23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26,
  20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27,
  27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27,
  27, 27, 27, 26, 30,
];

const endOfString = 256;
/**
 * The code as a tree with two branches per node. A value above 0 is another node. A value below 0 is a symbol: -1
 * minus its number.
 */
const tree = buildTree();

/**
 * Decodes `bytes` from `from` up to `to` as Latin-1. Returns undefined if the code or its padding is invalid (section
 * 5.2).
 */
export function decodeHuffman(bytes: Buffer, from: number, to: number): string | undefined {
  let text = "";
  let node = 0;
  let bitsSinceSymbol = 0;
  let onlyOnes = true;
  for (let at = from; at < to; at += 1) {
    for (let mask = 0x80; mask > 0; mask >>>= 1) {
      const bit = (bytes[at]! & mask) === 0 ? 0 : 1;
      const next = tree[node + bit]!;
      bitsSinceSymbol += 1;
      onlyOnes &&= bit === 1;
      if (next >= 0) {
        node = next;
        continue;
      }
      if (next === -1 - endOfString) return undefined;
      text += String.fromCharCode(-1 - next);
      node = 0;
      bitsSinceSymbol = 0;
      onlyOnes = true;
    }
  }
  return bitsSinceSymbol < 8 && onlyOnes ? text : undefined;
}

function buildTree(): Int16Array {
  const nodes = new Int16Array(2 * (bitsOfOctet.length - 1));
  let used = 2;
  const place = (symbol: number, code: number, bits: number) => {
    let node = 0;
    for (let bit = bits - 1; bit > 0; bit -= 1) {
      const branch = node + ((code >>> bit) & 1);
      if (nodes[branch] === 0) {
        nodes[branch] = used;
        used += 2;
      }
      node = nodes[branch]!;
    }
    nodes[node + (code & 1)] = -1 - symbol;
  };
  let code = 0;
  for (let bits = 1; bits <= 30; bits += 1) {
    code <<= 1;
    for (const [symbol, itsBits] of bitsOfOctet.entries()) {
      if (itsBits === bits) place(symbol, code++, bits);
    }
  }
  return nodes;
}
