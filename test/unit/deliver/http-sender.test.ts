import { createServer } from "node:net";
import type { Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHttpSender, parseRetryAfter } from "../../../src/deliver/http-sender.ts";
import { freePort } from "../../support/free-port.ts";
import { startReceiver } from "../../support/start-receiver.ts";
import type { Answer, Receiver } from "../../support/start-receiver.ts";

const createSender = (timeoutMs = 10_000) =>
  createHttpSender({ name: "pager", timeoutMs, userAgent: "Alertlore/1" });

async function receiverAnswering(answer: Answer): Promise<Receiver> {
  const receiver = await startReceiver(answer);
  onTestFinished(() => receiver.stop());
  return receiver;
}

/** A server that does this with each connection. */
async function startRaw(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    onConnection(socket);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return `http://127.0.0.1:${port}/`;
}

describe("http sender", () => {
  it("posts the body as it is, with what Alertmanager would send", async () => {
    const receiver = await receiverAnswering(() => ({ status: 204 }));
    const headers = { Authorization: "Bearer t" };
    await createSender()({ url: `${receiver.url}/hook?a=1`, body: '{"größe": 1}\n', headers });
    expect(receiver.requests).toMatchObject([
      {
        method: "POST",
        url: "/hook?a=1",
        body: '{"größe": 1}\n',
        headers: {
          "content-type": "application/json",
          "content-length": "15",
          "user-agent": "Alertlore/1",
          authorization: "Bearer t",
        },
      },
    ]);
  });

  it.each([
    [302, "refused", true],
    [400, "refused", true],
    [401, "unauthorized", false],
    [404, "refused", false],
    [413, "too_large", true],
    [422, "refused", true],
    [429, "throttled", false],
    [500, "server", false],
    [503, "server", false],
  ])("takes %d for %s; permanent: %s", async (status, reason, permanent) => {
    const receiver = await receiverAnswering(() => ({ status }));
    const sending = createSender()({ url: receiver.url, body: "{}" });
    await expect(sending).rejects.toMatchObject({
      reason,
      permanent,
      maybeTaken: false,
      message: `destination pager answered ${status}`,
    });
    expect(receiver.requests).toHaveLength(1);
  });

  it("names a destination that is not there, but not its URL", async () => {
    const url = `http://u:hunter2@127.0.0.1:${await freePort()}/`;
    const failure: unknown = await createSender()({ url, body: "{}" }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({
      reason: "unreachable",
      maybeTaken: false,
      message: "destination pager could not be reached (ECONNREFUSED)",
    });
    expect(JSON.stringify(failure)).not.toContain("hunter2");
  });

  it("does not know whether a destination took the body that says nothing or hangs up", async () => {
    const silent = await startRaw(() => undefined);
    await expect(createSender(50)({ url: silent, body: "{}" })).rejects.toMatchObject({
      reason: "timeout",
      maybeTaken: true,
    });
    const rude = await startRaw((socket) => socket.once("data", () => socket.destroy()));
    await expect(createSender()({ url: rude, body: "{}" })).rejects.toMatchObject({
      reason: "unreachable",
      maybeTaken: true,
    });
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-03-14T12:00:00Z");
  it.each([
    ["120", 120_000],
    ["0", 0],
    ["Sat, 14 Mar 2026 12:00:30 GMT", 30_000],
    ["Sat, 14 Mar 2026 11:00:00 GMT", 0],
    ["999999", 3_600_000],
    ["soon", undefined],
    [undefined, undefined],
  ])("%s is %s ms", (header, ms) => {
    expect(parseRetryAfter(header, now)).toBe(ms);
  });
});
