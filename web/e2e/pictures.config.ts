import { defineConfig } from "vitest/config";

// `npx vitest run --config e2e/pictures.config.ts` takes the pictures of docs/web.md anew. Look at them.
export default defineConfig({
  test: {
    environment: "node",
    include: ["e2e/pictures.ts"],
    root: ".",
    testTimeout: 600000,
    hookTimeout: 120000,
  },
});
