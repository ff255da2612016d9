import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { BackupSummary } from "../../src/backup/backup.js";
import { prune } from "../../src/backup/prune/prune.js";
import { verifyRepository } from "../../src/backup/verify/verify-repository.js";
import { LocalFolder } from "../../src/storage/repository/files/local-folder.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { type ChangingSite, changingSite } from "../helpers/changing-site.js";
import { stepBody } from "../helpers/small-sites.js";
import { askSite } from "../helpers/snapshot-oracle.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { sourceOf } from "../sync/extract-site.js";
import { type BackUpOptions, oneBackup } from "./helpers/backups.js";
import {
  expectRaws,
  expectRestored,
  isAnswered,
  type KeptSnapshot,
  keyOf,
  keysOf,
  recordsOf,
} from "./helpers/kept-snapshot.js";

/**
 * A long run: `NIGHTS=365 npx vitest run test/backup/many-snapshots.test.ts`, and another site with
 * SEED=random or a number.
 */
const NIGHTS = Number(process.env["NIGHTS"] ?? 12);
/** Each night is restored then, not only those of trouble and the last. */
const IS_LONG = process.env["NIGHTS"] !== undefined;
const { SEED: asked = "20261120" } = process.env;
const SEED = asked === "random" ? Math.floor(Math.random() * 1e9) : Number(asked);

/** In so many nights everything is read anew: fewer than the program takes by itself. */
const REFRESH = 9;
/** The night before which the workspace is lost. */
const LOST = 22;

interface Place {
  readonly site: ChangingSite;
  readonly folder: string;
  readonly workspace: string;
  backup(more?: BackUpOptions): Promise<BackupSummary>;
}

async function place(): Promise<Place> {
  const site = await changingSite(SEED);
  const base = await temporaryFolder();
  const [folder, workspace] = [join(base, "repository"), join(base, "workspace")];
  const source = sourceOf(site.sandbox, { records: "all", languages: ["de"] });
  const options = { fullEvery: 7, partBytes: 40_000, maxDeletions: { share: 0.5 } };
  const backup: Place["backup"] = (more = {}) =>
    oneBackup({
      folder,
      workspace,
      source,
      now: new Date(site.now()),
      reading: { refreshCycle: REFRESH },
      ...more,
      options,
    });
  return { site, folder, workspace, backup };
}

/** What goes wrong in some nights; the others are quiet. */
const TROUBLE: Readonly<Record<number, (place: Place) => Promise<BackupSummary>>> = {
  3: async ({ site: { sandbox }, backup }) => {
    sandbox.edit.guide(1, { introduction: "Nobody can read this today." });
    sandbox.edit.wiki("INFO", "Rules", { contents: "Nor this." });
    sandbox.faults.decide(({ path }) =>
      /^\/guides\/1$|^\/wikis\/INFO\/Rules$/.test(path) ? { kind: "status", status: 500 } : undefined,
    );
    return backup();
  },
  6: async ({ site: { sandbox }, backup }) => {
    sandbox.faults.decide(({ path }) =>
      /^\/(?:step_forms|collections|periodic_review)/.test(path) ? { kind: "status", status: 403 } : undefined,
    );
    return backup();
  },
  8: async (where) => {
    where.site.sandbox.edit.guide(1, { introduction: "Read before the kill." });
    await killedAt("extract", where, 1);
    return where.backup();
  },
  11: async (where) => {
    const { edit } = where.site.sandbox;
    edit.exchangeImage(1, edit.addStep(1, stepBody(1, "Look.")), "packed before the kill");
    await killedAt("archive", where, 1);
    return where.backup();
  },
  [LOST]: async ({ workspace, backup }) => {
    rmSync(workspace, { recursive: true });
    return backup();
  },
};

async function killedAt(stage: string, { backup }: Place, at: number): Promise<void> {
  const kill = new AbortController();
  let seen = 0;
  const progress = (event: { readonly stage: string }): void => {
    if (event.stage === stage) seen += 1;
    if (seen >= at) kill.abort();
  };
  await expect(backup({ control: { stop: kill.signal, abort: kill.signal, progress } })).rejects.toThrow();
  expect(seen).toBeGreaterThan(0);
}

