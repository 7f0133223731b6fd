import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// The build is committed, so that nobody needs Node.js to use it: the same sources give the same bytes.
// For `npx vite`: the origin of a running `ordo web`, which answers the page that is worked on.
const server = process.env.ORDO_WEB;

export default defineConfig({
  base: "./", // a proxy may serve it below a path
  server: server
    ? { proxy: { "/api": { target: server, changeOrigin: true, headers: { origin: server } } } }
    : {},
  plugins: [react()],
  build: { outDir: "../data/web", emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/setup.test-environment.ts"],
  },
});
