import type { Issue } from "../../../../src/core/model/issue.js";
import type { GuideItem, ItemOf, WikiItem } from "../../../../src/core/model/item.js";
import type { Key } from "../../../../src/core/model/key.js";
import { createBundle } from "../../../../transforms/omanual/bundle.js";
import { manualItem } from "../../../../transforms/omanual/items/manual-items.js";
import { readManual } from "../../../../transforms/omanual/read-manual.js";

/** What a document says, by the keys that the item had: those of media by their addresses. */
export function readBack(item: GuideItem | ItemOf<"category">, xml: string): GuideItem | WikiItem {
  const path = item.kind === "guide" ? `Guide-${item.body.id}/guide.xml` : "category.xml";
  const result = readManual(xml, { file: path });
  if (!result.ok) throw new Error(result.fault.message);
  const { manual, issues } = result;
  const guides = new Map([[path, item.key]]);
  const read = manualItem({ path, file: path, manual, xml, issues }, { ...createBundle([path], []), guides });
  if (read === undefined) throw new Error("The document is no guide and no category.");
  const keys = new Map<string, Key>(item.media.map(({ url, key }) => [url ?? "", key]));
  const known = new Map<string, Key>(read.media.map(({ key, url }) => [key, keys.get(url ?? "") ?? key]));
  return { ...read, body: withKeys(read.body, known) } as GuideItem | WikiItem;
}

function withKeys(value: unknown, known: ReadonlyMap<string, Key>): unknown {
  if (typeof value === "string") return known.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => withKeys(each, known));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withKeys(inner, known)]));
}

/** The fields in which two values differ, in the model's words. */
export function differences(one: unknown, other: unknown, path = ""): readonly string[] {
  if (Object.is(one, other)) return [];
  if (isRecord(one) && isRecord(other) && Array.isArray(one) === Array.isArray(other)) {
    if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length) return [path];
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return names.flatMap((name) => {
      const place = Array.isArray(one) ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
      return differences(one[name], other[name], place);
    });
  }
  return [path];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/**
 * The differences that no issue tells of; lists of different lengths are told of by what of them is
 * left out.
 */
export function untold(differing: readonly string[], issues: readonly Issue[]): readonly string[] {
  const told = new Set(issues.flatMap(({ path }) => [path, path.replace(/\[\d+\]/g, "[]")]));
  const isTold = (path: string) => [...told].some((each) => each.startsWith(`${path}[`) && !each.includes("[]"));
  return differing
    .filter((path) => !isTold(path))
    .filter((path) => !lines(path).some((each) => told.has(each) || told.has(each.replace(/\[\d+\]/g, "[]"))));
}

/**
 * A path and all that it is in: `steps[1].lines[0].text`, `steps[1].lines[0]`, `steps[1].lines` …
 */
function lines(path: string): readonly string[] {
  const found = [path];
  for (let at = path; /[.[]/.test(at); ) {
    at = at.replace(/(?:\.[^.[\]]+|\[\d+\])$/, "");
    found.push(at);
  }
  return found;
}
