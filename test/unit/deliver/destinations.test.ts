import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { DeliveryError } from "../../../src/deliver/delivery-error.ts";
import { createLog } from "../../../src/deliver/destinations/log.ts";
import { PAGERDUTY_LIMITS, createPagerDuty } from "../../../src/deliver/destinations/pagerduty.ts";
import { SLACK_LIMITS } from "../../../src/deliver/destinations/slack-message.ts";
import { createSlack } from "../../../src/deliver/destinations/slack.ts";
import type { SlackOptions } from "../../../src/deliver/destinations/slack.ts";
import { TEAMS_MESSAGE_BYTES_MAX, createTeams } from "../../../src/deliver/destinations/teams.ts";
import { createWebhook } from "../../../src/deliver/destinations/webhook.ts";
import type { HttpWish } from "../../../src/deliver/http-sender.ts";
import { compileTemplate } from "../../../src/deliver/text-template.ts";
import { buildAlert, buildGroup } from "../../support/build-alert.ts";
import {
  ENDED,
  destinationOptions,
  enrichedGroup,
  notify,
} from "../../support/destination-options.ts";

const golden = (name: string) => `../../golden/deliver/${name}`;
const pretty = (requests: readonly HttpWish[]) =>
  `${JSON.stringify(
    requests.map(({ body }) => JSON.parse(body) as unknown),
    undefined,
    2,
  )}\n`;

describe("slack", () => {
  const webhook: SlackOptions["through"] = { type: "webhook", url: "https://hooks.test/x" };

  it("tells a group in blocks, its markup escaped", async () => {
    const { options, requests } = destinationOptions();
    await createSlack({ ...options, through: webhook }).deliver(notify(enrichedGroup()));
    await expect(pretty(requests)).toMatchFileSnapshot(golden("slack.json"));
  });

  it("splits what is beyond the limits and drops none of it", async () => {
    const { options, requests } = destinationOptions();
    const long = `${"x&y ".repeat(1500)}END`;
    await createSlack({ ...options, through: webhook }).deliver(notify(enrichedGroup(60, long)));
    const messages = requests.map(({ body }) => JSON.parse(body) as { blocks: Block[] });
    for (const { blocks } of messages) {
      expect(blocks.length).toBeLessThanOrEqual(SLACK_LIMITS.blocks);
      for (const { type, text } of blocks) {
        const limit = type === "header" ? SLACK_LIMITS.headerChars : SLACK_LIMITS.sectionChars;
        expect(text.text.length).toBeLessThanOrEqual(limit);
        expect(text.text).not.toMatch(/&[a-z]*$/u);
      }
    }
    const all = messages.flatMap(({ blocks }) => blocks.map(({ text }) => text.text)).join("");
    expect(all.split("END").length - 1).toBe(60);
    expect(all.split("x&amp;y").length - 1).toBe(60 * 1500);
  });

  it("takes a 200 that does not say ok for a failure", async () => {
    const { options } = destinationOptions(["invalid_payload"]);
    const sending = createSlack({ ...options, through: webhook }).deliver(notify(enrichedGroup()));
    await expect(sending).rejects.toMatchObject({ permanent: true });
  });

  it("edits the first message as a bot and tells the update in its thread", async () => {
    const threads = new Map<string, string>();
    const ok = (ts: string) => JSON.stringify({ ok: true, ts });
    const { options, requests } = destinationOptions([ok("1.1"), ok("1.1"), ok("1.2")]);
    const slack = createSlack({ ...options, through: botWith(threads) });
    await slack.deliver(notify(enrichedGroup()));
    await slack.deliver(notify(enrichedGroup(3)));
    const calls = requests.map(({ url, body }) => [
      url.slice("https://slack.test/".length),
      (JSON.parse(body) as { ts?: string; thread_ts?: string }).ts,
      (JSON.parse(body) as { thread_ts?: string }).thread_ts,
    ]);
    expect(calls).toEqual([
      ["chat.postMessage", undefined, undefined],
      ["chat.update", "1.1", undefined],
      ["chat.postMessage", undefined, "1.1"],
    ]);
  });

  it("tells what was found later in the thread of a bot, and in a second message elsewhere", async () => {
    const threads = new Map([["s".repeat(43), "1.1"]]);
    const bot = destinationOptions(["1.1", "1.2"].map((ts) => JSON.stringify({ ok: true, ts })));
    const later = notify(enrichedGroup(), { late: true });
    await createSlack({ ...bot.options, through: botWith(threads) }).deliver(later);
    expect(bot.requests.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
      { ts: "1.1" },
      {
        thread_ts: "1.1",
        text: "Now explained: [FIRING:1, RESOLVED:1] DiskFull (namespace=prod)\n*DiskFull*\nknown error: no space left. First: free space.",
      },
    ]);
    const hook = destinationOptions();
    await createSlack({ ...hook.options, through: webhook }).deliver(later);
    expect(JSON.parse(hook.requests[0]?.body ?? "")).toMatchObject({
      text: "Now explained: [FIRING:1, RESOLVED:1] DiskFull (namespace=prod)",
    });
  });

  it("takes a 200 with ok false for a failure, permanent when the blocks are wrong", async () => {
    for (const [error, permanent] of [
      ["invalid_blocks", true],
      ["internal_error", false],
    ] as const) {
      const { options } = destinationOptions([JSON.stringify({ ok: false, error })]);
      const slack = createSlack({ ...options, through: botWith(new Map()) });
      const failure: unknown = await slack
        .deliver(notify(enrichedGroup()))
        .catch((e: unknown) => e);
      expect(failure).toBeInstanceOf(DeliveryError);
      expect(failure).toMatchObject({ permanent });
    }
  });
});

