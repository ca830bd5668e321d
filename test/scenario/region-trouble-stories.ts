import { expect } from "vitest";
import { VIEWER } from "../support/fake-grafana.ts";
import type { GrafanaRequest } from "../support/fake-grafana.ts";
import { END, alert, isClosed, isOpen, named, onNoDashboard, onPanel } from "./region-story.ts";
import type { Story } from "./region-story.ts";

const isPost = ({ method }: GrafanaRequest) => method === "POST";

/** Regions while Grafana refuses, is away or forgets. */
export const TROUBLE_STORIES: readonly Story[] = [
  {
    name: "waits for a token that is right, and the log says once that it is not",
    async happens({ grafana, fire, post, pass }) {
      const token = grafana.tokens.get("glsa_editor");
      if (token === undefined) throw new Error("there is no token");
      grafana.tokens.clear();
      for (const pod of ["a", "b", "c"]) await fire(named(pod));
      await pass(600_000, 60_000);
      expect(grafana.count("POST")).toBeLessThan(8);
      grafana.tokens.set("glsa_editor", token);
      await post({ ...named("b"), endsAt: END });
      await pass(600_000, 60_000);
    },
    regions: [isOpen, isOpen, isClosed],
    warnings: 1,
  },
  {
    name: "waits for permissions, and the log says once that they are missing",
    async happens({ grafana, fire, pass }) {
      const token = grafana.tokens.get("glsa_editor");
      if (token === undefined) throw new Error("there is no token");
      grafana.tokens.set("glsa_editor", { orgId: 1, permissions: VIEWER });
      for (const pod of ["a", "b"]) await fire(named(pod));
      await pass(1_200_000, 60_000);
      grafana.tokens.set("glsa_editor", token);
      await pass(600_000, 60_000);
    },
    regions: [isOpen, isOpen],
    warnings: 1,
  },
  {
    name: "does not wait for another that is forbidden",
    async happens({ grafana, fire, pass }) {
      grafana.tokens.set("glsa_editor", {
        orgId: 1,
        permissions: ["annotations:create:dashboard", "annotations:read", "dashboards:read"],
      });
      await fire(named("a"));
      await fire({ ...onPanel, labels: { alertname: "Y" } });
      await pass(60_000);
    },
    regions: [{ ...isOpen, dashboardUID: "rw-streaming", panelId: 12 }],
    warnings: 1,
  },
  {
    name: "goes to the organisation when its dashboard may not be edited, which the log says once",
    async happens({ grafana, fire, pass }) {
      grafana.dashboards.set("rw-streaming", { orgId: 1, canEdit: false });
      await fire({ ...onPanel, labels: { alertname: "X" } });
      await fire({ ...onPanel, labels: { alertname: "Y" } });
      await pass(60_000);
    },
    regions: [isOpen, isOpen],
    warnings: 1,
  },
  {
    name: "goes to the organisation when its dashboard is unknown, which the log says once",
    async happens({ fire, pass }) {
      for (const alertname of ["X", "Y", "Z"])
        await fire({ ...onNoDashboard, labels: { alertname } });
      await pass(60_000);
    },
    regions: [isOpen, isOpen, isOpen],
    warnings: 1,
  },
  {
    name: "is made anew, whole, when somebody removed it",
    async happens({ grafana, fire, post, pass }) {
      await fire(alert);
      await pass(5000);
      grafana.annotations.length = 0;
      await post({ ...alert, endsAt: END });
      await pass(60_000);
    },
    regions: [isClosed],
  },
  {
    name: "is not made anew for a 404 of something in front of Grafana",
    async happens({ grafana, fire, post, pass }) {
      await fire(alert);
      await pass(5000);
      grafana.trouble = () => ({ status: 404, body: "<html>no such site</html>" });
      await post({ ...alert, endsAt: END });
      await pass(60_000);
      grafana.trouble = () => undefined;
      await pass(600_000, 60_000);
      expect(grafana.count("POST")).toBe(1);
    },
    regions: [isClosed],
    warnings: 1,
  },
  {
    name: "comes when Grafana was down for a while, with the end that it had meanwhile",
    async happens({ grafana, fire, post, pass }) {
      grafana.trouble = () => "away";
      await fire(named("a"));
      await fire(named("b"));
      await pass(3_600_000 * 2, 60_000);
      await post({ ...named("a"), endsAt: END });
      await pass(600_000, 60_000);
      grafana.trouble = () => undefined;
      await pass(600_000, 60_000);
    },
    regions: [isOpen, isClosed],
    warnings: 1,
  },
  {
    name: "is closed when Grafana was down at its end and the program restarted",
    async happens({ grafana, fire, post, pass, restart }) {
      await fire(alert);
      await pass(5000);
      grafana.trouble = () => ({ status: 503, body: "<html>busy</html>" });
      await post({ ...alert, endsAt: END });
      await pass(60_000);
      await restart();
      await pass(60_000);
      grafana.trouble = () => undefined;
      await pass(600_000, 60_000);
    },
    regions: [isClosed],
    warnings: 2,
  },
  {
    name: "is found again when the answer to its making got lost",
    async happens({ grafana, fire, post, pass }) {
      await fire(alert);
      grafana.trouble = (request) => (isPost(request) ? "lost" : undefined);
      await pass(5000);
      grafana.trouble = () => undefined;
      await post({ ...alert, endsAt: END });
      await pass(60_000);
      expect(grafana.count("POST")).toBe(1);
    },
    regions: [isClosed],
    warnings: 1,
  },
  {
    name: "is found again by a program that was killed before it noted the id",
    async happens({ grafana, fire, pass, restart, clock }) {
      await fire(alert);
      grafana.trouble = (request) => (isPost(request) ? "lost" : undefined);
      await pass(5000);
      grafana.trouble = () => undefined;
      await restart();
      clock.advance(60_000);
      await pass(60_000);
      expect(grafana.count("POST")).toBe(1);
    },
    regions: [isOpen],
    warnings: 1,
  },
];
