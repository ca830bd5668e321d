import { expect, it } from "vitest";
import { faultsOf } from "../../support/check-config.ts";

const AUTH = "auth: {bearer_token: t}";

it.each([
  [
    "grafana:\n  annotations: {enabled: true}\n",
    "alertlore.yaml:1: grafana: url is required for annotations",
  ],
  [
    `grafana:\n  annotations:\n    organizations: [{org_id: 1, ${AUTH}}]\n`,
    "alertlore.yaml:1: grafana: organizations of annotations must differ, from org_id too",
  ],
  [
    `grafana:\n  org_id: 7\n  annotations:\n    organizations: [{org_id: 2, ${AUTH}}, {org_id: 2, ${AUTH}}]\n`,
    "alertlore.yaml:1: grafana: organizations of annotations must differ, from org_id too",
  ],
  [
    "grafana:\n  annotations:\n    organizations: [{org_id: 2}]\n",
    "alertlore.yaml:3: grafana.annotations.organizations[0].auth: is required",
  ],
])("%j is refused", (yaml, fault) => {
  expect(faultsOf(yaml)).toEqual([fault]);
});

it("annotations in several organisations are sound", () => {
  const yaml = `grafana:\n  url: http://g.test\n  annotations:\n    enabled: true\n    ${AUTH}\n    organizations: [{org_id: 2, ${AUTH}}, {org_id: 3, ${AUTH}}]\n`;
  expect(faultsOf(yaml)).toEqual([]);
});
