import { describe, expect, it } from "vitest";
import { faultsOf } from "../../support/check-config.ts";

describe("a proxy that could lose or change alerts is refused", () => {
  it.each([
    [
      "proxy:\n  hold: 5s\n  upstreams: [{name: a, url: 'http://a.test', timeout: 5s}]\n",
      "alertlore.yaml:2: proxy.hold: and the longest timeout of an upstream must stay below 10s: senders wait no longer",
    ],
    [
      "proxy:\n  replicas: 2\n",
      "alertlore.yaml:1: proxy: replicas need one store on PostgreSQL: else annotations come and go with each re-send",
    ],
    [
      "store: sqlite:a.db\nproxy:\n  replicas: 2\n",
      "alertlore.yaml:2: proxy: replicas need one store on PostgreSQL: else annotations come and go with each re-send",
    ],
  ])("%j: %s", (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  it.each([
    "proxy:\n  hold: 4s\n  upstreams: [{name: a, url: 'http://a.test', timeout: 5s}]\n",
    "store: postgres://alertlore@db.test/alertlore\nproxy:\n  replicas: 2\n",
  ])("%j is not", (text) => {
    expect(faultsOf(text)).toEqual([]);
  });
});
