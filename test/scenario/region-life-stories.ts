import { WORLD_MS } from "../support/region-world.ts";
import { END, alert, isClosed, isOpen, named, onPanel } from "./region-story.ts";
import type { Story } from "./region-story.ts";

/** Regions that come, change and go while all is well. */
export const LIFE_STORIES: readonly Story[] = [
  {
    name: "is opened once, at the millisecond of its alert's start",
    async happens({ fire, pass }) {
      await fire(alert);
      await pass(60_000);
    },
    regions: [isOpen],
  },
  {
    name: "is not there for an alert without a match",
    async happens({ fire, pass }) {
      await fire(alert, { outcome: "no_match", matches: [] });
      await pass(60_000);
    },
    regions: [],
  },
  {
    name: "comes with a match that is found late, at the start of the alert",
    async happens({ fire, find, pass }) {
      const id = await fire(alert, { outcome: "no_logs", matches: [] });
      await pass(60_000);
      await find(id);
      await pass(5000);
    },
    regions: [isOpen],
  },
  {
    name: "stands on the dashboard and panel of its alert",
    async happens({ fire, pass }) {
      await fire(onPanel);
      await pass(5000);
    },
    regions: [{ ...isOpen, dashboardUID: "rw-streaming", panelId: 12 }],
  },
  {
    name: "is closed at the millisecond of its alert's end",
    async happens({ fire, post, pass }) {
      await fire(onPanel);
      await pass(60_000);
      await post({ ...onPanel, endsAt: END });
      await pass(60_000);
    },
    regions: [{ ...isClosed, dashboardUID: "rw-streaming", panelId: 12 }],
  },
  {
    name: "is made whole when its alert ends before Grafana was told",
    async happens({ fire, post, pass }) {
      await fire(alert);
      await post({ ...alert, endsAt: END });
      await pass(60_000);
    },
    regions: [isClosed],
  },
  {
    name: "follows an end that a peer tells later",
    async happens({ fire, post, pass }) {
      await fire(alert);
      await post({ ...alert, endsAt: "2026-03-14T09:40:00Z" });
      await pass(5000);
      await post({ ...alert, endsAt: END });
      await pass(5000);
    },
    regions: [isClosed],
  },
  {
    name: "goes on when its alert fires on, however late that is told",
    async happens({ fire, post, pass }) {
      await fire(alert);
      await post({ ...alert, endsAt: "2026-03-14T09:40:00Z" });
      await pass(1_200_000, 60_000);
      await post(alert);
      await pass(5000);
      await post({ ...alert, endsAt: END });
      await pass(5000);
    },
    regions: [isClosed],
  },
  {
    name: "keeps an id that a double does not hold",
    wishes: { firstId: 9_007_199_254_740_993n },
    async happens({ fire, post, pass }) {
      await fire(alert);
      await pass(5000);
      await post({ ...alert, endsAt: END });
      await pass(5000);
    },
    regions: [{ ...isClosed, id: "9007199254740993" }],
  },
  {
    name: "is closed when its alert neither fires again nor resolves",
    wishes: { staleAfterMs: 600_000 },
    async happens({ store, clock, fire, pass }) {
      await fire(alert);
      await pass(5000);
      clock.advance(600_001);
      await store().sweep(clock.nowMs());
      await pass(5000);
    },
    regions: [{ ...isOpen, timeEnd: WORLD_MS }],
  },
  {
    name: "is closed when its episode was removed before Grafana was told of the end",
    wishes: { retentionMs: 3_600_000 },
    async happens({ store, clock, grafana, fire, post, pass }) {
      await fire(alert);
      await pass(5000);
      grafana.trouble = () => "away";
      await post({ ...alert, endsAt: END });
      await pass(5000);
      clock.advance(3_700_000);
      await store().sweep(clock.nowMs());
      grafana.trouble = () => undefined;
      await pass(60_000);
    },
    regions: [isClosed],
    warnings: 1,
  },
  {
    name: "is one for each source of an alert with the same labels",
    async happens({ post, find, pass }) {
      await find(await post(alert, "alertmanager"));
      await find(await post(alert, "grafana"));
      await pass(60_000);
    },
    regions: [isOpen, isOpen],
  },
  {
    name: "goes to its organisation with the token of that, and nowhere when there is none",
    wishes: { tokens: { 0: "glsa_editor", 2: "glsa_two" } },
    async happens({ grafana, fire, pass }) {
      const permissions = grafana.tokens.get("glsa_editor")?.permissions ?? [];
      grafana.tokens.set("glsa_two", { orgId: 2, permissions });
      await fire(named("a"));
      await fire({ ...named("b"), unknownFields: { orgId: 2 } });
      await fire({ ...named("c"), annotations: { __orgId__: "2" } });
      await fire({ ...named("d"), unknownFields: { orgId: 3 } });
      await fire({ ...named("e"), unknownFields: { orgId: 3 } });
      await pass(60_000);
    },
    regions: [isOpen, { ...isOpen, orgId: 2 }, { ...isOpen, orgId: 2 }],
    warnings: 1,
  },
];
