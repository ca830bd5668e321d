import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { configTable } from "../../../src/config/config.ts";
import { renderFault } from "../../../src/config/config-fault.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import { keyPathsOf } from "../../../src/config/setting.ts";
import { repositoryRoot } from "../../support/shared.ts";
import { loadYaml } from "../../support/check-config.ts";

const file = path.join(repositoryRoot, "config/alertlore.yaml");
const sample = readFileSync(file, "utf8");
/** The part behind "Example", which is a comment as a whole. */
const example = (/^# Example.*\n((?:#.*\n)+)/mu.exec(sample)?.[1] ?? "").replace(/^# ?/gmu, "");

/** Paths of all keys, members of lists as `[]`. */
function pathsIn(value: unknown, prefix = ""): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((member) => pathsIn(member, `${prefix.slice(0, -1)}[].`));
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    `${prefix}${key}`,
    ...pathsIn(inner, `${prefix}${key}.`),
  ]);
}

/** `auth` is the same wherever it stands, and each of its two forms is shown once. */
const withoutPlace = (key: string) =>
  key.replace(
    /^(?:web|loki|destinations\[\]|grafana\.annotations(?:\.organizations\[\])?)\.auth\./u,
    "auth.",
  );

const known = new Set(keyPathsOf(configTable).map(withoutPlace));
const written = new Set(
  [...pathsIn(parse(sample)), ...pathsIn(parse(example))].map((key) =>
    withoutPlace(key.replace(/_file$/u, "")),
  ),
);

test("config/alertlore.yaml gives exactly the defaults", () => {
  const { config, faults } = loadConfig({ file, flags: {}, env: {} });
  expect(faults.map(renderFault)).toEqual([]);
  const defaults = loadConfig({ file: undefined, flags: {}, env: {} }).config;
  // As text, for compiled expressions are functions, which are equal to nothing but themselves.
  expect(JSON.stringify(config, undefined, 1)).toBe(JSON.stringify(defaults, undefined, 1));
});

test("config/alertlore.yaml lists every key", () => {
  expect([...known].filter((key) => !written.has(key))).toEqual([]);
});

test("config/alertlore.yaml lists no other key", () => {
  expect([...written].filter((key) => !known.has(key))).toEqual([]);
});

test("the example of config/alertlore.yaml is sound once its secrets are there", () => {
  const local = example.replaceAll("/run/secrets/", "");
  const { config, faults } = loadYaml(local, {
    files: {
      "alertlore-token": "t",
      "alertmanager-password": "p",
      "alertmanager-token": "t",
      "ca.pem": "ca",
      "client.pem": "cert",
      "client-key.pem": "key",
      "chat-bridge-password": "p",
      "grafana-token": "t",
      "grafana-token-2": "t",
      "grafana-hmac": "secret",
      "grafana-hmac-before": "secret",
      "slack-token": "x",
      "pagerduty-key": "k",
      "teams-url": "https://teams.test/x",
      "automation-key": "s",
    },
  });
  expect(faults.map(renderFault)).toEqual([]);
  expect(config?.destinations).toHaveLength(6);
});
