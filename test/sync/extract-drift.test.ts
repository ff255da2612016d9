import fc from "fast-check";
import { expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.js";
import { sourceOf, startSite } from "./extract-site.js";

const never = new AbortController().signal;
const GUIDES = 520;

/** What somebody else does before a page of a list is made. */
type Move =
  | { readonly kind: "create"; readonly count: number }
  | { readonly kind: "delete"; readonly from: number; readonly count: number }
  | { readonly kind: "edit"; readonly from: number };

const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ kind: fc.constant("create" as const), count: fc.integer({ min: 1, max: 40 }) }),
  fc.record({
    kind: fc.constant("delete" as const),
    from: fc.integer({ min: 1, max: GUIDES }),
    count: fc.integer({ min: 1, max: 90 }),
  }),
  fc.record({ kind: fc.constant("edit" as const), from: fc.integer({ min: 1, max: GUIDES }) }),
);

const body = (number: number) => ({ category: "Looms", type: "how-to", title: `Guide ${number}`, public: true });

function fill({ edit }: Sandbox, guides = GUIDES): Set<number> {
  edit.clear();
  edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "Text." });
  return new Set(Array.from({ length: guides }, (_, index) => edit.createGuide(body(index))));
}

function apply({ edit }: Sandbox, change: Move, alive: Set<number>): void {
  const ids = [...alive];
  if (change.kind === "create") for (let made = 0; made < change.count; made += 1) edit.createGuide(body(made));
  else if (change.kind === "edit") {
    const id = ids[change.from % ids.length];
    if (id !== undefined) edit.guide(id, { introduction: "New." });
  } else {
    for (const id of ids.slice(change.from, change.from + change.count)) {
      edit.deleteGuide(id);
      alive.delete(id);
    }
  }
}

test("while others create, edit and delete before each page, no guide that is there all the time is missed", async () => {
  const { sandbox } = await startSite();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(move, { maxLength: 3 }), { maxLength: 12 }), async (schedule) => {
      const alive = fill(sandbox);
      let page = 0;
      sandbox.faults.beforeList(({ path }) => {
        if (path !== "/guides") return;
        for (const change of schedule[page] ?? []) apply(sandbox, change, alive);
        page += 1;
      });
      const keys: string[] = [];
      for await (const { key } of sourceOf(sandbox).list(
        { kinds: new Set(["guide"]), includePrivate: true, since: null },
        never,
      )) {
        keys.push(key);
      }
      sandbox.faults.beforeList(undefined);
      expect(new Set(keys).size).toBe(keys.length);
      const found = new Set(keys);
      for (const id of alive) expect(found.has(`guide/${id}`)).toBe(true);
    }),
    { numRuns: Number(process.env["RUNS"] ?? 4) },
  );
});

test("an extract of a site that moves all the time holds, afterwards, all that was there all the time", async () => {
  const site = await startSite();
  const { sandbox } = site;
  // More than a page of the list, of which each item is read.
  const alive = fill(sandbox, 230);
  let number = 0;
  sandbox.faults.beforeList(({ path }) => {
    if (path !== "/guides") return;
    number += 1;
    apply(sandbox, { kind: "delete", from: number * 7, count: 25 }, alive);
    apply(sandbox, { kind: "create", count: 3 }, alive);
  });
  const summary = await site.run();
  sandbox.faults.beforeList(undefined);
  for (const id of alive) expect(site.workspace.items.entry(`guide/${id}`)?.state).toBe("present");
  expect(summary.failures).toBe(0);
  const settled = await site.run();
  const count = sandbox.state().guides.filter((guide) => guide["deleted"] !== true).length;
  expect(settled.kinds.guide.present).toBe(count);
});