async function manyNights(where: Place): Promise<readonly KeptSnapshot[]> {
  const { site, backup } = where;
  const { sandbox } = site;
  const answers = new Map<string, string>();
  const askedIn = new Map<string, number>();
  // A guide that is restored at the site is as it was, and known: its turn counts from then on.
  let since = new Map<string, number>();
  const kept: KeptSnapshot[] = [];
  for (let night = 0; night < NIGHTS; night += 1) {
    if (night > 0) site.day();
    const before = sandbox.recorded.length;
    const summary = await (TROUBLE[night % 30] ?? (() => backup()))(where);
    sandbox.faults.clear();
    const got = sandbox.recorded.slice(before).filter(isAnswered);
    const oracle = await askSite(sandbox, recordsOf(got));
    const tonight = new Set(got.map(keyOf));
    for (const [key, answer] of oracle.answers) {
      if (!tonight.has(key)) continue;
      answers.set(key, answer);
      askedIn.set(key, night);
    }
    since = new Map(keysOf(oracle).map((key) => [key, since.get(key) ?? night]));
    const ages = [...since].map(([key, from]) => night - Math.max(from, askedIn.get(key) ?? 0));
    const failed = new Set(summary.failures.map(({ key }) => String(key)));
    kept.push({ summary, oracle, answers: new Map(answers), oldest: Math.max(...ages), failed });
  }
  return kept;
}

async function expectWhole(folder: string, snapshots: readonly string[]): Promise<void> {
  const repository = await openRepository(folder);
  const signal = new AbortController().signal;
  const check = await verifyRepository(repository, { thoroughness: { kind: "bytes" }, hasKeys: false, signal });
  expect([check.problems, check.hits, check.notes]).toEqual([[], [], []]);
  expect(check.snapshots.map(({ snapshot }) => snapshot)).toEqual(snapshots);
  await repository.close();
}

test(`${NIGHTS} nights of a changing site (seed ${SEED}), and each of them can be had back`, async () => {
  const where = await place();
  const kept = await manyNights(where);
  const idOf = ({ summary }: KeptSnapshot): string => summary.index.snapshot;
  expect(kept.map(({ summary }) => summary.index.complete)).toEqual(kept.map((_, night) => night % 30 !== 3));
  expect(kept.filter(({ summary }) => summary.index.kind === "full").length).toBe(Math.ceil(NIGHTS / 7));
  // With a workspace that was lost the turns begin anew.
  const longest = (night: number): number => (night < LOST ? REFRESH + 1 : 2 * REFRESH);
  expect(kept.filter(({ oldest }, night) => oldest > longest(night)).map(idOf)).toEqual([]);
  await expectWhole(where.folder, kept.map(idOf));
  const repository = await openRepository(where.folder);
  for (const [at, night] of kept.entries()) {
    await expectRaws(repository, night);
    if (IS_LONG || at === NIGHTS - 1 || at % 30 in TROUBLE) await expectRestored(repository, night);
  }
  await repository.close();
  const retention = { last: 3, daily: 5, weekly: 3, monthly: 2, yearly: 0 };
  const signal = new AbortController().signal;
  const { plan } = await prune({
    storage: new LocalFolder(where.folder),
    retention,
    dryRun: false,
    compact: null,
    madeBy: "guideferry test",
    signal,
  });
  const gone = new Set(plan.removed.map(({ snapshot }) => snapshot));
  const stays = kept.filter((night) => !gone.has(idOf(night)));
  expect(gone.size).toBeGreaterThan(0);
  await expectWhole(where.folder, stays.map(idOf));
  const pruned = await openRepository(where.folder);
  for (const night of stays) await expectRaws(pruned, night);
  for (const night of stays.filter((one) => plan.kept.has(idOf(one))).slice(0, 1)) await expectRestored(pruned, night);
  await pruned.close();
}, 3_600_000);
