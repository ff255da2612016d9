import fc from "fast-check";
import { expect, test } from "vitest";
import { type Namespace, wikiKey } from "../../src/core/model/key.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { selectStored } from "../../src/sync/dependencies.js";
import { load } from "../../src/sync/load/load.js";
import { EVERYTHING } from "../../src/sync/selection.js";
import { extractFrom, loadInto, verifyAt, withTarget } from "../helpers/migration.js";
import { fillSite, type SmallSite, smallSite } from "../helpers/random-site.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

/** A site with parts, pages of parts, and pages that mention guides. */
interface BatchedSite extends SmallSite {
  /** The parts of each guide, by their names; a page of a part may be missing. */
  readonly parts: readonly (readonly number[])[];
  /** Guides that each page of a part mentions. */
  readonly mentions: readonly (readonly number[])[];
}

const PARTS = ["Shuttle", "Reed", "Steel rule", "Heddle hook"];

const batchedSite: fc.Arbitrary<BatchedSite> = fc
  .tuple(
    smallSite,
    fc.array(fc.uniqueArray(fc.nat(PARTS.length - 1), { maxLength: 3 }), { minLength: 5, maxLength: 5 }),
    fc.array(fc.uniqueArray(fc.nat(4), { maxLength: 2 }), { maxLength: PARTS.length }),
  )
  .map(([site, parts, mentions]) => ({ ...site, parts, mentions }));

/**
 * Which batch each guide and page goes in; `dependencies`: whether a batch brings what it needs;
 * `kills`: the write of each batch at which it is killed.
 */
interface Split {
  readonly batchOf: readonly number[];
  readonly dependencies: readonly boolean[];
  readonly kills: readonly (number | null)[];
  readonly order: readonly number[];
}

const BATCHES = 3;

const split: fc.Arbitrary<Split> = fc.record({
  batchOf: fc.array(fc.nat(BATCHES - 1), { minLength: 16, maxLength: 16 }),
  dependencies: fc.array(fc.boolean(), { minLength: BATCHES, maxLength: BATCHES }),
  kills: fc.array(fc.option(fc.nat(25)), { minLength: BATCHES, maxLength: BATCHES }),
  order: fc.shuffledSubarray([0, 1, 2], { minLength: BATCHES }),
});

function fill(source: Sandbox, site: BatchedSite): readonly string[] {
  fillSite(source, site);
  for (const [index, mentions] of site.mentions.entries()) {
    const contents = mentions.map((place) => `See [guide|${1 + (place % site.guides.length)}|it].`).join(" ");
    source.edit.createWiki({ namespace: "ITEM", title: PARTS[index] ?? "", contents: `A part. ${contents}` });
  }
  for (const [index] of site.guides.entries()) {
    const parts = (site.parts[index] ?? []).map((part) => ({ name: (PARTS[part] ?? "").replaceAll(" ", "_") }));
    source.edit.guide(index + 1, { parts });
  }
  // The source makes a page for each part that has none, too.
  const pages = source.state().wikis.map(({ namespace, title }) => wikiKey(namespace as Namespace, String(title)));
  return [...site.guides.map((_, index) => `guide/${index + 1}`), ...pages.toSorted()];
}

interface BatchOptions {
  readonly include: readonly string[];
  readonly dependencies: boolean;
  readonly kill: number | null;
}

/**
 * One batch, as `migrate --include` does it: killed at a write, if that comes, and then given
 * again.
 */
async function batch(source: Sandbox, target: Sandbox, workspace: string, options: BatchOptions): Promise<void> {
  const { include, dependencies, kill } = options;
  const selection = { ...EVERYTHING, include, dependencies };
  await extractFrom(source, workspace, { include, selection: { dependencies } });
  const loadBatch = (signal?: AbortSignal) =>
    withTarget(target, workspace, signal === undefined ? {} : { kill: signal }, async (parts) => {
      const site = parts.workspace.source();
      if (site === undefined) throw new Error("nothing was extracted");
      const selected = new Set((await selectStored(parts.workspace.items, selection, site)).keys());
      return load({ ...parts, options: { ...parts.options, selected } });
    });
  if (kill !== null) {
    const killed = new AbortController();
    let writes = 0;
    target.faults.decide(({ method, isApi }) => {
      if (!isApi || method === "GET") return undefined;
      writes += 1;
      if (writes !== kill + 1) return undefined;
      killed.abort();
      return { kind: "reset", applied: kill % 2 === 0 };
    });
    await loadBatch(killed.signal).catch((error: unknown) => {
      if (!killed.signal.aborted) throw error;
    });
    target.faults.clear();
  }
  await loadBatch();
}

async function splitEndsAsOneRun(site: BatchedSite, { batchOf, dependencies, kills, order }: Split): Promise<void> {
  const [source, target, whole] = [await startSandbox(), await startSandbox(), await startSandbox()];
  try {
    const keys = fill(source, site);
    const workspace = await temporaryFolder();
    for (const number of order) {
      const include = keys.filter((_, index) => batchOf[index] === number);
      const how = { include, dependencies: dependencies[number] ?? true, kill: kills[number] ?? null };
      if (include.length > 0) await batch(source, target, workspace, how);
    }
    const other = await temporaryFolder();
    await extractFrom(source, other);
    await loadInto(whole, other);
    if (dependencies.includes(false)) {
      // The site takes no guide whose category it does not have: one that came without what it
      // needs failed, and is in the workspace.
      expect(await loadInto(target, workspace)).toMatchObject({ failed: 0, heldBack: [] });
    }
    expect(target.namedState()).toEqual(whole.namedState());
    expect((await loadInto(target, workspace)).writes).toBe(0);
    expect((await verifyAt(target, workspace)).differences).toEqual([]);
  } finally {
    await Promise.all([source.close(), target.close(), whole.close()]);
  }
}

/**
 * The target makes the page of a part itself. The batch with that page loses its first answer, and
 * the next run finds the page of the target.
 */
const PAGE_OF_THE_TARGET: [BatchedSite, Split] = [
  {
    categories: [null, null],
    guides: [
      { summary: "Oil it", prerequisites: [], refersTo: [], tags: [], steps: ["Oil it"], public: false },
      { summary: "Oil it", prerequisites: [], refersTo: [], tags: [], steps: ["Oil it"], public: false },
    ],
    parts: [[], [2]],
    mentions: [[], []],
  },
  {
    batchOf: [0, 0, 0, 0, 1, 0, 1, 1],
    dependencies: [false, false, false],
    kills: [null, 0, null],
    order: [2, 0, 1],
  },
];

test("a site that is moved in batches, in any order and with kills between, ends as one that is moved at once", async () => {
  await fc.assert(fc.asyncProperty(batchedSite, split, splitEndsAsOneRun), {
    numRuns: Number(process.env["RUNS"] ?? 5),
    examples: [PAGE_OF_THE_TARGET],
  });
});
