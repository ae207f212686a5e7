import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createCertificate } from "../test/fixtures/certificate.ts";
import type { PushService } from "./push-service.ts";
import { writeSubscriptions } from "./subscriptions.ts";

/**
 * The module from Debian's package `libnginx-mod-http-echo`. Without it, nginx would answer before it has read the
 * body.
 */
const echoModule = "/usr/lib/nginx/modules/ngx_http_echo_module.so";

export function hasNginx(): boolean {
  return existsSync(echoModule) && spawnSync("nginx", ["-v"]).status === 0;
}

/**
 * Starts nginx with one worker, and one port per origin. It answers each request after `rttMs`, however many requests
 * are waiting.
 */
export async function startNginx(options: { origins: number; rttMs: number }, folder: string): Promise<PushService> {
  const home = join(folder, "nginx");
  await mkdir(home);
  const { cert, key } = await createCertificate("bench");
  const caFile = join(home, "cert.pem");
  await writeFile(caFile, cert);
  await writeFile(join(home, "key.pem"), key, { mode: 0o600 });
  const ports: number[] = [];
  // Ports are taken one after the other, because two simultaneous calls may return the same port.
  for (let i = 0; i <= options.origins; i++) ports.push(await freePort());
  const [statusPort, ...originPorts] = ports;
  await writeFile(join(home, "nginx.conf"), configuration(home, originPorts, statusPort!, options.rttMs));
  // `--pdeathsig`: nginx stops when the benchmark exits, even by kill -9.
  const args = ["--pdeathsig", "TERM", "nginx", "-p", home, "-c", join(home, "nginx.conf")];
  const child = spawn("setpriv", args, { stdio: ["ignore", "inherit", "inherit"] });
  const origins = originPorts.map((port) => `https://127.0.0.1:${port}`);
  const requests = () => requestsOf(`http://127.0.0.1:${statusPort}/`);
  await waitUntilListening(child, requests);
  // The count includes the requests for the status page itself.
  let statusRequests = await requests();
  return {
    name: `nginx ${/[\d.]+/.exec(spawnSync("nginx", ["-v"], { encoding: "utf8" }).stderr)?.[0]}`,
    origins,
    caFile,
    pids: [child.pid!],
    async received() {
      statusRequests++;
      return (await requests()) - statusRequests;
    },
    writeSubscriptions: (count, file) => writeSubscriptions(count, origins, file),
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function configuration(home: string, ports: number[], statusPort: number, rttMs: number): string {
  return `daemon off;
pid ${home}/nginx.pid;
error_log ${home}/error.log warn;
${process.getuid?.() === 0 ? "user root;" : ""}
load_module ${echoModule};
worker_processes 1;
worker_rlimit_nofile 20000;
events { worker_connections 8192; }
http {
  access_log off;
  client_body_temp_path ${home}/body;
  proxy_temp_path ${home}/proxy;
  fastcgi_temp_path ${home}/fastcgi;
  uwsgi_temp_path ${home}/uwsgi;
  scgi_temp_path ${home}/scgi;
  keepalive_requests 100000000;
  keepalive_timeout 300s;
  http2_max_concurrent_streams 128;
  ssl_certificate ${home}/cert.pem;
  ssl_certificate_key ${home}/key.pem;
  ssl_protocols TLSv1.3;
  server { listen 127.0.0.1:${statusPort}; location / { stub_status; } }
  server {
${ports.map((port) => `    listen 127.0.0.1:${port} ssl http2 backlog=4096;`).join("\n")}
    location / {
      echo_read_request_body;
      ${rttMs > 0 ? `echo_sleep ${rttMs / 1_000};` : ""}
      echo_status 201;
      echo -n "";
    }
  }
}
`;
}

/** Returns the number of requests so far, including this one: the third number of stub_status. */
async function requestsOf(url: string): Promise<number> {
  const text = await (await fetch(url)).text();
  return Number(/^ *\d+ +\d+ +(\d+) *$/m.exec(text)![1]);
}

async function waitUntilListening(child: ChildProcess, ask: () => Promise<number>): Promise<void> {
  for (let tries = 0; child.exitCode === null && tries < 100; tries++) {
    if ((await ask().catch(() => undefined)) !== undefined) return;
    await delay(50);
  }
  throw new Error("nginx did not start: see its message above");
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