describe("pagerduty", () => {
  it("triggers while something fires, with a key of the group", async () => {
    const { options, requests } = destinationOptions();
    await createPagerDuty({ ...options, routingKey: "k" }).deliver(notify(enrichedGroup()));
    await expect(pretty(requests)).toMatchFileSnapshot(golden("pagerduty.json"));
  });

  it.each([
    { truncatedAlerts: 0, othersFire: false, action: "resolve" },
    { truncatedAlerts: 1, othersFire: false, action: "trigger" },
    { truncatedAlerts: 0, othersFire: true, action: "trigger" },
  ])(
    "with $truncatedAlerts cut off and others firing $othersFire a resolved body is a $action",
    async ({ truncatedAlerts, othersFire, action }) => {
      const { options, requests } = destinationOptions();
      const group = buildGroup([buildAlert({ endsAt: ENDED })], { truncatedAlerts });
      const pager = createPagerDuty({ ...options, routingKey: "k" });
      await pager.deliver(notify({ group, enrichments: [] }, { othersFire }));
      expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({ event_action: action });
    },
  );

  it("stays within the limits of the request and the summary", async () => {
    const { options, requests } = destinationOptions();
    const template = compileTemplate(
      "{% for alert in alerts %}{{ alert.annotations.summary }}{% endfor %}",
    );
    const pager = createPagerDuty({ ...options, template, routingKey: "k" });
    await pager.deliver(notify(enrichedGroup(300, "ü".repeat(3000))));
    const body = requests[0]?.body ?? "";
    const { payload } = JSON.parse(body) as {
      payload: { summary: string; custom_details: { alerts_left_out: number } };
    };
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(PAGERDUTY_LIMITS.requestBytes);
    expect(payload.summary).toHaveLength(PAGERDUTY_LIMITS.summaryChars);
    expect(payload.custom_details.alerts_left_out).toBeGreaterThan(0);
  });
});

describe("teams", () => {
  it("tells a group on an adaptive card", async () => {
    const { options, requests } = destinationOptions();
    await createTeams(options).deliver(notify(enrichedGroup()));
    await expect(pretty(requests)).toMatchFileSnapshot(golden("teams.json"));
  });

  it("uses as many cards as the size limit asks for", async () => {
    const { options, requests } = destinationOptions();
    const long = ["long ", "ü長* "].map((word) => `${word.repeat(1600)}END`).join("");
    await createTeams(options).deliver(notify(enrichedGroup(30, long)));
    for (const { body } of requests) {
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(TEAMS_MESSAGE_BYTES_MAX);
    }
    const all = requests.map(({ body }) => body).join("");
    expect(all.split("END").length - 1).toBe(60);
  });
});

describe("webhook", () => {
  const template = compileTemplate('{"state": {{ status | json }}, "n": {{ alerts | size }}}');

  it("sends what the template gives, signed", async () => {
    const { options, requests } = destinationOptions();
    const way = { authorization: undefined, hmacSecret: "s3cret", nowMs: () => 1_700_000_000_999 };
    await createWebhook({ ...options, ...way, template }).deliver(notify(enrichedGroup()));
    const body = '{"state": "firing", "n": 2}';
    const hex = createHmac("sha256", "s3cret").update(`1700000000.${body}`).digest("hex");
    expect(requests).toEqual([
      {
        url: options.url,
        body,
        headers: {
          "X-Alertlore-Timestamp": "1700000000",
          "X-Alertlore-Signature": `sha256=${hex}`,
        },
      },
    ]);
  });

  it.each(['{"a": {{ status }}}', "{{ alerts | nothing }}"])(
    "sends the default text when the template breaks: %s",
    async (source) => {
      const { options, requests, failures } = destinationOptions();
      let broken: ReturnType<typeof compileTemplate>;
      try {
        broken = compileTemplate(source);
      } catch {
        // A filter that is not known is a fault of the configuration already.
        return;
      }
      const way = { authorization: undefined, hmacSecret: undefined, nowMs: () => 0 };
      await createWebhook({ ...options, ...way, template: broken }).deliver(
        notify(enrichedGroup()),
      );
      expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({ status: "firing" });
      expect(failures).toHaveLength(1);
    },
  );
});

describe("templates", () => {
  it.each([
    "{{ alerts.constructor }}{{ status.__proto__.constructor }}{{ commonLabels.toString }}",
    "{{ groupLabels.hasOwnProperty }}",
  ])("reach nothing that is not their own: %s", async (source) => {
    const { options, requests } = destinationOptions();
    const template = compileTemplate(`{"x": {{ "" | json }}}${source}`);
    const way = { authorization: undefined, hmacSecret: undefined, nowMs: () => 0 };
    await createWebhook({ ...options, ...way, template }).deliver(notify(enrichedGroup()));
    expect(requests[0]?.body).toBe('{"x": ""}');
  });

  it("read no files", () => {
    expect(() => compileTemplate("{% include '/etc/passwd' %}").render({} as never)).toThrow();
  });
});

describe("log", () => {
  it("writes one JSON line", async () => {
    const { options } = destinationOptions();
    const lines: string[] = [];
    const log = createLog({ ...options, write: (line) => lines.push(line) });
    await log.deliver(notify(enrichedGroup(2, "a\nb")));
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd()).not.toContain("\n");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ destination: "d", status: "firing" });
  });
});

interface Block {
  readonly type: string;
  readonly text: { readonly text: string };
}

function botWith(threads: Map<string, string>): SlackOptions["through"] {
  return {
    type: "bot",
    url: "https://slack.test",
    token: "t",
    channel: "C1",
    threads: {
      find: (stream) => Promise.resolve(threads.get(stream)),
      keep: (stream, ts) => {
        if (ts === undefined) threads.delete(stream);
        else threads.set(stream, ts);
        return Promise.resolve();
      },
    },
  };
}
