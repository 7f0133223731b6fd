import { defineConfig } from "vitest/config";

// Against the built application and the real server.
export default defineConfig({
  test: {
    environment: "node",
    globalSetup: ["e2e/samples.ts"],
    include: ["e2e/**/*.test.ts"],
    root: ".",
    maxWorkers: 2,
    testTimeout: 120000,
    hookTimeout: 120000,
  },
});
