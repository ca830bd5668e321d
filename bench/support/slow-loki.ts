import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

// usage: slow-loki.ts LINES DELAY_MS, forked: sends its port. Answers every query with the same lines,
// newest first, after a while. A process of its own, as a real Loki is: what it takes to send does not
// count as the reader's.

const [lines = 0, delayMs = 0] = process.argv.slice(2).map(Number);

const values = Array.from({ length: lines }, (_, index) => [
  String(1_773_480_660_000_000_000n - BigInt(index) * 1_000_000n),
  `2026-03-14T09:30:59Z ERROR worker ${index} could not reach the object store: timed out after 30 s`,
  {},
]);
const answer = Buffer.from(
  JSON.stringify({
    status: "success",
    data: {
      resultType: "streams",
      encodingFlags: ["categorize-labels"],
      result: [{ stream: { pod: "a" }, values }],
    },
  }),
);

const server = createServer((request, response) => {
  const body =
    request.url?.includes("query_range") === true ? answer : '{"status":"success","data":["pod"]}';
  setTimeout(() => response.end(body), delayMs);
}).listen(0, "127.0.0.1", () => {
  process.send?.((server.address() as AddressInfo).port);
});
