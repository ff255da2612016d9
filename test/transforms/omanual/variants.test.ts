import { describe, expect, it } from "vitest";
import { itemSchema } from "../../../src/core/model/item.js";
import { createBundle } from "../../../transforms/omanual/bundle.js";
import { manualItem } from "../../../transforms/omanual/items/manual-items.js";
import { readManual } from "../../../transforms/omanual/read-manual.js";
import { writeManual } from "../../../transforms/omanual/write/write-manual.js";
import { DISAGREEMENTS } from "../../fixtures/omanual/variants/disagreements.js";
import { ENCODED } from "../../fixtures/omanual/variants/encoded.js";
import { SERVERS } from "../../fixtures/omanual/variants/servers.js";
import { VALUES } from "../../fixtures/omanual/variants/values.js";
import type { Variant } from "../../fixtures/omanual/variants/variant.js";
import { VERSIONS } from "../../fixtures/omanual/variants/versions.js";
import { faultsOf } from "./write/schemas.js";

const GROUPS = {
  "of a version": VERSIONS,
  "where schema, documentation and examples disagree": DISAGREEMENTS,
  "as servers print it": SERVERS,
  "with values of other forms": VALUES,
  "in another form of XML": ENCODED,
};
const ALL: readonly Variant[] = Object.values(GROUPS).flat();
const PATH = "a/x.xml";

function read({ name, content, files = [] }: Variant) {
  const result = readManual(content, { file: name });
  if (!result.ok) throw new Error(result.fault.message);
  const item = manualItem({ ...result, path: PATH, file: name }, createBundle([PATH, ...files], []));
  if (item === undefined) throw new Error(`${name} is a manifest.`);
  return { item, manual: result.manual };
}

describe.each(Object.entries(GROUPS))("a document %s", (_, variants) => {
  it.each(variants)("is read: $name", (variant) => {
    const { item } = read(variant);
    expect(itemSchema.parse(item)).toEqual(item);
    expect(item.body).toMatchObject(variant.body);
    expect(item.issues.map(({ code }) => code)).toEqual(variant.codes ?? []);
    expect(item.issues.filter(({ level }) => level === "error")).toEqual([]);
  });
});

describe("every one of them", () => {
  const written = () =>
    ALL.flatMap((variant) => {
      const { manual } = read(variant);
      return manual.kind === "manifest" ? [] : [{ name: variant.name, xml: writeManual(manual) }];
    });

  it("is one of more than thirty", () => {
    expect(ALL.length).toBeGreaterThan(30);
    expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
  });

  it("is written the same from the second time on", () => {
    for (const { name, xml } of written()) {
      const again = readManual(xml, { file: name });
      if (!again.ok || again.manual.kind === "manifest") throw new Error(`${name} is no manual any more.`);
      expect(writeManual(again.manual)).toBe(xml);
    }
  });

  it("is valid 1.0 when it is written", { tags: ["shared", "xmllint"] }, async () => {
    expect(await faultsOf(written().map(({ xml }) => xml))).toEqual([]);
  });
});
