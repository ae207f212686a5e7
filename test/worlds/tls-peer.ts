import { type AddressInfo, createServer, type Socket } from "node:net";
import { createSecureContext, type SecureContextOptions, TLSSocket, type TlsOptions } from "node:tls";

export type TlsPeerOptions = Pick<TlsOptions, "ALPNProtocols"> & SecureContextOptions;

/** A TLS server that also shows the TCP socket below, so that a test can reset it, and counts connections. */
export async function startTlsPeer(options: TlsPeerOptions, onSocket: (socket: TLSSocket, tcp: Socket) => void) {
  const secureContext = createSecureContext(options);
  const sockets = new Set<Socket>();
  const server = createServer((tcp) => {
    sockets.add(tcp);
    tcp.on("error", () => {});
    // What a test writes in two parts is not to wait for an acknowledgement in between.
    tcp.setNoDelay();
    const socket = new TLSSocket(tcp, { isServer: true, secureContext, ALPNProtocols: options.ALPNProtocols });
    socket.on("error", () => {});
    socket.once("secure", () => onSocket(socket, tcp));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `https://localhost:${port}`,
    port,
    /** All that ever connected. */
    sockets,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
