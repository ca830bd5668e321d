import path from "node:path";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { matchesAny } from "../../../src/alert/label-matcher.ts";
import { renderFault } from "../../../src/config/config-fault.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import { faultsOf, loadYaml } from "../../support/check-config.ts";
import type { Surroundings } from "../../support/check-config.ts";

const NOTHING = { file: undefined, flags: {}, env: {} };

function load(yaml: string, surroundings: Surroundings = {}) {
  const { config, faults } = loadYaml(yaml, surroundings);
  if (config === undefined) throw new Error(faults.map(renderFault).join("\n"));
  return config;
}

/** Compiled expressions are functions, which are equal to nothing but themselves. */
const printed = (value: unknown) => JSON.stringify(value, undefined, 1);

describe("defaults", () => {
  it("hold without any file", () => {
    const { config, faults } = loadConfig(NOTHING);
    expect(faults).toEqual([]);
    expect(config).toMatchObject({
      web: { listenAddress: { host: undefined, port: 9845 }, bodyBytesMax: 33_554_432 },
      webhook: { deadlineMs: 5000, source: "alertmanager" },
      enrich: { mode: "on", match: [] },
      annotate: { prefix: "error_", compactBytesMax: 1024, outcomeWithoutMatch: false },
      select: { logAnnotations: ["log_excerpt", "logs", "log"] },
      records: { starter: true, sources: [] },
      rules: { retryPath: undefined },
      match: { threshold: 0.5 },
      store: { onFailure: "refuse", retentionMs: 1_296_000_000, episodesMax: 1_000_000 },
      episode: { staleAfterMs: 18_000_000 },
      delivery: { copyWindowMs: 45_000 },
      destinations: [],
    });
  });

  it.each(["", "# nothing\n", "---\n", "web:\nlog:\ndestinations:\n", "{}"])(
    "hold for a file that says nothing: %j",
    (yaml) => {
      expect(printed(load(yaml))).toEqual(printed(loadConfig(NOTHING).config));
    },
  );

  it("skip Watchdog, InfoInhibitor and Alertlore's own alerts and no other", () => {
    const skip = load("").enrich.skip;
    const names = [
      "Watchdog",
      "InfoInhibitor",
      "AlertloreDown",
      "Alertlore",
      "KafkaLag",
      "Watchdogs",
    ];
    expect(names.filter((alertname) => matchesAny(skip, { alertname }))).toEqual(names.slice(0, 4));
  });

  it("fill what a destination leaves out", () => {
    const [destination] = load(
      "destinations: [{name: a, type: alertmanager_webhook, url: 'http://x.test'}]",
    ).destinations;
    expect(destination).toMatchObject({ timeoutMs: 10_000, match: [] });
    expect(destination?.profile).toBeUndefined();
    expect(destination?.auth).toBeUndefined();
  });
});

describe("values", () => {
  it("are read in every form", () => {
    const config = load(`
web:
  listen_address: "[::1]:0"
  external_url: https://alertlore.test/base//
  auth: {basic_auth: {username: u, password: p}}
webhook: {deadline: 1m500ms}
enrich:
  mode: off
  match: [severity="critical", [team="a", 'pod=~"x.*"']]
match: {threshold: 1}
records: {starter: false}
`);
    expect(config.web.listenAddress).toEqual({ host: "::1", port: 0 });
    expect(config.web.externalUrl).toBe("https://alertlore.test/base");
    expect(config.web.auth?.basicAuth?.password.reveal()).toBe("p");
    expect(config.webhook.deadlineMs).toBe(60_500);
    expect(config.enrich.mode).toBe("off");
    expect(config.enrich.match.map((list) => list.map((matcher) => matcher.name))).toEqual([
      ["severity"],
      ["team", "pod"],
    ]);
    expect(config.match.threshold).toBe(1);
    expect(config.records.starter).toBe(false);
  });

  it("come from the environment, numbers and switches too, and only whole values", () => {
    const config = load(
      "match: {threshold: '${T}'}\nrecords: {starter: '${S}'}\nweb: {external_url: 'http://${H}/a'}\n" +
        "enrich: {match: ['a=~\"x$$|y$\"']}\nselect: {log_annotations: ['${LIST}']}\n",
      { env: { T: "0.75", S: "false", H: "h.test", LIST: "logs" } },
    );
    expect(config.match.threshold).toBe(0.75);
    expect(config.records.starter).toBe(false);
    expect(config.web.externalUrl).toBe("http://h.test/a");
    expect(config.enrich.match[0]?.[0]?.value).toBe("x$|y$");
    expect(config.select.logAnnotations).toEqual(["logs"]);
  });

  it("from the environment cannot change the structure of the file", () => {
    const injected = "a\nlog: {level: debug}";
    expect(faultsOf("webhook: {source: '${S}'}\n", { env: { S: injected } })).toEqual([
      "alertlore.yaml:1: webhook.source: must be a name of letters, digits, _ . -",
    ]);
    expect(faultsOf("select: {log_annotations: '${S}'}\n", { env: { S: "[a, b]" } })).toEqual([
      "alertlore.yaml:1: select.log_annotations: must be a list",
    ]);
  });

  it("of secrets come from files beside the configuration, white space taken off", () => {
    const config = load(
      `web: {auth: {bearer_token_file: secrets/token}}
destinations:
  - name: a
    type: alertmanager_webhook
    url_file: \${WHERE}
    auth: {basic_auth: {username: u, password_file: secrets/password}}
`,
      {
        files: {
          "secrets/token": "\n t0ken \r\n",
          "secrets/password": "$${NOT_EXPANDED}",
          url: "http://x.test/hook?key=1\n",
        },
        env: { WHERE: "url" },
      },
    );
    expect(config.web.auth?.bearerToken?.reveal()).toBe("t0ken");
    expect(config.destinations[0]?.url?.reveal()).toBe("http://x.test/hook?key=1");
    expect(config.destinations[0]?.auth?.basicAuth?.password.reveal()).toBe("$${NOT_EXPANDED}");
  });

  it("that name files are relative to the folder of the configuration", () => {
    const yaml =
      "records: {sources: [{path: mine}, {path: /abs, curated: true}]}\nrules: {retry: r.yaml}\n";
    const { config, folder } = loadYaml(yaml);
    expect(config?.records.sources).toEqual([
      { path: path.join(folder, "mine"), url: undefined, repos: [], curated: false },
      { path: "/abs", url: undefined, repos: [], curated: true },
    ]);
    expect(config?.rules.retryPath).toBe(path.join(folder, "r.yaml"));
  });
});

