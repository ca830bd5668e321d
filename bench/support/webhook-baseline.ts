import { fdatasyncSync, openSync, writeSync } from "node:fs";
import { createServer } from "node:http";

/** A server that parses each body and flushes it to a file before it answers. */
const [port = "", file = ""] = process.argv.slice(2);
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
}).listen(Number(port), "127.0.0.1");
