import { ANNOTATION_DEFAULTS } from "../../../src/annotate/annotation-settings.ts";
import { describe, expect, it } from "vitest";
import type { Alert } from "../../../src/alert/alert.ts";
import { parseLabelMatchers } from "../../../src/alert/label-matcher.ts";
import { isChosen } from "../../../src/enrich/choose-alert.ts";
import { enrichGroup } from "../../../src/enrich/enrich-group.ts";
import { finishGroup } from "../../../src/enrich/finish-group.ts";
import { eventually } from "../../support/eventually.ts";
import { buildAlert, buildGroup } from "../../support/build-alert.ts";
import { buildRecord } from "../../support/build-record.ts";
import { KNOWN_LINE, createKit } from "../../support/create-kit.ts";
import type { TestKit } from "../../support/create-kit.ts";

let groups = 0;

const knownAlert = (pod = "p", endsAt?: string) =>
  buildAlert({
    labels: { alertname: "A", pod },
    annotations: { log_excerpt: KNOWN_LINE, description: "Look." },
    ...(endsAt !== undefined && { endsAt }),
  });

/** The whole way between the two commits. */
async function enrich(kit: TestKit, ...alerts: Alert[]) {
  groups += 1;
  const { job } = await kit.journal.accept({
    source: kit.settings.source,
    // Groups of one stream wait for one another, which is not what these tests are about.
    group: buildGroup(alerts, { groupKey: `g${groups}` }),
    receivedMs: kit.clock.nowMs(),
    leaseMs: 60_000,
    observes: (alert) => isChosen(alert.labels, kit.settings),
  });
  const duplicates = job.sightings.filter((sighting) => sighting?.repeat === true).length;
  const { enriched } = await finishGroup(kit, job);
  const full = enriched.enrichments.map((enrichment) => enrichment?.annotations.full ?? {});
  return { enriched, duplicates, full };
}

describe("an alert whose lines show a known error", () => {
  it("gets its record, advice and captures, and is counted", async () => {
    const kit = createKit();
    const { enriched, full } = await enrich(kit, knownAlert());
    expect(enriched.enrichments[0]).toMatchObject({
      outcome: "matched",
      errorClass: "CheckpointError",
      matches: [{ recordId: "0000000000000001", captures: ["71", "s-4"] }],
      recommendation: { decision: "retry" },
    });
    expect(full[0]?.["error_log"]).toContain("lease expired");
    expect(full[0]?.["error_retry"]).toMatch(/^retry/u);
    expect(kit.counters.tally).toEqual({
      "enriched matched": 1,
      "matchedError CheckpointError error retry": 1,
      "recommended retry": 1,
    });
  });

  it("is counted once however often it comes, also at the same time", async () => {
    const kit = createKit();
    await Promise.all([enrich(kit, knownAlert()), enrich(kit, knownAlert())]);
    const { duplicates } = await enrich(kit, knownAlert());
    expect(duplicates).toBe(1);
    expect(kit.counters.tally["matchedError CheckpointError error retry"]).toBe(1);
  });

  it("keeps its annotations at a repeat, whatever the catalogue now says", async () => {
    const kit = createKit();
    const first = await enrich(kit, knownAlert());
    const changed = { ...createKit({ records: [] }), journal: kit.journal };
    const second = await enrich(changed, knownAlert());
    expect(second.full).toEqual(first.full);
    expect(Object.keys(second.full[0] ?? {})).toContain("error_summary");
  });

  it("is counted again when it fires again after a resolve", async () => {
    const kit = createKit();
    await enrich(kit, knownAlert());
    await enrich(kit, knownAlert("p", "2026-03-14T09:40:00Z"));
    await enrich(kit, {
      ...knownAlert(),
      startsAtNs: BigInt(Date.parse("2026-03-14T09:50:00Z")) * 1_000_000n,
    });
    const counts = Object.entries(kit.counters.tally).filter(([key]) => key.startsWith("matched"));
    expect(counts.reduce((sum, [, count]) => sum + count, 0)).toBe(2);
  });

  it("shows no secret of its lines", async () => {
    const line = `${KNOWN_LINE} password=hunter2hunter2`;
    const alert = buildAlert({ annotations: { log_excerpt: line } });
    const { enriched } = await enrich(createKit(), alert);
    expect(enriched.enrichments[0]?.outcome).toBe("matched");
    expect(JSON.stringify(enriched.enrichments[0])).not.toContain("hunter2");
  });
});

