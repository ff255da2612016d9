import { readPath, type Segment } from "./address-paths.js";
import { type Goal, numberKey, type Span, type StepReference } from "./reference.js";
import { originLength, type SiteAddresses } from "./site-addresses.js";

/** What an address on a site points to. */
export interface AddressGoal extends Goal {
  readonly origin: Span;
}

/** Reads an address that stands at `start` in a text, from whose beginning all spans count; undefined when it is not on the site. */
export function readOwnAddress(address: string, start: number, site: SiteAddresses): AddressGoal | undefined {
  const length = originLength(address, site);
  if (length === undefined) return undefined;
  const origin = { start, end: start + length };
  const { kind, key, goal } = readPath(segmentsOf(address, length, start)) ?? {
    kind: "page",
    key: null,
    goal: { start: origin.end, end: start + address.length },
  };
  return { kind, key, goal, steps: kind === "guide" ? stepsIn(address, start) : [], origin };
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

/** `#s38274`: the number is the step's id (wiki-syntax 2.3). Marks may stand behind it where the address does not end at them. */
function stepsIn(address: string, start: number): readonly StepReference[] {
  const hash = address.indexOf("#");
  const digits = hash < 0 ? undefined : STEP.exec(address.slice(hash))?.[1];
  if (digits === undefined) return [];
  const id = { start: start + hash + 2, end: start + hash + 2 + digits.length };
  return [{ key: numberKey("step", digits), id, start: start + hash, end: id.end }];
}

const STEP = /^#s(\d+)(?![\w-])/;
