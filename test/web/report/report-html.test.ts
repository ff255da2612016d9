import { createHash } from "node:crypto";
import type { Element, Root, RootContent } from "hast";
import { fromHtml } from "hast-util-from-html";
import { describe, expect, it } from "vitest";
import type { MovedThing } from "../../../src/sync/map/moved-things.js";
import { type Entry, type EntrySources, entriesOf } from "../../../src/web/report/entries.js";
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
  titles: { [EVIL]: { title: EVIL, address: "javascript:bad()" } },
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

const entriesWith = (more: Partial<EntrySources>): Iterable<Entry> => {
  const itemOf = (): { title: string; address: string } => ({ title: EVIL, address: "javascript:bad()" });
  return entriesOf({ report: report(), outcomes: [], issues: [], moved: [], itemOf, ...more });
};

const pageOf = (of: RunReport, more: Partial<EntrySources> = {}): string =>
  [...reportHtml(of, entriesWith(more))].join("");

/** The entries that the page holds as data. */
function dataIn(page: string): readonly { readonly texts: readonly string[]; readonly rows: readonly number[][] }[] {
  const found = page.matchAll(/<script type="application\/json" class="entries-data">(.*?)<\/script>/gs);
  return [...found].map(([, json = ""]) => JSON.parse(json));
}

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
    const outcome = { key: EVIL, stage: EVIL, reason: EVIL, remedy: EVIL, takenInBy: EVIL };
    const page = pageOf(report(), {
      outcomes: [{ result: "left-out", ...outcome }],
      issues: report().losses.flatMap(({ examples }) => examples.map(({ issue }) => issue)),
      moved: [thing()],
    });
    const elements = elementsOf(page);
    const names = new Set(elements.map(({ tagName }) => tagName));
    const scripts = elements.filter(({ tagName }) => tagName === "script").map(({ properties }) => properties["type"]);
    expect(scripts).toEqual(["application/json", undefined]);
    expect(dataIn(page)).toMatchObject([{ rows: { length: 3 } }]);
    expect(JSON.stringify(dataIn(page))).toContain("<script>window.bad=1</script>");
    expect(["img", "iframe", "link", "object", "base"].filter((name) => names.has(name))).toEqual([]);
    const properties = elements.flatMap((element) => Object.entries(element.properties));
    expect(properties.filter(([name]) => /^on|^style$|^src$/i.test(name))).toEqual([]);
    const addresses = properties.filter(([name]) => name === "href").map(([, value]) => String(value));
    const own = addresses.filter((address) => !address.startsWith("#"));
    expect(own).toEqual(['https://new.example/"onclick="bad()']);
    expect(page.match(/&lt;script&gt;/g)?.length).toBeGreaterThan(15);
    expect([page.includes("U+202E"), page.includes("\u202e")]).toEqual([true, false]);
  });

  it("loads nothing, and allows its own stylesheet and script only, by their digests", () => {
    const page = pageOf(report());
    const [policy = ""] = page.match(/content="default-src[^"]*"/) ?? [];
    const [, script = ""] = page.match(/<script>(.*?)<\/script>/s) ?? [];
    const digest = createHash("sha256").update(script).digest("base64");
    expect(policy.replaceAll("&#39;", "'").replaceAll(/style-src 'sha256-[^']+'/g, "style-src own")).toBe(
      `content="default-src 'none'; style-src own; script-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'"`,
    );
  });

  it("has every entry as data, the first ones as rows, and holds a block of them at a time", () => {
    let [asked, given, most] = [0, 0, 0];
    function* many(): Generator<MovedThing> {
      for (asked = 1; asked <= 9000; asked += 1) {
        most = Math.max(most, asked - given);
        yield thing({ title: `Thing ${asked}`, newAddress: `https://new.example/Guide/-/${asked}` });
      }
    }
    let page = "";
    for (const piece of reportHtml(report({ moved: 9000 }), entriesWith({ moved: many() }))) {
      given += dataIn(piece).reduce((sum, { rows }) => sum + rows.length, 0);
      page += piece;
    }
    expect([given, most]).toEqual([9000, 2000]);
    expect(page.match(/<span class="chip result is-moved">/g)).toHaveLength(50);
    expect(page).toMatch(/The first 50 of 9,0\d\d\./);
  });

  it("is there as far as its entries can be read", () => {
    function* broken(): Generator<MovedThing> {
      yield thing({ title: "The first" });
      throw new Error("the disk is gone");
    }
    const page = pageOf(report({ moved: 2 }), { moved: broken() });
    expect(page).toMatch(/The first.*Created by guideferry.*the disk is gone.*<\/html>/s);
    expect(dataIn(page)).toMatchObject([{ rows: { length: 1 } }]);
  });

  it("tells the result first, then what was left out, failures, losses by what to do, and charts last", () => {
    const page = pageOf(report());
    const order = [
      "kinds",
      "left-out",
      "failures",
      "losses",
      "unsupported",
      "not-sent",
      "linked",
      "entries",
      "requests",
      "stages",
    ];
    expect([...page.matchAll(/<section id="([\w-]+)"/g)].map(([, id]) => id).filter((id) => id !== "words")).toEqual(
      order,
    );
    const issue = { level: "loss", key: "guide/1", path: "", message: "Left out." } as const;
    const group = (code: "dates" | "quiz" | "releases", more: object) => ({
      ...({ kind: "guide", code, level: "loss", count: 3 } as const),
      examples: [{ issue: { ...issue, code, ...more }, title: "", atSource: null, atTarget: null, unread: null }],
    });
    const losses = [
      group("dates", {}),
      group("releases", { remedy: "It is kept." }),
      group("quiz", { remedy: "Attach one." }),
    ];
    const shown = pageOf(report({ losses }));
    expect(shown).toMatch(
      /Values lost \(9\).*You can act on these \(3\).*quiz.*Not supported by the service \(6\).*dates.*releases/s,
    );
    expect(shown).toContain("The service sets the dates to the time of the load.");
  });

  it("says so where nothing was read, nothing failed and no request went out", () => {
    const page = pageOf(
      report({
        ...{ source: null, target: null, words: [], stages: [], timeline: null, kinds: [], losses: [], moved: 0 },
        failures: { count: 0, causes: [] },
        dangling: { count: 0, first: [] },
        unread: [],
      }),
    );
    for (const words of ["Source not read yet", "No failures.", "No requests were sent"]) expect(page).toContain(words);
  });

  it("is headed by what it read where that is no site", () => {
    const { run } = report({});
    const page = pageOf(report({ source: null, run: { ...run, command: "import-training" } }));
    expect(page).toMatch(/<h1>Training packages/);
    expect(page).not.toContain("Source not read yet");
  });
});
