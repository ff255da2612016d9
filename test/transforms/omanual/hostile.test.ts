import { describe, expect, it } from "vitest";
import { createBundle } from "../../../transforms/omanual/bundle.js";
import { manualItem } from "../../../transforms/omanual/items/manual-items.js";
import { readManual } from "../../../transforms/omanual/read-manual.js";
import { HOSTILE_FILES } from "../../fixtures/omanual/make.js";
import { workOf } from "../../helpers/cpu-time.js";

/** The codes that reading a document and making an item of it tell. */
function codesOf(content: string | Uint8Array): readonly string[] {
  const path = "hostile.xml";
  const result = readManual(typeof content === "string" ? Buffer.from(content) : content, { file: path });
  if (!result.ok) return [result.fault.code];
  const bundle = createBundle([path], []);
  const item = manualItem({ path, file: path, manual: result.manual, xml: result.xml, issues: result.issues }, bundle);
  return ["read", ...(item?.issues ?? []).map(({ code }) => code)];
}

/** What a file may take: 2 s on a fast machine. The dearest takes a fifth of it. */
const MOST_WORK = 400;

describe("a hostile file", () => {
  it("is one of more than sixty, each of another name", () => {
    expect(HOSTILE_FILES.length).toBeGreaterThan(60);
    expect(new Set(HOSTILE_FILES.map(({ name }) => name)).size).toBe(HOSTILE_FILES.length);
  });

  it.each(HOSTILE_FILES)("$name gives $code, in time", async ({ content, code }) => {
    const work = await workOf(() => expect(codesOf(content)).toContain(code), MOST_WORK);
    expect(work).toBeLessThan(MOST_WORK);
  });
});
