import { dirname, relative, resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { TAGS } from "./test/helpers/needs.js";

/** The longest: begun last, one of them would keep a single worker busy at the end. */
export const SLOWEST = [
  "test/cli/object-storage.test.ts",
  "test/storage/repository/files/bucket-storage.test.ts",
  "test/fleet/link.test.ts",
  "test/transforms/hostile-memory.test.ts",
  "test/sync/policies/real-guides.test.ts",
  "test/backup/damage-matrix.test.ts",
  "test/backup/real-guides.test.ts",
  "test/transforms/linear-work.test.ts",
  "test/storage/archive/memory.test.ts",
  "test/backup/many-snapshots.test.ts",
  "test/sync/three-dialects.test.ts",
  "test/cli/restore.test.ts",
  "test/sync/random-sites.test.ts",
  "test/sync/migration.test.ts",
  "test/sync/policies/duplicate-guides.test.ts",
  "test/backup/damage-bits.test.ts",
  "test/cli/import-training-killed.test.ts",
  "test/browser/reader-pages.test.ts",
  "test/sync/crash-anywhere.test.ts",
  "test/training/import/crash.test.ts",
  "test/cli/exit-codes.test.ts",
  "test/cli/check-probe.test.ts",
  "test/sync/extract-families-refused.test.ts",
  "test/sync/batches.test.ts",
  "test/transforms/html/hostile.test.ts",
  "test/cli/backup.test.ts",
  "test/cli/sigkill.test.ts",
  "test/sync/plan.test.ts",
  "test/cli/terminal/progress.test.ts",
  "test/cli/live-view.test.ts",
  "test/browser/real-guides.test.ts",
  "test/browser/hostile.test.ts",
];

/** They replace a module, so they load all modules anew. */
export const REPLACING = [
  "test/storage/repository/remove.test.ts",
  "test/storage/workspace/commit-batches.test.ts",
  "test/core/util/already-sent.test.ts",
  "test/core/util/lean-memory.test.ts",
  "test/storage/workspace/files.test.ts",
  "test/sync/parsed-once.test.ts",
  "test/transforms/references/text-reader.test.ts",
];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = SLOWEST.findIndex((name) => moduleId.endsWith(`/${name}`));
      return at === -1 ? SLOWEST.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}

/**
 * `npm test` imports what `npm run build` made instead of the sources: Node loads that as it is, which takes a tenth of the
 * whole run less than the same modules through vite.
 */
const isBuilt = process.env["TEST_BUILD"] === "true";
const FROM_BUILD = {
  name: "build-in-place-of-sources",
  enforce: "pre",
  resolveId(source: string, importer: string | undefined): string | undefined {
    if (importer === undefined || !source.startsWith(".") || !source.endsWith(".js")) return undefined;
    const path = relative(import.meta.dirname, resolve(dirname(importer), source));
    return /^(?:src|transforms)[/\\]/.test(path) ? resolve(import.meta.dirname, "dist", path) : undefined;
  },
} as const;

export default defineConfig({
  test: {
    // Programs and data beside the checkout: tests that lack one are skipped.
    tags: TAGS,
    // The default is one worker on two cores. Most tests wait for children and servers: with three, a
    // fifth of the processor time of a run was idle.
    maxWorkers: 4,
    // A worker keeps its modules from file to file, since they have no state of their own.
    projects: [
      {
        extends: true,
        ...(isBuilt && { plugins: [FROM_BUILD] }),
        test: {
          name: "shared",
          include: ["test/**/*.test.ts"],
          exclude: REPLACING,
          isolate: false,
          server: { deps: { external: isBuilt ? [/\/dist\//] : [] } },
        },
      },
      { extends: true, test: { name: "alone", include: REPLACING, benchmark: { include: [] } } },
    ],
    setupFiles: ["./test/helpers/seed.ts"],
    globalSetup: ["./test/helpers/object-storage-server.ts", "./test/helpers/postgres-server.ts"],
    sequence: { sequencer: SlowestFirst },
    // Ends what hangs; a test of seconds takes minutes on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    reporters: ["default", "./test/helpers/closing-line.ts"],
  },
});
