import type { Element, Root, RootContent } from "hast";
import { fromHtml } from "hast-util-from-html";
import { describe, expect, it } from "vitest";
import type { MovedThing } from "../../../src/sync/map/moved-things.js";
import { reportHtml } from "../../../src/web/report/report-page.js";
import { REPORT_FORMAT, type RunReport, runReportSchema } from "../../../src/web/report/run-report.js";

const EVIL = `<script>window.bad=1</script><img src=x onerror="bad()">"'&\u202e</tbody>`;

const LOAD = { stage: "load", started: 1000, ended: 2000, done: 1, total: 2, estimate: null, failed: 1, bytes: null };

const report = (more: Partial<RunReport> = {}): RunReport => ({
  format: REPORT_FORMAT,
  madeBy: "guideferry 1",
  madeAt: "2026-11-20T03:00:00.000Z",
  run: {
    id: "r1",
    command: "migrate",
    started: "2026-11-20T02:00:00.000Z",
    active: "2026-11-20T02:00:10.000Z",
    ended: null,
    exitCode: null,
    meaning: EVIL,
    stopped: { words: EVIL, goOn: EVIL },
  },
  source: { name: EVIL, root: EVIL },
  target: { name: EVIL, root: EVIL, reached: true },
  next: { words: EVIL, command: EVIL },
  words: [EVIL],
  stages: [{ ...LOAD, skipped: 0, toDo: null, workedFrom: null, follows: {}, earlier: [] }],
  timeline: {
    from: 0,
    length: 1000,
    origins: [
      { origin: EVIL, given: 5, buckets: [{ starts: 3, refusals: 1, held: 900, paused: 0, byHand: 0, rate: 5 }] },
    ],
  },
  kinds: [
    {
      kind: "guide",
      read: 8,
      created: 1,
      updated: 2,
      deleted: 0,
      unchanged: 5,
      linked: 2,
      left: 1,
      leftOut: 1,
      unsupported: 1,
      notSent: 1,
      waiting: 0,
      failed: 1,
      losses: 2,
    },
  ],
  failures: { count: 1, causes: [{ reason: EVIL, remedy: EVIL, stages: ["load"], count: 1, keys: [EVIL] }] },
  linked: { count: 2, first: [{ key: EVIL, title: EVIL, at: EVIL }] },
  leftOut: {
    count: 1,
    command: null,
    ways: [
      {
        takenInBy: EVIL,
        command: EVIL,
        count: 1,
        causes: [{ reason: EVIL, remedy: EVIL, stages: ["check"], count: 1, keys: [EVIL] }],
      },
    ],
  },
  unsupported: { count: 1, causes: [{ reason: EVIL, remedy: EVIL, stages: ["check"], count: 1, keys: [EVIL] }] },
  notSent: { count: 1, causes: [{ reason: EVIL, remedy: EVIL, stages: ["load"], count: 1, keys: [EVIL] }] },
  losses: [
    {
      kind: "guide",
      code: "dates",
      level: "loss",
      count: 1,
      examples: [
        {
          issue: { code: "dates", level: "loss", key: "guide/1", path: EVIL, message: EVIL, remedy: EVIL },
          title: EVIL,
          atSource: EVIL,
          atTarget: null,
          unread: EVIL,
        },
      ],
    },
  ],
  dangling: { count: 1, first: [{ from: EVIL, title: EVIL, to: EVIL }] },
  moved: 1,
  unread: [EVIL],
  ...more,
});

const thing = (more: Partial<MovedThing> = {}): MovedThing => ({
  kind: "guide",
  key: "guide/1",
  title: EVIL,
  oldId: "1",
  oldAddress: "javascript:bad()",
  newId: "2",
  newAddress: 'https://new.example/"onclick="bad()',
  adopted: true,
  ...more,
});

const pageOf = (of: RunReport, things: Iterable<MovedThing>): string => [...reportHtml(of, things)].join("");

function elementsOf(page: string): readonly Element[] {
  const found: Element[] = [];
  const walk = (node: Root | RootContent): void => {
    if (node.type === "element") found.push(node);
    if ("children" in node) for (const child of node.children) walk(child);
  };
  walk(fromHtml(page));
  return found;
}

describe("the page of a run", () => {
  it("shows foreign text as text, wherever it stands", () => {
    expect(runReportSchema.parse(report())).toEqual(report());
    const page = pageOf(report(), [thing()]);
    const elements = elementsOf(page);
    const names = new Set(elements.map(({ tagName }) => tagName));
    expect(["script", "img", "iframe", "link", "object", "base"].filter((name) => names.has(name))).toEqual([]);
    const properties = elements.flatMap((element) => Object.entries(element.properties));
    expect(properties.filter(([name]) => /^on|^style$|^src$/i.test(name))).toEqual([]);
    const addresses = properties.filter(([name]) => name === "href").map(([, value]) => String(value));
    expect(addresses).toEqual(['https://new.example/"onclick="bad()']);
    expect(page.match(/&lt;script&gt;/g)?.length).toBeGreaterThan(15);
    expect([page.includes("U+202E"), page.includes("\u202e")]).toEqual([true, false]);
  });

  it("loads nothing and runs nothing, and allows its own stylesheet only", () => {
    const [policy] = pageOf(report(), [thing()]).match(/content="default-src[^"]*"/) ?? [];
    expect(policy?.replaceAll("&#39;", "'")).toMatch(
      /^content="default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'"$/,
    );
  });

  it("lists each thing with its old and its new address, and holds one at a time", () => {
    let most = 0;
    let asked = 0;
    let given = 0;
    function* many(): Generator<MovedThing> {
      for (let number = 1; number <= 5000; number += 1) {
        asked = number;
        most = Math.max(most, asked - given);
        yield thing({ title: `Thing ${number}`, newAddress: `https://new.example/Guide/-/${number}` });
      }
    }
    let rows = 0;
    for (const piece of reportHtml(report({ moved: 5000 }), many())) {
      const found = piece.match(/href="https:\/\/new\.example\/Guide/g)?.length ?? 0;
      given += found;
      rows += found;
    }
    expect([rows, most]).toEqual([5000, 1]);
  });

  it("is there as far as its list of addresses can be read", () => {
    function* broken(): Generator<MovedThing> {
      yield thing({ title: "The first" });
      throw new Error("the disk is gone");
    }
    expect(pageOf(report({ moved: 2 }), broken())).toMatch(/The first.*the disk is gone.*<\/html>/s);
  });

  it("says so where nothing was read, nothing failed and no request went out", () => {
    const page = pageOf(
      report({
        ...{ source: null, target: null, words: [], stages: [], timeline: null, kinds: [], losses: [], moved: 0 },
        failures: { count: 0, causes: [] },
        dangling: { count: 0, first: [] },
        unread: [],
      }),
      [],
    );
    for (const words of ["Source not read yet", "No failures.", "No requests were sent"]) expect(page).toContain(words);
  });

  it("is headed by what it read where that is no site", () => {
    const { run } = report({});
    const page = pageOf(report({ source: null, run: { ...run, command: "import-training" } }), []);
    expect(page).toMatch(/<h1>Training packages/);
    expect(page).not.toContain("Source not read yet");
  });
});
