import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { syncOnce, syncRequestsOf } from "../../src/app/sync-records.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { buildRecord } from "../support/build-record.ts";
import { publishDataset, startDatasetServer } from "../support/dataset-server.ts";
import { requireBinary } from "../support/require-binary.ts";
import type { Skippable } from "../support/require-binary.ts";
import { startHttpProxy } from "../support/start-http-proxy.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const VERSION = "2026-08-01T00:00:00.000Z";
const FILES = ["manifest.json", "index.json.gz", "repos/acme/engine.json"];

async function startServer(tls?: { readonly key: string; readonly cert: string }) {
  const server = await startDatasetServer(tls);
  onTestFinished(() => server.close());
  server.files = publishDataset([buildRecord(1).record], VERSION);
  const { port, protocol } = new URL(server.url);
  // No resolver knows the name: whoever gets there went through the proxy.
  return { server, port, url: `${protocol}//dataset.test:${port}/data/` };
}

/** Syncs as the configuration file says: `http` is the section `records.http`. */
function sync(url: string, http: object) {
  const folder = createTemporaryFolder({
    "alertlore.yaml": JSON.stringify({
      records: { sources: [{ url }], cache: "cache", http: { timeout: "5s", ...http } },
    }),
  });
  const file = path.join(folder, "alertlore.yaml");
  const { config, faults } = loadConfig({ file, flags: {}, env: {} });
  expect(faults).toEqual([]);
  const [request] = config === undefined ? [] : syncRequestsOf(config);
  if (request === undefined) throw new Error("there is no source to sync");
  return syncOnce(request);
}

/** An authority of one's own, and a certificate of it for `dataset.test` and 127.0.0.1. */
function makeCertificates(context: Skippable) {
  const openssl = requireBinary(context, "openssl");
  const names = "subjectAltName=DNS:dataset.test,IP:127.0.0.1";
  const folder = createTemporaryFolder({ "san.ext": names });
  const run = (...args: string[]) => execFileSync(openssl, args, { cwd: folder, stdio: "pipe" });
  const key = (name: string) => [
    ...["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"],
    ...["-nodes", "-keyout", `${name}.key`],
  ];
  for (const name of ["ca", "other"]) {
    run("req", "-x509", ...key(name), "-subj", `/CN=${name}`, "-out", `${name}.pem`);
  }
  run("req", ...key("server"), "-subj", "/CN=dataset", "-out", "server.csr");
  const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "san.ext"];
  run("x509", "-req", "-in", "server.csr", ...signed, "-out", "server.pem");
  const read = (name: string) => readFileSync(path.join(folder, name), "utf8");
  return {
    ca: path.join(folder, "ca.pem"),
    otherCa: path.join(folder, "other.pem"),
    tls: { key: read("server.key"), cert: read("server.pem") },
  };
}

const UPDATED = { result: "updated", datasetVersion: VERSION };

test("a plain URL is asked of the proxy in absolute form, with the proxy's credentials", async () => {
  const { url } = await startServer();
  const proxy = await startHttpProxy("us:se cret");
  const proxyUrl = `http://us:se%20cret@127.0.0.1:${proxy.port}`;
  expect(await sync(url, { proxy_url: proxyUrl })).toMatchObject(UPDATED);
  expect(proxy.asked).toEqual(FILES.map((file) => `GET ${url}${file}`));
});

test("an https URL goes through a tunnel of the proxy, which sees nothing of it", async (context) => {
  const { ca, tls } = makeCertificates(context);
  const { url, port, server } = await startServer(tls);
  const proxy = await startHttpProxy("user:secret");
  const proxyUrl = `http://user:secret@127.0.0.1:${proxy.port}`;
  expect(await sync(url, { proxy_url: proxyUrl, ca })).toMatchObject(UPDATED);
  expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT dataset.test:${port}`]));
  expect(server.asked).toEqual(FILES.map((file) => `/data/${file} 200`));
  expect(proxy.tunnelled()).not.toMatch(/manifest|proxy-authorization|c2VjcmV0/iu);
});

test("a proxy that refuses the credentials is a failure that does not repeat them", async (context) => {
  const { ca, tls } = makeCertificates(context);
  const [plain, secure] = [await startServer(), await startServer(tls)];
  const proxy = await startHttpProxy("user:secret");
  const proxyUrl = `http://user:wrong-word@127.0.0.1:${proxy.port}`;
  for (const { url, server } of [plain, secure]) {
    const report = await sync(url, { proxy_url: proxyUrl, ca });
    expect(report.result).toBe("failure");
    expect(JSON.stringify(report)).not.toContain("wrong-word");
    expect(server.asked).toEqual([]);
  }
});

test("a proxy that is not there is a failure, and nothing goes past it", async () => {
  const { server } = await startServer();
  const report = await sync(server.url, { proxy_url: "http://127.0.0.1:1" });
  expect(report).toMatchObject({ result: "failure", reason: "unreachable" });
  expect(server.asked).toEqual([]);
});

test("the environment's proxies and exceptions change nothing", async () => {
  const { url, server } = await startServer();
  for (const name of ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"]) {
    vi.stubEnv(name, "http://127.0.0.1:1");
  }
  vi.stubEnv("no_proxy", "*");
  vi.stubEnv("NO_PROXY", "*");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await sync(server.url, {})).toMatchObject(UPDATED);
  const proxy = await startHttpProxy();
  const proxyUrl = `http://127.0.0.1:${proxy.port}`;
  expect(await sync(url, { proxy_url: proxyUrl })).toMatchObject(UPDATED);
  expect(proxy.asked).toHaveLength(FILES.length);
});

test("a certificate is trusted through records.http.ca and not otherwise", async (context) => {
  const { ca, otherCa, tls } = makeCertificates(context);
  const { server } = await startServer(tls);
  expect(await sync(server.url, { ca })).toMatchObject(UPDATED);
  const missing = `${ca}.missing`;
  for (const http of [{}, { ca: otherCa }, { ca: missing }]) {
    const report = await sync(server.url, http);
    expect(report).toMatchObject({ result: "failure", reason: "unreachable", hasCopy: false });
  }
  expect(server.asked).toHaveLength(FILES.length);
});

test("a tunnel does not make an unknown certificate good", async (context) => {
  const { otherCa, tls } = makeCertificates(context);
  const { url, server } = await startServer(tls);
  const proxy = await startHttpProxy();
  const report = await sync(url, { proxy_url: `http://127.0.0.1:${proxy.port}`, ca: otherCa });
  expect(report).toMatchObject({ result: "failure", reason: "unreachable" });
  expect(server.asked).toEqual([]);
});
