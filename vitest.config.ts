import { defineConfig } from "vitest/config";

/** One project a folder of test/; the limits are for a busy machine, no test waits for a clock. */
const project = (name: string, testTimeout: number) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout,
    hookTimeout: testTimeout,
  },
});

export default defineConfig({
  test: {
    environment: "node",
    restoreMocks: true,
    unstubEnvs: true,
    coverage: {
      provider: "v8",
      include: ["src/**/*.{ts,tsx}"],
      reporter: ["text-summary", "html"],
    },
    projects: [
      project("unit", 20_000),
      project("property", 60_000),
      project("http", 20_000),
      project("scenario", 20_000),
      project("contract", 60_000),
      project("e2e", 120_000),
    ],
  },
});
