import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";
import { buildRecord } from "../support/build-record.ts";
import { KNOWN_LINE } from "../support/create-kit.ts";
import { repositoryRoot } from "../support/shared.ts";
import { startAlertlore } from "../support/start-alertlore.ts";

const PROGRAM = path.join(
  repositoryRoot,
  "node_modules/@standardbeagle/errlookup-mcp/dist/index.js",
);

async function startClient(baseUrl: string): Promise<Client> {
  const cache = await mkdtemp(path.join(tmpdir(), "alertlore-errlookup-"));
  onTestFinished(() => rm(cache, { recursive: true }));
  const client = new Client({ name: "test", version: "0" });
  onTestFinished(() => client.close());
  const env = { ERRLOOKUP_BASE_URL: baseUrl, ERRLOOKUP_CACHE_DIR: cache, PATH: "" };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [PROGRAM], env }),
  );
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const texts = (content as { text: string }[]).map(({ text }) => text);
  expect(isError, texts.join("\n")).not.toBe(true);
  return texts;
}

test("ErrLookup's MCP client finds the records of a running Alertlore", async () => {
  const alertlore = await startAlertlore({});
  onTestFinished(() => alertlore.stop());
  const client = await startClient(alertlore.url);
  const { id, repo, slug } = buildRecord(1).record;
  const [found = ""] = await call(client, "search_error", { message: KNOWN_LINE });
  expect(JSON.parse(found)).toMatchObject({ stale: false, matches: [{ id, repo }] });
  const byId = await call(client, "get_error", { id });
  const bySlug = await call(client, "get_error", { repo, slug });
  expect(byId).toEqual(bySlug);
  expect(byId[0]).toContain("1. Renew the credentials.");
  const [repos = ""] = await call(client, "list_repos", {});
  expect(JSON.parse(repos)).toMatchObject({ repos: [{ repo, errorCount: 1, language: "Rust" }] });
  const [refreshed = ""] = await call(client, "refresh_dataset", {});
  expect(JSON.parse(refreshed)).toMatchObject({ updated: false, errors: 1 });
});
