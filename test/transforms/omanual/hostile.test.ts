import { describe, expect, it } from "vitest";
import { createBundle } from "../../../transforms/omanual/bundle.js";
import { manualItem } from "../../../transforms/omanual/items/manual-items.js";
import { readManual } from "../../../transforms/omanual/read-manual.js";
import { HOSTILE_FILES } from "../../fixtures/omanual/make.js";
import { cpuTime } from "../../helpers/cpu-time.js";

/** The codes that reading a document and making an item of it tell. */
function codesOf(content: string | Uint8Array): readonly string[] {
  const path = "hostile.xml";
  const result = readManual(typeof content === "string" ? Buffer.from(content) : content, { file: path });
  if (!result.ok) return [result.fault.code];
  const bundle = createBundle([path], []);
  const item = manualItem({ path, file: path, manual: result.manual, xml: result.xml, issues: result.issues }, bundle);
  return ["read", ...(item?.issues ?? []).map(({ code }) => code)];
}

/**
 * CPU milliseconds that a file may take: the order says 2 s, and all machines but the slowest need
 * a tenth.
 */
const MOST_TIME = 2000;

describe("a hostile file", () => {
  it("is one of more than sixty, each of another name", () => {
    expect(HOSTILE_FILES.length).toBeGreaterThan(60);
    expect(new Set(HOSTILE_FILES.map(({ name }) => name)).size).toBe(HOSTILE_FILES.length);
  });

  it.each(HOSTILE_FILES)("$name gives $code, in time", ({ content, code }) => {
    const start = cpuTime();
    expect(codesOf(content)).toContain(code);
    expect(cpuTime() - start).toBeLessThan(MOST_TIME);
  });
});
