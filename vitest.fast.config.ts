import { defineConfig } from "vitest/config";
import config, { REPLACING } from "./vitest.config.js";

const { projects: _projects, ...settings } = config.test ?? {};

/**
 * `npm run test:fast`: the rules of the layout and the pure parts, without a build. Leaves out the
 * tests that measure work or memory, or read the maintainers' data.
 */
export default defineConfig({
  test: {
    ...settings,
    include: ["test/architecture.test.ts", "test/core/**/*.test.ts", "test/transforms/**/*.test.ts"],
    exclude: [...REPLACING, "**/*{linear,hostile,memory,real-}*.test.ts"],
    isolate: false,
  },
});
