import { expect, it, test } from "vitest";
import { configTable } from "../../../src/config/config.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import { keyPathsOf } from "../../../src/config/setting.ts";
import type { SettingTable } from "../../../src/config/setting.ts";
import { settingsInForce } from "../../../src/config/settings-in-force.ts";
import { loadYaml } from "../../support/check-config.ts";
import type { Surroundings } from "../../support/check-config.ts";

function settingsOf(yaml: string, around: Surroundings = {}) {
  const loaded = loadYaml(yaml, around);
  if (loaded.config === undefined) throw new Error(JSON.stringify(loaded.faults));
  return loaded.settings;
}

/** What is shown for the one path. */
function shownAt(path: string, yaml: string, around: Surroundings = {}) {
  const found = settingsOf(yaml, around).find((setting) => setting.path === path);
  return found && [found.value, found.isChanged];
}

const cases: readonly (readonly [
  sentence: string,
  path: string,
  yaml: string,
  shown: readonly [unknown, boolean] | undefined,
])[] = [
  ["a default is shown as it is documented", "webhook.deadline", "{}", ["5s", false]],
  [
    "what was changed is shown as written",
    "webhook.deadline",
    "webhook: {deadline: 1m}",
    ["1m", true],
  ],
  [
    "other words for the default are no change",
    "webhook.deadline",
    "webhook: {deadline: 5000ms}",
    ["5000ms", false],
  ],
  ["a key without default is not set", "loki.url", "{}", [null, false]],
  ["a section that was left out is not set", "web.auth", "{}", [null, false]],
  ["an empty list is shown as one", "destinations", "{}", [[], false]],
  [
    "a list of matchers is shown as written",
    "enrich.match",
    `enrich: {match: ['a="b"', ['c="d"', 'e="f"']]}`,
    [['a="b"', 'c="d", e="f"'], true],
  ],
  [
    "the URL of the store alone stands for its section",
    "store.url",
    "store: memory",
    ["<secret>", true],
  ],
  ["the default of a secret is none", "store.url", "{}", ["sqlite:data/alertlore.db", false]],
  [
    "a secret is masked",
    "web.auth.bearer_token",
    "web: {auth: {bearer_token: abc}}",
    ["<secret>", true],
  ],
  [
    "user and password of a URL are masked",
    "loki.url",
    "loki: {url: 'http://u:p@ss@loki:3100/a'}",
    ["http://<secret>@loki:3100/a", true],
  ],
  [
    "the query of a URL is masked",
    "records.sources[0].url",
    "records: {sources: [{url: 'https://a.test/b?token=c#d'}]}",
    ["https://a.test/b?<secret>", true],
  ],
  [
    "keys of list members that were left out are defaults",
    "records.sources[0].curated",
    "records: {sources: [{path: a}]}",
    ["false", false],
  ],
];

it.each(cases)("%s", (_sentence, path, yaml, shown) => {
  expect(shownAt(path, yaml)).toEqual(shown);
});

it("a variable is shown by its name, whatever key it stands under", () => {
  const yaml = "log: {level: '${LEVEL}'}\ngrafana: {url: 'http://${HOST}/'}";
  const env = { LEVEL: "debug", HOST: "hidden.test" };
  expect(shownAt("log.level", yaml, { env })).toEqual(["${LEVEL}", true]);
  expect(shownAt("grafana.url", yaml, { env })).toEqual(["http://${HOST}/", true]);
});

it("a secret in a file is shown by the name of the file", () => {
  const yaml = "web: {auth: {bearer_token_file: token}}";
  const around = { files: { token: "hidden" } };
  expect(shownAt("web.auth.bearer_token_file", yaml, around)).toEqual(["token", true]);
  expect(JSON.stringify(settingsOf(yaml, around))).not.toContain("hidden");
});

it("a value from the command line is in force", () => {
  const flags = { "log.level": "debug" };
  expect(shownAt("log.level", "log: {level: warn}", { flags })).toEqual(["debug", true]);
});

test("without a file every key is there and nothing is changed", () => {
  const loaded = loadConfig({ file: undefined, flags: {}, env: {} });
  const settings = loaded.config === undefined ? [] : loaded.settings;
  expect(settings.filter(({ isChanged }) => isChanged)).toEqual([]);
  const paths = settings.map(({ path }) => path);
  const missing = keyPathsOf(configTable).filter(
    (key) =>
      !paths.some((path) => key === path || path.startsWith(`${key}.`) || key.startsWith(path)),
  );
  expect(missing).toEqual([]);
});

const MARK = "zqflood";

/** A file in which every secret key holds the mark; it would not load. */
function flooded(table: SettingTable): object {
  return Object.fromEntries(
    Object.values(table).flatMap(({ key, inner, isList, isSecret }): [string, unknown][] => {
      if (inner !== undefined) {
        const section = flooded(inner);
        return [[key, isList ? [section] : section]];
      }
      return [[key, isSecret ? `${MARK} ${key}` : "plain"]];
    }),
  );
}

test("no secret key of the whole table is shown, one that is added tomorrow included", () => {
  const tree = flooded(configTable);
  expect(JSON.stringify(tree).split(MARK).length).toBeGreaterThan(20);
  const settings = settingsInForce(configTable, tree);
  expect(JSON.stringify(settings)).not.toContain(MARK);
  const secrets = settings.filter(({ value }) => value === "<secret>");
  expect(secrets).toHaveLength(JSON.stringify(tree).split(MARK).length - 1);
});
