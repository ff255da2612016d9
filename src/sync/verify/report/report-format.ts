import { createHash } from "node:crypto";
import { type Key, kindOf, wikiOf } from "../../../core/model/key.js";
import { canonicalJson } from "../../../core/util/json.js";
import { aroundDifference } from "../../../core/util/text-difference.js";

/** The version of the format, docs/design/verify-report.md. Another one is refused. */
export const REPORT_FORMAT = 1;

type ReportedValue =
  | { readonly value: unknown }
  | {
      readonly sha256: string;
      readonly begins?: string;
      /** The text around the first different character, where `begins` does not contain it. */
      readonly around?: string;
    }
  | null;

export type ReportedField =
  | { readonly path: string; readonly verdict: "equal"; readonly sha256: string }
  | {
      readonly path: string;
      readonly verdict: "named" | "noted" | "different";
      readonly codes?: readonly string[];
      readonly expected: ReportedValue;
      readonly actual: ReportedValue;
    };

type ItemState = "compared" | "missing" | "adopted" | "refused" | "unknown";

export interface ReportedItem {
  readonly kind: "item";
  readonly key: Key;
  readonly state: ItemState;
  readonly at: { readonly id: string; readonly url: string | null } | null;
  readonly title: string | null;
  readonly fields: readonly ReportedField[];
  readonly references: number;
  readonly codes?: readonly string[];
}

/** A line of a report. The digest is over the bytes of `content`. */
export interface ReportLine {
  readonly digest: string;
  readonly proof: readonly string[];
  readonly content: string;
}

/** The sha256 in lower-case hexadecimal. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

export function lineOf(content: string, proof: readonly ProofStep[]): string {
  return `{"digest":"${sha256(content)}","proof":${JSON.stringify(proof)},"content":${content}}`;
}

const LINE =
  /^\{"digest":"([0-9a-f]{64})","proof":\[((?:"[LR][0-9a-f]{64}"(?:,"[LR][0-9a-f]{64}")*)?)\],"content":(.*)\}$/s;

/** undefined: not a line of a report. */
export function readLine(line: string): ReportLine | undefined {
  const [, digest, proof, content] = LINE.exec(line) ?? [];
  if (digest === undefined || proof === undefined || content === undefined) return undefined;
  return { digest, proof: proof.match(/[LR][0-9a-f]{64}/g) ?? [], content };
}

export function rootLine(root: string, lines: number): string {
  return `{"root":"${root}","lines":${lines}}`;
}

const ROOT = /^\{"root":"([0-9a-f]{64})","lines":(\d+)\}$/;

/** undefined: not a last line. */
export function readRoot(line: string): { readonly root: string; readonly lines: number } | undefined {
  const [, root, lines] = ROOT.exec(line) ?? [];
  return root === undefined ? undefined : { root, lines: Number(lines) };
}

const BYTES = 32;
const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

/** The side (`L` or `R`) and the hash of one neighbour on the way to the root. */
type ProofStep = `${"L" | "R"}${string}`;

/** A hash tree over digests (RFC 9162, section 2.1.1). Needs 64 bytes for each digest. */
interface HashTree {
  readonly root: string;
  /** From a leaf to the root (RFC 9162, section 2.1.3). */
  proof(place: number): readonly ProofStep[];
}

export class DigestList {
  #bytes = Buffer.alloc(1024 * BYTES);
  #count = 0;

