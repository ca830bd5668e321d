import { expect, it, onTestFinished } from "vitest";
import { checkUpstreams } from "../../../src/app/check-upstreams.ts";
import type { Config } from "../../../src/config/config.ts";
import { startReceiver } from "../../support/start-receiver.ts";

const clustered = (...names: string[]) =>
  JSON.stringify({ cluster: { status: "ready", peers: names.map((name) => ({ name })) } });
const alone = JSON.stringify({ cluster: { status: "disabled", peers: [] } });

async function checkWith(silences: boolean, statuses: readonly string[]) {
  const upstreams = await Promise.all(
    statuses.map(async (body, index) => {
      const receiver = await startReceiver(() => ({ status: 200, body }));
      onTestFinished(receiver.stop);
      const tls = { insecureSkipVerify: false } as Config["proxy"]["upstreams"][number]["tls"];
      return { name: `am-${index}`, url: receiver.url, auth: undefined, tls, timeoutMs: 1000 };
    }),
  );
  const proxy = { silences, upstreams } as unknown as Config["proxy"];
  return (await checkUpstreams(proxy, "a.yaml")).map(({ path, message }) => `${path}: ${message}`);
}

it.each([
  ["one cluster, its peers in any order", true, [clustered("a", "b"), clustered("b", "a")], []],
  ["one Alertmanager alone", true, [alone], []],
  ["silences that are off", false, [alone, alone], []],
  [
    "two clusters",
    true,
    [clustered("a"), clustered("b")],
    ["proxy.silences: the upstreams are not one cluster, so a silence would reach a part of them"],
  ],
  [
    "two that are in no cluster",
    true,
    [alone, alone],
    [0, 1].map((i) => `proxy.upstreams[${i}]: is in no cluster, so a silence would stay with it`),
  ],
  [
    "one that says nothing of itself",
    true,
    [clustered("a"), "no status"],
    ["proxy.upstreams[1]: gave no status, so it is not known whether silences reach all upstreams"],
  ],
])("says of %s what it should", async (...[, silences, statuses, faults]) => {
  expect(await checkWith(silences, statuses)).toEqual(faults);
});
