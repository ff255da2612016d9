import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import config from "../../vitest.config.js";

const { projects: _projects, ...settings } = config.test ?? {};

/**
 * `npm run chaos:fleet`: workers, Postgres and object storage that are killed, stopped and cut off,
 * for minutes, and figures that need a machine of their own.
 */
export default defineConfig({
  test: {
    ...settings,
    root: resolve(import.meta.dirname, "../.."),
    include: ["test/chaos/fleet/**/*.chaos.ts"],
    // Each measures what the machine can do.
    fileParallelism: false,
    testTimeout: 1_800_000,
  },
});
