import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Certificate } from "./certificate.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";

const nginxPath = "/usr/sbin/nginx";
const nghttpdPath = "/usr/sbin/nghttpd";

export const hasNginx = existsSync(nginxPath);
export const hasNghttpd = existsSync(nghttpdPath);

/** nginx over HTTP/2, answering 201. It ends each connection by GOAWAY after `requestsPerConnection`. Its log is its record. */
export async function startNginx(certificate: Certificate, requestsPerConnection: number) {
  const folder = await certificateFolder(certificate);
  await mkdir(join(folder, "logs"));
  const port = await freePort();
  await writeFile(join(folder, "nginx.conf"), nginxConf(folder, port, requestsPerConnection));
  const child = spawn(nginxPath, ["-p", folder, "-c", join(folder, "nginx.conf")], { stdio: "ignore" });
  await listening(port);
  return {
    origin: `https://localhost:${port}`,
    /** The paths of all requests so far. What nginx has answered is written before its connection ends. */
    paths: async () => (await readFile(join(folder, "access.log"), "utf8")).split("\n").filter((path) => path !== ""),
    close: () => end(child, folder),
  };
}

/** nghttp2's own server, answering 200 to /push. */
export async function startNghttpd(certificate: Certificate) {
  const folder = await certificateFolder(certificate);
  await writeFile(join(folder, "push"), "");
  const port = await freePort();
  const files = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const child = spawn(nghttpdPath, ["--address=127.0.0.1", "-d", folder, String(port), ...files], { stdio: "ignore" });
  await listening(port);
  return { origin: `https://localhost:${port}`, close: () => end(child, folder) };
}

function nginxConf(folder: string, port: number, requestsPerConnection: number): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `
    daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
    events { worker_connections 256; }
    http {
      log_format path "$uri"; access_log ${folder}/access.log path;
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
      keepalive_requests ${requestsPerConnection};
      server {
        listen 127.0.0.1:${port} ssl http2;
        ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;
        location / { return 201; }
      }
    }`;
}

async function certificateFolder({ cert, key }: Certificate): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "found-server-"));
  await writeFile(join(folder, "cert.pem"), cert);
  await writeFile(join(folder, "key.pem"), key);
  return folder;
}

async function listening(port: number): Promise<void> {
  await eventually(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, "127.0.0.1", () => resolve(true));
        socket.on("error", () => resolve(false));
        socket.on("connect", () => socket.destroy());
      }),
  );
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null) {
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await exited;
  }
  await rm(folder, { recursive: true, force: true });
}