describe("a resolved alert", () => {
  it("carries what was found, without advice", async () => {
    const kit = createKit();
    await enrich(kit, knownAlert());
    const { full, duplicates } = await enrich(kit, knownAlert("p", "2026-03-14T09:40:00Z"));
    expect(duplicates).toBe(0);
    expect(Object.keys(full[0] ?? {})).toContain("error_record");
    expect(Object.keys(full[0] ?? {}).filter((key) => key.startsWith("error_retry"))).toEqual([]);
  });

  it("of a firing that was never seen goes on as it came", async () => {
    const kit = createKit();
    const { enriched } = await enrich(kit, knownAlert("p", "2026-03-14T09:40:00Z"));
    expect(enriched.enrichments).toEqual([undefined]);
    expect(kit.counters.tally).toEqual({ "enriched skipped": 1 });
  });
});

describe("an alert without a known error", () => {
  it("looks again at the next notification", async () => {
    const kit = createKit();
    const bare = buildAlert({ labels: { alertname: "A", pod: "p" } });
    await enrich(kit, bare);
    await enrich(kit, knownAlert());
    expect(kit.counters.tally).toEqual({
      "enriched no_logs": 1,
      "enriched matched": 1,
      "matchedError CheckpointError error retry": 1,
      "recommended retry": 1,
    });
  });

  it("says what became of it when that is asked for", async () => {
    const annotate = { ...ANNOTATION_DEFAULTS, outcomeWithoutMatch: true };
    const kit = createKit({ settings: { annotate } });
    const unknown = buildAlert({ annotations: { log_excerpt: "all is well" } });
    const { full } = await enrich(kit, unknown, buildAlert({ labels: { pod: "q" } }));
    expect(full).toEqual([{ error_outcome: "no_match" }, { error_outcome: "no_logs" }]);
  });
});

describe("choice and mode", () => {
  const pod = (value: string) => [parseLabelMatchers(`pod="${value}"`)];
  it.each([
    { name: "takes all without match", settings: {}, chosen: ["p", "q"] },
    { name: "takes what match names", settings: { match: pod("q") }, chosen: ["q"] },
    { name: "leaves what skip names", settings: { skip: pod("q") }, chosen: ["p"] },
    { name: "skips in spite of match", settings: { match: pod("q"), skip: pod("q") }, chosen: [] },
    { name: "leaves all when off", settings: { mode: "off" as const }, chosen: [] },
  ])("$name", async ({ settings, chosen }) => {
    const kit = createKit({ settings });
    const { enriched } = await enrich(kit, knownAlert("p"), knownAlert("q"));
    const found = ["p", "q"].filter((_, index) => enriched.enrichments[index] !== undefined);
    expect(found).toEqual(chosen);
    const skipped = 2 - chosen.length;
    expect(kit.counters.tally["enriched skipped"] ?? 0).toBe(skipped);
  });

  it("works everything out in shadow and changes no alert", async () => {
    const kit = createKit({ settings: { mode: "shadow", appendToDescription: true } });
    const alert = knownAlert();
    const { enriched } = await enrich(kit, alert);
    expect(enriched.enrichments).toEqual([undefined]);
    expect(enriched.group.alerts).toEqual([alert]);
    expect(kit.counters.tally["matchedError CheckpointError error retry"]).toBe(1);
  });

  it("appends the summary to the description once, when asked to", async () => {
    const kit = createKit({ settings: { appendToDescription: true } });
    const { enriched, full } = await enrich(kit, knownAlert());
    const description = enriched.group.alerts[0]?.annotations["description"] ?? "";
    expect(description).toBe(`Look.\n\n${full[0]?.["error_summary"] ?? ""}`);
    const again = { ...knownAlert(), annotations: { log_excerpt: KNOWN_LINE, description } };
    const second = await enrich(kit, again);
    expect(second.enriched.group.alerts[0]?.annotations["description"]).toBe(description);
  });
});

