import { expect, test } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/index.js";
import { generatedPng } from "../../src/sandbox/media-bytes.js";
import { load } from "../../src/sync/load/load.js";
import { extractFrom, issuesOf, planAt, withTarget } from "../helpers/migration.js";
import { type Pair, post, twoGuides, upload } from "../helpers/small-sites.js";

type Step = {
  readonly lines: readonly { readonly text: string }[];
  readonly media: { readonly type: string; readonly ids?: readonly number[] };
};

const LONG = `${"Lay the warp over the beam. ".repeat(18)}Done.`;
const OWN = { line: 420, lines: 10, imageWidth: 640, imageHeight: 480 };

/**
 * Warp gets a line of 509 characters, Weft a step of 12 lines, and both small pictures, on their
 * way to a site with these limits.
 */
async function beyond(stepLimits: SandboxOptions["stepLimits"], pictures = [640, 480]): Promise<Pair> {
  const pair = await twoGuides({ source: { stepLimits: "none" }, target: { ...(stepLimits && { stepLimits }) } });
  const { source } = pair;
  const ids = source.state().guides.map(({ guideid }) => Number(guideid));
  const [width, height] = pictures;
  const image = await upload(source, "images", "small.png", generatedPng("small", width, height));
  const lines = (texts: readonly string[]) => texts.map((text) => ({ text, bullet: "black", level: 0 }));
  await post(source, `guides/${ids[0]}/steps`, {
    orderby: 3,
    lines: lines([LONG]),
    media: { type: "image", data: [image] },
  });
  await post(source, `guides/${ids[1]}/steps`, {
    orderby: 3,
    lines: lines(Array.from({ length: 12 }, (_, index) => `Line ${index}.`)),
  });
  return pair;
}

function stepsOf({ target }: Pair, title: string): readonly Step[] {
  const guide = target.state().guides.find((one) => one["title"] === title);
  return (guide?.["steps"] ?? []) as readonly Step[];
}

function guidesMade(pair: Pair): number {
  return pair.writes().filter((write) => write === "POST /guides").length;
}

function namesAt({ target }: Pair): readonly unknown[] {
  const { guides, wikis } = target.state();
  return [...guides, ...wikis].map(({ title }) => title).toSorted();
}

/** The media manager of the account at the target. */
async function managed({ target }: Pair): Promise<string> {
  const headers = { authorization: `api ${target.token}` };
  return (await fetch(`${target.url}/user/media/images?limit=200`, { headers })).text();
}

const NAMES = ["Looms", "Sheds", "Warp", "Weft"];

test("a site without limits of steps gets everything as it is under the default --fit, after one probe that leaves nothing", async () => {
  const pair = await beyond("none");
  expect(await pair.run({ fit: "refuse" })).toMatchObject({ failed: 0, refused: 0 });
  expect(stepsOf(pair, "Warp")[2]).toMatchObject({ lines: [{ text: LONG }], media: { type: "image" } });
  expect(stepsOf(pair, "Weft")[2]?.lines).toHaveLength(12);
  expect(guidesMade(pair)).toBe(3);
  expect([namesAt(pair), await managed(pair)]).toEqual([NAMES, expect.not.stringContaining("probe")]);
  expect((await pair.run({ fit: "refuse" })).writes).toBe(0);
  expect(guidesMade(pair)).toBe(3);
  expect((await pair.verify({ fit: "refuse" })).differences).toEqual([]);
});

test("--fit acts by the limits that a site has of its own", async () => {
  const pair = await beyond(OWN);
  expect(await pair.run({ fit: "split" })).toMatchObject({ failed: 0, refused: 0 });
  const steps = [...stepsOf(pair, "Warp"), ...stepsOf(pair, "Weft")];
  expect(steps.map(({ lines }) => lines.length)).toEqual([1, 1, 2, 1, 1, 10, 2]);
  const [whole] = steps[2]?.lines ?? [];
  expect(whole?.text.length).toBeGreaterThan(380);
  expect(whole?.text.length).toBeLessThanOrEqual(420);
  expect(steps[2]?.media.type).toBe("image");
  expect((await pair.verify({ fit: "split" })).differences).toEqual([]);
  expect((await pair.run({ fit: "split" })).writes).toBe(0);
});

test("a site with the usual limits is asked once, and what it refuses is told by its limits", async () => {
  const pair = await beyond("usual");
  expect(await pair.run({ fit: "refuse" })).toMatchObject({ failed: 0, refused: 2 });
  expect(namesAt(pair)).toEqual(["Looms", "Sheds"]);
  expect((await issuesOf(pair, "guide/1")).map(({ code }) => code)).toEqual(["line-too-long", "image-too-small"]);
  const before = pair.writes().length;
  expect((await pair.run({ fit: "refuse" })).writes).toBe(0);
  expect(pair.writes()).toHaveLength(before);
});

test("nothing that goes beyond, no probe; --assume-limits and what carries out a plan make none either", async () => {
  const small = await twoGuides({ target: { stepLimits: "none" } });
  await small.run();
  expect(guidesMade(small)).toBe(2);
  const pair = await beyond("none");
  expect(await pair.run({ fit: "refuse", assumeLimits: true })).toMatchObject({ refused: 2 });
  await withTarget(pair.target, pair.workspace, { fit: "refuse" }, ({ options, ...parts }) =>
    load({ ...parts, options: { ...options, allowed: () => true } }),
  );
  expect(guidesMade(pair)).toBe(0);
  expect(await pair.run({ fit: "refuse" })).toMatchObject({ failed: 0, refused: 0 });
});

test("a plan makes no probe and says that one decides; it goes by the limits once they are known", async () => {
  const pair = await beyond("none");
  await extractFrom(pair.source, pair.workspace);
  const plan = await planAt(pair.target, pair.workspace, { fit: "refuse" });
  expect(plan.counts.refuse).toBe(2);
  const codes = plan.items.flatMap(({ issues }) => issues.map(({ code }) => code));
  expect(codes.filter((code) => code === "limit-undecided")).toHaveLength(2);
  expect(pair.writes()).toEqual([]);
  await pair.run({ fit: "refuse" });
  expect((await planAt(pair.target, pair.workspace, { fit: "refuse" })).counts).toMatchObject({ leave: 4, refuse: 0 });
});

for (const at of ["POST /guides", "POST /user/media/images", "PATCH /guides"]) {
  test(`what a probe left that was killed at ${at} is deleted by the next load`, async () => {
    const pair = await beyond(OWN, [300, 200]);
    const kill = new AbortController();
    pair.target.faults.decide(({ path, method }) =>
      `${method} ${path}`.startsWith(at) ? { kind: "stall", applied: true, reached: () => kill.abort() } : undefined,
    );
    await expect(pair.run({ kill: kill.signal, concurrency: 1 })).rejects.toThrow();
    pair.target.faults.clear();
    expect(await pair.run({ fit: "split" })).toMatchObject({ failed: 0 });
    expect(namesAt(pair)).toEqual(NAMES);
    expect(await managed(pair)).not.toContain("probe");
  });
}
