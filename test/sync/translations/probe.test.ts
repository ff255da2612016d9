import { expect, test } from "vitest";
import { load } from "../../../src/sync/load/load.js";
import { extractFrom, issuesOf, planAt, withTarget } from "../../helpers/migration.js";
import { type Pair, post } from "../../helpers/small-sites.js";
import { carry, ENGLISH, GERMAN, guideIn, textsIn, titlesAt, translatedPair } from "../../helpers/translated-pair.js";

test("a site that takes them gets them after a probe that leaves nothing; a second run is silent", async () => {
  const pair = await translatedPair("yes");
  expect(await carry(pair)).toMatchObject({ failed: 0 });
  const id = pair.guide("Warp").guideid;
  expect(textsIn(await guideIn(pair.target, id, "en"))).toEqual(ENGLISH);
  const german = await guideIn(pair.target, id, "de");
  expect(textsIn(german)).toEqual(GERMAN);
  expect(german).toMatchObject({
    summary: "Über Ketten.",
    introduction_raw: `Siehe [guide|${pair.guide("Weft").guideid}|dort].`,
    conclusion_raw: "Fertig.",
    public: true,
  });
  expect([titlesAt(pair), await issuesOf(pair, "guide/1@de")]).toEqual([["Warp", "Weft"], []]);
  expect(pair.writes().filter((write) => write.startsWith("DELETE"))).toHaveLength(1);
  const before = pair.target.recorded.length;
  expect((await carry(pair)).writes).toBe(0);
  expect(pair.target.recorded.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);
  expect((await pair.verify()).differences).toEqual([]);
});

for (const takes of ["no", "refused"] as const) {
  test(`a site that ${takes === "no" ? "does not look at the language" : "refuses them"} gets none: one loss each, and nobody is asked twice`, async () => {
    const pair = await translatedPair(takes);
    expect(await carry(pair)).toMatchObject({ failed: 0 });
    const id = pair.guide("Warp").guideid;
    expect(textsIn(await guideIn(pair.target, id, "en"))).toEqual(ENGLISH);
    expect(await guideIn(pair.target, id, "de")).toBeUndefined();
    expect(titlesAt(pair)).toEqual(["Warp", "Weft"]);
    expect(await issuesOf(pair, "guide/1@de")).toEqual([
      expect.objectContaining({
        code: "guide-translation",
        level: "loss",
        message: expect.stringContaining(takes === "no" ? "ignores the language" : "refuses"),
      }),
    ]);
    expect((await carry(pair)).writes).toBe(0);
    expect((await pair.verify()).differences).toEqual([]);
    expect(await planAt(pair.target, pair.workspace)).toMatchObject({ counts: { create: 0, change: 0 }, requests: 0 });
  });
}

test("a site that loses a part of what it takes is judged to take none", async () => {
  const lies: readonly ((path: string, method: string, query: string) => boolean)[] = [
    (path, method) => method === "PATCH" && /\/steps\//.test(path),
  ];
  for (const lie of lies) {
    const pair = await translatedPair("yes");
    pair.target.faults.decide(({ path, method, query }) =>
      lie(path, method, query) ? { kind: "status", status: 200 } : undefined,
    );
    await carry(pair);
    pair.target.faults.clear();
    expect(await issuesOf(pair, "guide/1@de")).toMatchObject([{ code: "guide-translation" }]);
    expect(titlesAt(pair)).toEqual(["Warp", "Weft"]);
  }
});

const KILLED = [
  { takes: "yes", at: "POST /guides" },
  { takes: "no", at: "PATCH /guides" },
] as const;

for (const { takes, at } of KILLED) {
  test(`a probe that was killed at ${at} of a site that ${takes === "yes" ? "takes them" : "writes over the title"} is cleared away by the next load, which asks again`, async () => {
    const pair = await translatedPair(takes);
    const kill = new AbortController();
    pair.target.faults.decide(({ path, method }) =>
      isLoaded(pair) && `${method} ${path}`.startsWith(at)
        ? { kind: "stall", applied: true, reached: () => kill.abort() }
        : undefined,
    );
    await expect(carry(pair, { kill: kill.signal, concurrency: 1 })).rejects.toThrow();
    pair.target.faults.clear();
    expect(await carry(pair)).toMatchObject({ failed: 0 });
    expect(titlesAt(pair)).toEqual(["Warp", "Weft"]);
    expect(textsIn(await guideIn(pair.target, pair.guide("Warp").guideid, "en"))).toEqual(ENGLISH);
    expect((await guideIn(pair.target, pair.guide("Warp").guideid, "de")) !== undefined).toBe(takes === "yes");
    expect((await carry(pair)).writes).toBe(0);
  });
}

/** Both guides with their steps are there: what comes now is the probe's. */
function isLoaded({ target }: Pair): boolean {
  const steps = target.state().guides.flatMap((one) => one["steps"] as readonly unknown[]);
  return steps.length >= 4;
}

test("what carries out a plan makes no probe", async () => {
  const pair = await translatedPair("yes");
  await extractFrom(pair.source, pair.workspace, { languages: ["de"] });
  await withTarget(pair.target, pair.workspace, {}, ({ options, ...parts }) =>
    load({ ...parts, options: { ...options, allowed: () => true } }),
  );
  expect(pair.writes().filter((write) => write === "POST /guides")).toHaveLength(2);
  expect(await issuesOf(pair, "guide/1@de")).toMatchObject([
    { code: "guide-translation", message: expect.stringContaining("makes no probe") },
  ]);
});

test("what a process left that died with the answer to its create is found by the titles that were noted before", async () => {
  const pair = await translatedPair("yes");
  await extractFrom(pair.source, pair.workspace, { languages: ["de"] });
  const died = withTarget(pair.target, pair.workspace, {}, ({ target, ...parts }) => {
    const probe: typeof target.translations.probe = async ({ titles: { title } }) => {
      await post(pair.target, "guides", { category: "Looms", type: "how-to", subject: "T", title });
      throw new Error("killed");
    };
    return load({ ...parts, target: { ...target, translations: { ...target.translations, probe } } });
  });
  await expect(died).rejects.toThrow("killed");
  expect(titlesAt(pair)).toHaveLength(3);
  expect(await carry(pair)).toMatchObject({ failed: 0 });
  expect(titlesAt(pair)).toEqual(["Warp", "Weft"]);
});
