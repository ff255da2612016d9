import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Sandbox, startSandbox } from "../../../src/sandbox/index.js";
import { extractFrom, issuesOf, loadInto, verifyAt } from "../../helpers/migration.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const SITE = fileURLToPath(new URL("../../../samples/site/", import.meta.url));
/** What the styles of every site are numbered up to (api-facts 3.4). */
const COMMON = 11;
/** One of the site's own, which guide 9 has in a line already. */
const STYLE = 41;
const NAMED = /^(?:black|red|orange|yellow|green|light_blue|blue|violet|icon_caution|icon_reminder|icon_note)$/;

interface LineAnswer {
  readonly bullet: string;
  readonly bullet_styleid?: number;
}

/** As the site answers: what it knows a style by is there only. */
async function linesOf({ url, token }: Sandbox, guideid: unknown): Promise<readonly LineAnswer[]> {
  const answer = await fetch(`${url}/guides/${String(guideid)}`, { headers: { authorization: `api ${token}` } });
  const { steps } = (await answer.json()) as { readonly steps: readonly { readonly lines: readonly LineAnswer[] }[] };
  return steps.flatMap(({ lines }) => lines);
}

function titleOf(sandbox: Sandbox, guideid: number): unknown {
  return sandbox.state().guides.find((guide) => guide["guideid"] === guideid)?.["title"];
}

describe.each(["dozuki", "ifixit"] as const)("bullet styles of a site's own on their way to a %s site", (dialect) => {
  it("become the nearest named bullet, although the target has styles of the same numbers, and are told once each", async () => {
    const source = await startSandbox({ site: SITE });
    // The same numbers mean other looks at every other site.
    const target = await startSandbox({ site: SITE, dialect });
    onTestFinished(() => source.close());
    onTestFinished(() => target.close());
    const workspace = await temporaryFolder();
    const again = { bullet_styleid: STYLE, level: 0 };
    source.edit.addStep(9, {
      orderby: 1,
      lines: [
        { text: "Once more.", ...again },
        { text: "And again.", ...again },
      ],
    });
    const before = new Set(target.state().guides.map((guide) => guide["guideid"]));
    const all = await linesOf(source, 9);
    const own = all.filter(({ bullet_styleid: style = 0 }) => style > COMMON);
    expect(own.length).toBeGreaterThan(0);
    await extractFrom(source, workspace, { include: ["guide/9"] });
    // The target is a copy of the source, which has the guides already.
    expect(await loadInto(target, workspace, { allowDuplicates: true })).toMatchObject({ failed: 0 });
    const made = target.state().guides.filter((guide) => !before.has(guide["guideid"]));
    const lines = await linesOf(target, made.find((guide) => guide["title"] === titleOf(source, 9))?.["guideid"]);
    expect(lines).toHaveLength(all.length);
    expect(lines.filter(({ bullet, bullet_styleid: style = 0 }) => style > COMMON || !NAMED.test(bullet))).toEqual([]);
    const told = (await issuesOf({ target, workspace }, "guide/9")).filter(({ code }) => code === "bullet-style");
    expect(told).toHaveLength(new Set(own.map(({ bullet_styleid: style }) => style)).size);
    for (const { level, path } of told) {
      expect(level).toBe("loss");
      expect(path).toMatch(/^steps\[\d+\]\.lines\[\d+\]\.bulletStyle$/);
    }
    const { differences } = await verifyAt(target, workspace);
    expect(differences.filter(({ path }) => /bullet/.test(path))).toEqual([]);
  });
});
