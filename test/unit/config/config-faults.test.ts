import { describe, expect, it } from "vitest";
import { faultsOf } from "../../support/check-config.ts";

/** A sound entry of `destinations`, with one more line. */
const destination = (line = "") =>
  `destinations:\n  - name: a\n    type: alertmanager_webhook\n    url: http://x.test/\n    ${line}\n`;

describe("a configuration that breaks one rule is refused for that rule", () => {
  it.each([
    // The file as a whole
    ["- a\n", "alertlore.yaml: must be a mapping of keys to values"],
    ["just text\n", "alertlore.yaml: must be a mapping of keys to values"],
    ["web: {\n", "alertlore.yaml:2: is indented wrongly, or a bracket before it is not closed"],
    [
      "log: {level: info}\nlog: {level: warn}\n",
      "alertlore.yaml:2: the key stands here a second time",
    ],
    // Keys
    ["wob: {}\n", 'alertlore.yaml:1: wob: is no known key; did you mean "web"?'],
    ["colour: red\n", "alertlore.yaml:1: colour: is no known key"],
    [
      "web:\n  listenAddress: ':1'\n",
      'alertlore.yaml:2: web.listenAddress: is no known key; did you mean "listen_address"?',
    ],
    ["web:\n  external_url_file: x\n", "alertlore.yaml:2: web.external_url_file: is no known key"],
    ["'a\\nb': 1\n", 'alertlore.yaml:1: "a\\\\nb": is no known key'],
    // web
    ["web: 9845\n", "alertlore.yaml:1: web: must be a mapping of keys to values"],
    [
      "web:\n  listen_address: 9845\n",
      "alertlore.yaml:2: web.listen_address: must be an address such as :9845, 127.0.0.1:9845 or [::1]:9845",
    ],
    [
      "web:\n  listen_address: x\n",
      "alertlore.yaml:2: web.listen_address: must be an address such as :9845, 127.0.0.1:9845 or [::1]:9845",
    ],
    [
      "web:\n  external_url: alertlore.test\n",
      "alertlore.yaml:2: web.external_url: must be an http:// or https:// URL",
    ],
    [
      "web:\n  external_url: 'javascript:alert(1)'\n",
      "alertlore.yaml:2: web.external_url: must be an http:// or https:// URL",
    ],
    ["web:\n  external_url: ''\n", "alertlore.yaml:2: web.external_url: must not be empty"],
    [
      "web:\n  max_body_size: 32MB\n",
      "alertlore.yaml:2: web.max_body_size: must be a size such as 300B, 1KiB or 32MiB, from 1KiB to 1GiB",
    ],
    [
      "web:\n  max_body_size: 1B\n",
      "alertlore.yaml:2: web.max_body_size: must be a size such as 300B, 1KiB or 32MiB, from 1KiB to 1GiB",
    ],
    [
      "web:\n  auth: {}\n",
      "alertlore.yaml:2: web.auth.bearer_token: is required, or basic_auth; leave auth out for no authentication",
    ],
    [
      "web:\n  auth: {bearer_token: t, basic_auth: {username: u, password: p}}\n",
      "alertlore.yaml:2: web.auth.basic_auth: excludes bearer_token: one of both",
    ],
    [
      "web:\n  auth: {basic_auth: {username: u}}\n",
      "alertlore.yaml:2: web.auth.basic_auth.password: is required, here or as the same key with _file",
    ],
    [
      "web:\n  auth: {basic_auth: {password: p}}\n",
      "alertlore.yaml:2: web.auth.basic_auth.username: is required",
    ],
    [
      "web:\n  auth: {bearer_token: 12345}\n",
      "alertlore.yaml:2: web.auth.bearer_token: must be text",
    ],
    [
      "web:\n  auth:\n    bearer_token_file: missing\n",
      "alertlore.yaml:3: web.auth.bearer_token_file: missing: no such file",
    ],
    [
      "web:\n  auth:\n    bearer_token_file: empty\n",
      "alertlore.yaml:3: web.auth.bearer_token_file: empty: the file is empty",
    ],
    [
      "web:\n  auth:\n    bearer_token_file: .\n",
      "alertlore.yaml:3: web.auth.bearer_token_file: .: is a folder",
    ],
    [
      "web:\n  auth:\n    bearer_token_file: large\n",
      "alertlore.yaml:3: web.auth.bearer_token_file: large: is larger than 65536 bytes",
    ],
    [
      "web:\n  auth:\n    bearer_token_file: [a]\n",
      "alertlore.yaml:3: web.auth.bearer_token_file: must be the name of a file",
    ],
    [
      "web:\n  auth:\n    bearer_token: x\n    bearer_token_file: token\n",
      "alertlore.yaml:4: web.auth.bearer_token_file: excludes bearer_token: exactly one of both",
    ],
    // log, webhook
    [
      "log: {level: verbose}\n",
      "alertlore.yaml:1: log.level: must be one of: debug, info, warn, error",
    ],
    ["log: {format: xml}\n", "alertlore.yaml:1: log.format: must be one of: logfmt, json"],
    [
      "webhook: {deadline: 5}\n",
      "alertlore.yaml:1: webhook.deadline: must be a duration such as 5s, 1h30m or 300ms, from 1ms to 10m",
    ],
    [
      "webhook: {deadline: 5sec}\n",
      "alertlore.yaml:1: webhook.deadline: must be a duration such as 5s, 1h30m or 300ms, from 1ms to 10m",
    ],
    [
      "webhook: {deadline: 0}\n",
      "alertlore.yaml:1: webhook.deadline: must be a duration such as 5s, 1h30m or 300ms, from 1ms to 10m",
    ],
    [
      "webhook: {deadline: 11m}\n",
      "alertlore.yaml:1: webhook.deadline: must be a duration such as 5s, 1h30m or 300ms, from 1ms to 10m",
    ],
    [
      "webhook: {source: 'a b'}\n",
      "alertlore.yaml:1: webhook.source: must be a name of letters, digits, _ . -",
    ],
    // enrich
    ["enrich: {mode: maybe}\n", "alertlore.yaml:1: enrich.mode: must be one of: on, shadow, off"],
    ["enrich: {match: severity=critical}\n", "alertlore.yaml:1: enrich.match: must be a list"],
    [
      "enrich:\n  match:\n    - severity\n",
      "alertlore.yaml:3: enrich.match[0]: column 9: expected one of =, !=, =~, !~",
    ],
    [
      "enrich:\n  skip:\n    - a=b\n    - [a=b, 'c=~\"(\"']\n",
      "alertlore.yaml:4: enrich.skip[1][1]: column 4: regular expression: this ( is not closed, at character 1",
    ],
    [
      "enrich:\n  match:\n    - 7\n",
      'alertlore.yaml:3: enrich.match[0]: must be text such as severity="critical"',
    ],
    // annotate
    [
      "annotate: {prefix: 'e-'}\n",
      "alertlore.yaml:1: annotate.prefix: must be 1 to 32 letters, digits and _, beginning with a letter",
    ],
    [
      "annotate: {profiles: {default: short}}\n",
      "alertlore.yaml:1: annotate.profiles.default: must be one of: full, compact",
    ],
    [
      "annotate: {compact_max: 10B}\n",
      "alertlore.yaml:1: annotate.compact_max: must be a size such as 300B, 1KiB or 32MiB, from 256B to 64KiB",
    ],
    [
      "annotate: {budgets: {summary: 1MiB}}\n",
      "alertlore.yaml:1: annotate.budgets.summary: must be a size such as 300B, 1KiB or 32MiB, from 16B to 4KiB",
    ],
    [
      "annotate: {budgets: {sumary: 1KiB}}\n",
      'alertlore.yaml:1: annotate.budgets.sumary: is no known key; did you mean "summary"?',
    ],
    [
      "annotate: {outcome_without_match: yes}\n",
      "alertlore.yaml:1: annotate.outcome_without_match: must be true or false",
    ],
    // select, records, rules, match, store
    [
      "select: {log_annotations: logs}\n",
      "alertlore.yaml:1: select.log_annotations: must be a list",
    ],
    [
      "select: {log_annotations: [a b]}\n",
      "alertlore.yaml:1: select.log_annotations[0]: must be a name of letters, digits, _ . -",
    ],
    [
      "select: {excerpt_max_lines: 1.5}\n",
      "alertlore.yaml:1: select.excerpt_max_lines: must be a whole number from 1 to 100000",
    ],
    ["records: {starter: 1}\n", "alertlore.yaml:1: records.starter: must be true or false"],
    [
      "records:\n  sources:\n    - mine.json\n",
      "alertlore.yaml:3: records.sources[0]: must be a mapping of keys to values",
    ],
    [
      "records:\n  sources:\n    - curated: true\n",
      "alertlore.yaml:3: records.sources[0].path: is required",
    ],
    ["rules: {retry: [a]}\n", "alertlore.yaml:1: rules.retry: must be text"],
    [
      "match: {threshold: 1.1}\n",
      "alertlore.yaml:1: match.threshold: must be a number from 0 to 1",
    ],
    [
      "match: {threshold: .nan}\n",
      "alertlore.yaml:1: match.threshold: must be a number from 0 to 1",
    ],
    ["store: redis\n", "alertlore.yaml:1: store.url: must be sqlite:PATH, postgres://… or memory"],
    [
      "store: {on_failure: wait}\n",
      "alertlore.yaml:1: store.on_failure: must be one of: refuse, passthrough",
    ],
  ])("%j", (yaml, fault) => {
    const files = { token: "hunter2\n", empty: " \n", large: "x".repeat(70_000) };
    const faults = faultsOf(yaml, { files, env: { PASSWORD: "hunter2" } });
    expect(faults).toEqual([expect.stringContaining(fault)]);
    expect(faults.join("\n")).not.toContain("hunter2");
  });
});

