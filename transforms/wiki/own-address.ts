import { readPath, type Segment } from "./address-paths.js";
import { numberKey, type Reference, type Span, type StepReference } from "./reference.js";
import { originLength, type SiteAddresses } from "./site-addresses.js";

/** What an address on the site points to; every span counts from the beginning of the text. */
export type OwnAddress = Pick<Reference, "kind" | "key" | "goal" | "steps" | "head"> & { readonly origin: Span };

/** Reads an address that stands at `start` in a text; undefined when it is not on the site. */
export function readOwnAddress(address: string, start: number, site: SiteAddresses): OwnAddress | undefined {
  const length = originLength(address, site);
  if (length === undefined) return undefined;
  const end = start + address.length;
  const place = { head: { start, end }, origin: { start, end: start + length } };
  const found = readPath(segmentsOf(address, length, start));
  if (found === undefined)
    return { kind: "page", key: null, goal: { start: start + length, end }, steps: [], ...place };
  return { ...found, steps: found.kind === "guide" ? stepsIn(address, start) : [], ...place };
}

function segmentsOf(address: string, from: number, start: number): readonly Segment[] {
  const tail = address.slice(from).search(/[?#]/);
  const path = tail < 0 ? address.slice(from) : address.slice(from, from + tail);
  const segments: Segment[] = [];
  let at = start + from;
  for (const text of path.split("/")) {
    if (text !== "") segments.push({ text, start: at, end: at + text.length });
    at += text.length + 1;
  }
  return segments;
}

/** `#s38274` at the end: the number is the step's id (wiki-syntax 2.3). */
function stepsIn(address: string, start: number): readonly StepReference[] {
  const hash = address.indexOf("#");
  const digits = hash < 0 ? undefined : /^#s(\d+)$/.exec(address.slice(hash))?.[1];
  if (digits === undefined) return [];
  const end = start + address.length;
  return [{ key: numberKey("step", digits), id: { start: start + hash + 2, end }, start: start + hash, end }];
}
