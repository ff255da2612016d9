import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** They take minutes, or nearly one: begun last, one of them would keep a single worker busy at the end. */
const SLOWEST = [
  "pipeline/crash-each-write",
  "pipeline/crash-each-read",
  "pipeline/crash-anywhere",
  "pipeline/migration",
  "cli/exit-codes",
  "cli/migrate",
  "cli/sigkill",
];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = SLOWEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return at === -1 ? SLOWEST.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/bench/**"],
    // The default is one worker on two cores; two halve the time (most tests wait for children and servers).
    maxWorkers: 2,
    setupFiles: ["./test/helpers/seed.ts"],
    sequence: { sequencer: SlowestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default", "./test/helpers/closing-line.ts"],
  },
});