describe("a destination that breaks one rule is refused for that rule", () => {
  it.each([
    // destinations
    ["destinations: {}\n", "alertlore.yaml:1: destinations: must be a list"],
    [
      "destinations:\n  -\n",
      "alertlore.yaml:2: destinations[0]: must be a mapping of keys to values",
    ],
    [
      destination("profile: tiny"),
      "alertlore.yaml:5: destinations[0].profile: must be one of: full, compact",
    ],
    [
      destination("timeout: 0s"),
      "alertlore.yaml:5: destinations[0].timeout: must be a duration such as 5s, 1h30m or 300ms, from 1ms to 10m",
    ],
    [
      destination("auth: {bearer_token: x, token: y}"),
      "alertlore.yaml:5: destinations[0].auth.token: is no known key",
    ],
    [
      destination("match: ['a']"),
      "alertlore.yaml:5: destinations[0].match[0]: column 2: expected one of =, !=, =~, !~",
    ],
    [
      destination("url_file: token"),
      "alertlore.yaml:5: destinations[0].url_file: excludes url: exactly one of both",
    ],
    [
      destination().replace("http://x.test/", "x.test"),
      "alertlore.yaml:4: destinations[0].url: must be an http:// or https:// URL",
    ],
    [
      destination().replace("url: http://x.test/", "url_file: token"),
      "alertlore.yaml:4: destinations[0].url_file: must be an http:// or https:// URL",
    ],
    [
      destination().replace("url: http://x.test/", ""),
      "alertlore.yaml:2: destinations[0].url: is required for destinations of type alertmanager_webhook",
    ],
    [
      destination().replace("alertmanager_webhook", "pager"),
      "alertlore.yaml:3: destinations[0].type: must be one of: alertmanager_webhook, webhook, slack, pagerduty, teams, log",
    ],
    [
      destination().replace("alertmanager_webhook", "pagerduty"),
      "alertlore.yaml:2: destinations[0].routing_key: is required for destinations of type pagerduty",
    ],
    [
      destination("bot_token: x"),
      "alertlore.yaml:5: destinations[0].bot_token: is not for destinations of type alertmanager_webhook",
    ],
    [
      destination("fallback: nobody"),
      "alertlore.yaml:5: destinations[0].fallback: is the name of no destination",
    ],
    [
      destination("fallback: a"),
      "alertlore.yaml:5: destinations[0].fallback: must be another destination",
    ],
    [
      `${destination()}  - {name: a, type: alertmanager_webhook, url: 'http://y.test'}\n`,
      "alertlore.yaml:6: destinations[1].name: is the name of an earlier entry; names must differ",
    ],
    // The environment
    [
      "web:\n  external_url: ${NOT_THERE}\n",
      "alertlore.yaml:2: web.external_url: environment variable NOT_THERE is not set",
    ],
    [
      "web:\n  external_url: ${NOT\n",
      'alertlore.yaml:2: web.external_url: the closing } of "${" is missing; write $${ for the characters themselves',
    ],
    [
      "web:\n  external_url: ${PASSWORD}\n",
      "alertlore.yaml:2: web.external_url: must be an http:// or https:// URL",
    ],
  ])("%j", (yaml, fault) => {
    const files = { token: "hunter2\n", empty: " \n", large: "x".repeat(70_000) };
    const faults = faultsOf(yaml, { files, env: { PASSWORD: "hunter2" } });
    expect(faults).toEqual([expect.stringContaining(fault)]);
    expect(faults.join("\n")).not.toContain("hunter2");
  });
});
