import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { buildLogQuery, buildLokiClient } from "../../support/build-log-source.ts";
import { requireBinary } from "../../support/require-binary.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

const never = new AbortController().signal;

/** Makes an authority and two certificates of it, as operators do. */
function makeCertificates(openssl: string): (name: string) => string {
  const folder = createTemporaryFolder({ "san.ext": "subjectAltName=DNS:loki.test" });
  const run = (...args: string[]) => execFileSync(openssl, args, { cwd: folder, stdio: "pipe" });
  const key = (name: string) => ["-newkey", "rsa:2048", "-nodes", "-keyout", `${name}.key`];
  run("req", "-x509", ...key("ca"), "-subj", "/CN=authority", "-out", "ca.pem");
  for (const name of ["loki", "client"]) {
    run("req", ...key(name), "-subj", `/CN=${name}`, "-out", `${name}.csr`);
    const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "san.ext"];
    run("x509", "-req", "-in", `${name}.csr`, ...signed, "-out", `${name}.pem`);
  }
  return (name) => readFileSync(path.join(folder, name), "utf8");
}

it("is asked over TLS with an authority, a name and a certificate of its own", async (context) => {
  const read = makeCertificates(requireBinary(context, "openssl"));
  const ca = read("ca.pem");
  const server = createServer(
    { ca, cert: read("loki.pem"), key: read("loki.key"), requestCert: true },
    (_request, response) => {
      response.end('{"status":"success","data":{"resultType":"streams","result":[]}}');
    },
  ).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async (tls: Parameters<typeof buildLokiClient>[1]) => {
    const client = buildLokiClient(url, tls);
    onTestFinished(() => {
      client.close();
    });
    return client.queryRange(buildLogQuery(), never);
  };
  const own = { cert: read("client.pem"), key: read("client.key") };
  const serverName = "loki.test";
  expect((await ask({ tls: { ca, ...own, serverName } })).entries).toEqual([]);
  expect((await ask({ tls: { ...own, insecureSkipVerify: true } })).entries).toEqual([]);
  for (const tls of [
    { ca, serverName },
    { ...own, serverName },
    { ca, ...own, serverName: "other.test" },
  ]) {
    await expect(ask({ tls })).rejects.toMatchObject({ reason: "unreachable" });
  }
});
