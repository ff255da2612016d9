import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { TAGS } from "./test/helpers/needs.js";

/** They take half a minute or more on a busy machine: begun last, one of them would keep a single worker busy at the end. */
const SLOWEST = [
  "transforms/linear-work",
  "pipeline/backup/damage-matrix",
  "cli/restore",
  "pipeline/crash-each-read",
  "pipeline/crash-each-write",
  "pipeline/crash-anywhere",
  "pipeline/migration",
  "pipeline/three-dialects",
  "pipeline/extract-memory",
  "pipeline/training/import/crash",
  "pipeline/backup/backup",
  "pipeline/policies/namesakes",
  "cli/backup",
  "pipeline/batches",
  "pipeline/extract-families",
  "cli/bundle",
  "pipeline/backup/nights",
  "pipeline/backup/in-place-random",
  "pipeline/backup/real-guides",
  "pipeline/policies/real-guides",
  "browser/real-guides",
  "browser/reader-pages",
  "cli/exit-codes",
  "cli/import-training-killed",
  "cli/check-probe",
  "cli/sigkill",
  "pipeline/policies/on-conflict-steps",
  "wiki/parse.linear-time",
  "browser/hostile",
];

/** They put something of their own in the place of a module, for which it must be loaded anew. */
const REPLACING = [
  "test/storage/repository/remove.test.ts",
  "test/core/util/already-sent.test.ts",
  "test/core/util/lean-memory.test.ts",
  "test/storage/workspace/files.test.ts",
  "test/sync/parsed-once.test.ts",
  "test/transforms/references/text-reader.test.ts",
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
    // What some tests need beside the checkout; without it they are skipped, and the end of the run says how to get it.
    tags: TAGS,
    // The default is one worker on two cores; three take a bit more than half the time (most tests wait for children and servers).
    maxWorkers: 3,
    // A worker keeps its modules from file to file: they have no state of their own, and loading them anew took a third of the CPU.
    projects: [
      { extends: true, test: { name: "shared", include: ["test/**/*.test.ts"], exclude: REPLACING, isolate: false } },
      { extends: true, test: { name: "alone", include: REPLACING, benchmark: { include: [] } } },
    ],
    setupFiles: ["./test/helpers/seed.ts"],
    sequence: { sequencer: SlowestFirst },
    // For what hangs: a test that takes seconds may take minutes where others work beside it.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    reporters: ["default", "./test/helpers/closing-line.ts"],
  },
});
