import { connect } from "node:net";

/** Sends `text` unchanged over a new socket and returns everything received until the server closes it. */
export function sendRaw(url: string, text: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", (error) => (answer === "" ? reject(error) : resolve(answer)));
    socket.on("close", () => resolve(answer));
  });
}

/** Returns the status, the head and the JSON body of a raw answer. */
// biome-ignore lint/suspicious/noExplicitAny: a test may check any field
export function readRaw(answer: string): { status: number; head: string; body: any } {
  const [head, body] = [answer.slice(0, answer.indexOf("\r\n\r\n")), answer.slice(answer.indexOf("\r\n\r\n") + 4)];
  const isChunked = /transfer-encoding: chunked/i.test(head);
  const text = isChunked ? body.replace(/^[\da-f]+\r\n/i, "").replace(/\r\n0\r\n\r\n$/, "") : body;
  return { status: Number(head.split(" ")[1]), head, body: text === "" ? undefined : JSON.parse(text) };
}
