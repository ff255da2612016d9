import { createHash } from "node:crypto";
import type { Key } from "../../../core/model/key.js";
import type { ProofStep } from "./hash-tree.js";

/** The version of the format; another one is refused. */
export const REPORT_FORMAT = 1;

/** A value of a field as a report shows it; null: there is none. */
export type ReportedValue =
  | { readonly value: unknown }
  | {
      readonly sha256: string;
      readonly begins?: string;
      /** What stands around the first character in which the two values differ, where `begins` does not show that. */
      readonly around?: string;
    }
  | null;

export type ReportedField =
  | { readonly path: string; readonly verdict: "equal"; readonly sha256: string }
  | {
      readonly path: string;
      readonly verdict: "named" | "noted" | "different";
      /** Of the loss ledger. */
      readonly codes?: readonly string[];
      readonly expected: ReportedValue;
      readonly actual: ReportedValue;
    };

export type ItemState = "compared" | "missing" | "adopted" | "refused" | "unknown";

/** What a report says of one item. */
export interface ReportedItem {
  readonly kind: "item";
  readonly key: Key;
  readonly state: ItemState;
  readonly at: { readonly id: string; readonly url: string | null } | null;
  readonly title: string | null;
  readonly fields: readonly ReportedField[];
  /** References that were followed. */
  readonly references: number;
  /** Why it was refused. */
  readonly codes?: readonly string[];
}

/** A line as it was read: what its digest is over stands in it byte by byte. */
export interface ReportLine {
  readonly digest: string;
  readonly proof: readonly string[];
  /** JSON. */
  readonly content: string;
}

/** The sha256 of a text, lower-case hexadecimal. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A line without its end. */
export function lineOf(content: string, proof: readonly ProofStep[]): string {
  return `{"digest":"${sha256(content)}","proof":${JSON.stringify(proof)},"content":${content}}`;
}

const LINE =
  /^\{"digest":"([0-9a-f]{64})","proof":\[((?:"[LR][0-9a-f]{64}"(?:,"[LR][0-9a-f]{64}")*)?)\],"content":(.*)\}$/s;

/** undefined for what is laid out otherwise. */
export function readLine(line: string): ReportLine | undefined {
  const [, digest, proof, content] = LINE.exec(line) ?? [];
  if (digest === undefined || proof === undefined || content === undefined) return undefined;
  return { digest, proof: proof.match(/[LR][0-9a-f]{64}/g) ?? [], content };
}

/** The last line without its end. */
export function rootLine(root: string, lines: number): string {
  return `{"root":"${root}","lines":${lines}}`;
}

const ROOT = /^\{"root":"([0-9a-f]{64})","lines":(\d+)\}$/;

/** undefined for what is no last line. */
export function readRoot(line: string): { readonly root: string; readonly lines: number } | undefined {
  const [, root, lines] = ROOT.exec(line) ?? [];
  return root === undefined ? undefined : { root, lines: Number(lines) };
}