describe("flags", () => {
  it("win over the file, and need none", () => {
    const flags = { "web.listen_address": ":1", "log.level": "debug" };
    expect(load("web: {listen_address: ':2'}", { flags }).web.listenAddress.port).toBe(1);
    expect(loadConfig({ ...NOTHING, flags }).config?.log.level).toBe("debug");
  });

  it("are named in their faults beside those of the file", () => {
    const flags = { "web.listen_address": "x", "log.format": "xml" };
    expect(faultsOf("log: {level: loud}", { flags })).toEqual([
      "--web.listen-address: must be an address such as :9845, 127.0.0.1:9845 or [::1]:9845",
      "--log.format: must be one of: logfmt, json",
      "alertlore.yaml:1: log.level: must be one of: debug, info, warn, error",
    ]);
  });
});

describe("faults", () => {
  it("are all reported at once, in the order of the file", () => {
    const yaml = `
web:
  listen_addres: ":1"
  max_body_size: 5MB
  auth: {bearer_token_file: nowhere}
log: 3
destinations:
  - name: a
    type: alertmanager_webhook
    url: \${NOPE}
  - name: a
    typ: x
`;
    expect(faultsOf(yaml).map((line) => line.replace(/: [^:]*$/u, ""))).toEqual([
      "alertlore.yaml:3: web.listen_addres",
      "alertlore.yaml:4: web.max_body_size",
      "alertlore.yaml:5: web.auth.bearer_token_file: nowhere",
      "alertlore.yaml:6: log",
      "alertlore.yaml:10: destinations[0].url",
      "alertlore.yaml:11: destinations[1].type",
      "alertlore.yaml:11: destinations[1].name",
      "alertlore.yaml:12: destinations[1].typ",
    ]);
  });

  it("name a file that cannot be read", () => {
    const { faults } = loadConfig({ ...NOTHING, file: "/nonexistent/alertlore.yaml" });
    expect(faults.map(renderFault)).toEqual(["/nonexistent/alertlore.yaml: no such file"]);
  });

  it("in one section leave the records and rules of the others to be checked", () => {
    const outcome = loadYaml("log: 3\nrecords: {sources: [{path: a}]}\nrules: {retry: [x]}\n");
    expect(outcome.config).toBeUndefined();
    if (outcome.config !== undefined) return;
    expect(outcome.soundSections.records?.sources).toHaveLength(1);
    expect(outcome.soundSections.rules).toBeUndefined();
  });
});

it("no way to print a configuration shows a secret", () => {
  const config = load(
    `web: {auth: {bearer_token: hunter2}}
destinations:
  - {name: a, type: alertmanager_webhook, url: 'http://hunter2.test/hunter2', auth: {basic_auth: {username: u, password: hunter2}}}
`,
  );
  expect(printed(config)).not.toContain("hunter2");
  expect(printed(config)).toContain('"url": "<secret>"');
  expect(inspect(config, { depth: 20, showHidden: true })).not.toContain("hunter2");
});
