import request from "supertest";
import { expect, test } from "vitest";
import { createTestService } from "../support/create-test-service.ts";
import { pagesOf, readDashboard } from "../support/read-dashboard.ts";

test("every link of the dashboard leads to a page that answers", async () => {
  const { app } = await createTestService();
  const pages = [...new Set(pagesOf(readDashboard()))];
  expect(pages.length).toBeGreaterThan(6);
  for (const page of pages) {
    expect(page).toMatch(/^\/[^$]*$/u);
    const answer = await request(app).get(page);
    expect(answer.status, page).toBe(200);
    expect(answer.headers["content-type"], page).toContain("text/html");
  }
});
