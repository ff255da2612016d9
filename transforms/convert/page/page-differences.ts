import type { GuideItem, MediaUse, WikiItem } from "../../../src/core/model/item.js";
import { isObject } from "../../../src/core/util/json.js";
import { paragraph } from "../../wiki/build.js";
import { parse } from "../../wiki/parse.js";
import { print } from "../../wiki/print.js";
import { shapeOf } from "../../wiki/shape.js";
import type { ConvertIssue } from "../formats.js";

/** Reports every loss by comparing an item with its page as read back. */
export function pageDifferences(item: GuideItem | WikiItem, read: GuideItem | WikiItem): readonly ConvertIssue[] {
  return differences(comparable(item), comparable(read)).map(issueOf);
}

function issueOf(difference: Difference): ConvertIssue {
  const { path } = difference;
  return { ...reportOf(difference), path, start: 0, end: 0 };
}

function reportOf(difference: Difference): Pick<ConvertIssue, "code" | "level" | "message"> {
  const { path, one, other } = difference;
  if (NOT_ON_PAGES.test(path))
    return { code: "not-on-page", level: "loss", message: `A page does not have a place for ${path}.` };
  if (MADE_BY_SITES.has(path))
    return {
      code: "not-on-page",
      level: "note",
      message: `A page does not have a place for ${path}. A site makes the value again.`,
    };
  if (typeof one === "string" && typeof other === "string") {
    const spelling = spellingOf(path, one, other);
    if (spelling !== undefined) return spelling;
  }
  const message = `The value ${shown(one)} is read back from the page as ${shown(other)}.`;
  return { code: "page-differs", level: "loss", message };
}

const NOT_ON_PAGES =
  /^(?:comments|archived|viewers|releases|featuredDocument|workLogEnabled|publishedDate|url|suppliers|tableOfContents|pageTitle|position)$|^(?:author\.uniqueName|steps\[\d+\]\.(?:comments|lines\[\d+\]\.bulletStyle))$/;

const MADE_BY_SITES: ReadonlySet<string> = new Set(["html", "tree"]);

const PAGE_TEXT = /^(?:introduction|conclusion|contents)$/;
const LINE_TEXT = /^steps\[\d+\]\.lines\[\d+\]\.text$/;

/** Whether two wiki texts differ in spelling only. */
function spellingOf(
  path: string,
  one: string,
  other: string,
): Pick<ConvertIssue, "code" | "level" | "message"> | undefined {
  const shape = PAGE_TEXT.test(path) ? pageShape : LINE_TEXT.test(path) ? lineShape : undefined;
  if (shape === undefined) return undefined;
  if (shape(one) === shape(other))
    return {
      code: "text-spelling",
      level: "note",
      message: "The text reads back with the same meaning and another spelling.",
    };
  return { code: "text-markup", level: "loss", message: "The page cannot express all markup of this text." };
}

/** Outer blanks have no meaning. */
function pageShape(text: string): string {
  const { tree } = parse(text.trim(), { context: "page" });
  return tree.type === "page" ? shapeOf(tree.children) : print(tree);
}

function lineShape(text: string): string {
  const { tree } = parse(text.trim(), { context: "line" });
  return tree.type === "line" ? shapeOf([paragraph(tree.children)]) : print(tree);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

interface Difference {
  readonly path: string;
  readonly one: unknown;
  readonly other: unknown;
}

/** Lists of different lengths differ as a whole. */
function differences(one: unknown, other: unknown, path = ""): readonly Difference[] {
  if (Object.is(one, other)) return [];
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.flatMap((each, index) => differences(each, other[index], `${path}[${index}]`));
  if (!isObject(one) || !isObject(other)) return [{ path, one, other }];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.flatMap((name) => differences(one[name], other[name], path === "" ? name : `${path}.${name}`));
}

/** Replaces media by their addresses, since pages do not have ids. */
function comparable({ body, media }: Pick<GuideItem | WikiItem, "body" | "media">): unknown {
  const uses = new Map<string, MediaUse>(media.map((use) => [use.key, use]));
  return withoutIds({ ...body, id: undefined }, uses);
}

function withoutIds(value: unknown, uses: ReadonlyMap<string, MediaUse>): unknown {
  if (typeof value === "string") return uses.get(value)?.url ?? value;
  if (Array.isArray(value)) return value.map((each) => withoutIds(each, uses));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([name, inner]) => !(name === "key" && isStepKey(inner)));
  return Object.fromEntries(fields.map(([name, inner]) => [name, withoutIds(inner, uses)]));
}

function isStepKey(value: unknown): boolean {
  return typeof value === "string" && value.startsWith("step/");
}
