import { fdatasyncSync, openSync, writeSync } from "node:fs";
import { createServer } from "node:http";

/** Starts a server that parses each body and flushes it to a file before it answers. */
export function startBaseline(port: number, file: string): void {
  const descriptor = openSync(file, "a");
  createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.once("end", () => {
      const body = Buffer.concat(chunks);
      if (body.length > 0) {
        JSON.parse(body.toString());
        writeSync(descriptor, body);
        fdatasyncSync(descriptor);
      }
      response.end("{}");
    });
  }).listen(port, "127.0.0.1");
}