describe("what goes wrong for one alert", () => {
  it("harms no other, and is logged without a word of the alert", async () => {
    const sound = createKit();
    const kit = createKit({
      kit: {
        explain: (excerpt, labels) => {
          if (labels["pod"] === "bad") throw new Error(`broke on ${KNOWN_LINE}`);
          return sound.explain(excerpt, labels);
        },
      },
    });
    const { enriched } = await enrich(kit, knownAlert("a"), knownAlert("bad"), knownAlert("b"));
    expect(enriched.enrichments.map((enrichment) => enrichment?.outcome)).toEqual([
      "matched",
      undefined,
      "matched",
    ]);
    expect(kit.counters.tally).toMatchObject({ "enriched matched": 2, "enriched failed": 1 });
    expect(kit.logger.lines.map((line) => line.level)).toEqual(["error"]);
  });

  it("lets alerts go on as they came when the store does not say what happened before", async () => {
    const kit = createKit();
    const openEpisodes = () => Promise.reject(new Error("connection lost"));
    const lost = { ...kit, history: { ...kit.history, openEpisodes } };
    const { enriched } = await enrich(lost, knownAlert("a"), knownAlert("b"));
    expect(enriched.enrichments).toEqual([undefined, undefined]);
    expect(kit.counters.tally["enriched failed"]).toBe(2);
  });

  it("goes on bare when the deadline passes, and is known at the next notification", async () => {
    const kit = createKit();
    const deadline = new AbortController();
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const slow: TestKit = {
      ...kit,
      history: {
        retriesOf: kit.history.retriesOf.bind(kit.history),
        async openEpisodes() {
          deadline.abort();
          await held;
          return { ofRecord: 0, ofClass: 0 };
        },
      },
    };
    const alerts = [knownAlert("p"), knownAlert("q")];
    const sightings = await kit.episodes.observe(kit.settings.source, alerts, kit.clock.nowMs());
    const job = { group: buildGroup(alerts), sightings };
    const results = await enrichGroup(slow, job, deadline.signal);
    expect(results.map((result) => result.outcome)).toEqual(["deadline", "deadline"]);
    expect(results[0]?.enrichment?.annotations.full).toEqual({});
    expect(kit.counters.tally["enriched deadline"]).toBe(2);
    letGo();
    const id = sightings[0]?.id ?? "";
    const keptLate = async () => {
      const [episode] = await kit.episodes.find([id]);
      return episode?.enrichment === undefined ? undefined : true;
    };
    await eventually(keptLate, { what: "the late enrichment to be kept" });
    const { duplicates, full } = await enrich(
      { ...kit, explain: () => neverAsked() },
      alerts[0] ?? knownAlert(),
    );
    expect(duplicates).toBe(1);
    expect(Object.keys(full[0] ?? {})).toContain("error_summary");
    expect(kit.counters.tally["matchedError CheckpointError error retry"]).toBe(1);
  });
});

function neverAsked(): never {
  throw new Error("what is kept is not worked out again");
}

describe("counting", () => {
  it("leaves out a match whose wording is only similar", async () => {
    const kit = createKit();
    const similar = createKit({
      kit: {
        explain: (excerpt, labels) => {
          const explanation = kit.explain(excerpt, labels);
          const matches = explanation.matches.map((match) => ({
            ...match,
            kind: "similar" as const,
          }));
          return { ...explanation, matches };
        },
      },
    });
    await enrich(similar, knownAlert());
    expect(similar.counters.tally).toEqual({
      "enriched matched": 1,
      "recommended investigate": 1,
    });
  });

  it("counts the first match only", async () => {
    const second = buildRecord(2, {
      errorMessage: "snapshot upload of table {} was refused by the object store",
      errorClass: "UploadError",
    });
    const kit = createKit({ records: [buildRecord(1), second] });
    const line = "snapshot upload of table t was refused by the object store";
    const alert = buildAlert({ annotations: { log_excerpt: `${KNOWN_LINE}\n${line}` } });
    const { enriched } = await enrich(kit, alert);
    expect(enriched.enrichments[0]?.matches).toHaveLength(2);
    const counted = Object.keys(kit.counters.tally).filter((key) => key.startsWith("matchedError"));
    expect(counted).toHaveLength(1);
  });
});