  add(digest: string): void {
    if ((this.#count + 1) * BYTES > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)]);
    this.#bytes.write(digest, this.#count * BYTES, "hex");
    this.#count += 1;
  }

  get size(): number {
    return this.#count;
  }

  /** The tree over the added digests, at least one. */
  tree(): HashTree {
    const levels = [leavesOf(this.#bytes.subarray(0, this.#count * BYTES))];
    for (let level = levels[0]; level !== undefined && level.length > BYTES; level = levels.at(-1))
      levels.push(above(level));
    return { root: (levels.at(-1) ?? LEAF).toString("hex"), proof: (place) => proofIn(levels, place) };
  }
}

/** The root that a digest and its proof lead to. */
export function rootFrom(digest: string, proof: readonly string[]): string {
  let node = hash(LEAF, Buffer.from(digest, "hex"));
  for (const step of proof) {
    const other = Buffer.from(step.slice(1), "hex");
    node = step.startsWith("L") ? hash(NODE, other, node) : hash(NODE, node, other);
  }
  return node.toString("hex");
}

function leavesOf(digests: Buffer): Buffer {
  const leaves = Buffer.alloc(digests.length);
  for (let at = 0; at < digests.length; at += BYTES) hash(LEAF, digests.subarray(at, at + BYTES)).copy(leaves, at);
  return leaves;
}

/** A node without a neighbour is passed up unchanged, as in the RFC. */
function above(level: Buffer): Buffer {
  const nodes = Buffer.alloc(Math.ceil(level.length / (2 * BYTES)) * BYTES);
  for (let at = 0; at < level.length; at += 2 * BYTES) {
    const [left, right] = [level.subarray(at, at + BYTES), level.subarray(at + BYTES, at + 2 * BYTES)];
    (right.length === 0 ? left : hash(NODE, left, right)).copy(nodes, at / 2);
  }
  return nodes;
}

function proofIn(levels: readonly Buffer[], place: number): readonly ProofStep[] {
  return levels.flatMap((level, height): readonly ProofStep[] => {
    const at = Math.floor(place / 2 ** height);
    const neighbour = at % 2 === 0 ? at + 1 : at - 1;
    const hashed = level.subarray(neighbour * BYTES, (neighbour + 1) * BYTES);
    return hashed.length === 0 ? [] : [`${neighbour < at ? "L" : "R"}${hashed.toString("hex")}`];
  });
}

function hash(...parts: readonly Buffer[]): Buffer {
  const sum = createHash("sha256");
  for (const part of parts) sum.update(part);
  return sum.digest();
}

export interface ComparedField {
  readonly path: string;
  readonly verdict: "equal" | "named" | "noted" | "different";
  readonly expected: unknown;
  readonly actual: unknown;
  /** Codes of the loss ledger that explain the difference. */
  readonly codes: readonly string[];
}

export interface ComparedItem {
  readonly key: Key;
  readonly state: ItemState;
  readonly at: ReportedItem["at"];
  readonly title: string | null;
  readonly fields: readonly ComparedField[];
  readonly references: number;
  readonly codes?: readonly string[];
}

/**
 * The line of an item: digests of equal values, both values of different ones, and only digests for
 * persons.
 */
export function reportedItem(item: ComparedItem): ReportedItem {
  const { key, state, at, title, references, codes } = item;
  const hides = isAboutSomebody(key);
  return {
    kind: "item",
    key,
    state,
    // The address of such a page contains the name.
    at: hides && at !== null ? { ...at, url: null } : at,
    title: hides ? null : title,
    fields: item.fields.map((field) => reportedField(field, hides || PERSONAL.has(field.path))),
    references,
    ...(codes === undefined ? {} : { codes }),
  };
}

function isAboutSomebody(key: Key): boolean {
  return kindOf(key) === "wiki" && wikiOf(key).namespace === "USER";
}

function reportedField({ path, verdict, expected, actual, codes }: ComparedField, isPersonal: boolean): ReportedField {
  if (verdict === "equal") return { path, verdict, sha256: digestOf(expected) };
  const [wanted, got] = aroundDifference(canonicalJson(expected ?? null), canonicalJson(actual ?? null), BEGINNING);
  const values = { expected: shown(expected, isPersonal, wanted), actual: shown(actual, isPersonal, got) };
  return { path, verdict, ...(codes.length === 0 ? {} : { codes }), ...values };
}

const PERSONAL: ReadonlySet<string> = new Set(["author", "viewers.users"]);

/** Characters of JSON that are shown whole, and those of a longer value. */
const WHOLE = 500;
const BEGINNING = 200;

function shown(value: unknown, isPersonal: boolean, around: string): ReportedValue {
  if (value === undefined || value === null) return null;
  if (isPersonal) return { sha256: digestOf(value) };
  const json = canonicalJson(value);
  if (json.length <= WHOLE) return { value };
  const begins = json.slice(0, BEGINNING);
  return { sha256: sha256(json), begins, ...(around.startsWith(begins) ? {} : { around }) };
}

function digestOf(value: unknown): string {
  return sha256(canonicalJson(value ?? null));
}
