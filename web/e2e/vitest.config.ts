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
    // How long it takes is no verdict: a test waits for what must come as long as it may run.
    expect: { poll: { timeout: 100000 } },
  },
});
