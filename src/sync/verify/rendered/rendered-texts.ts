import { isObject, type Reading } from "../../../service/wire/place.js";
import { type RenderedGuide, readRenderedGuide, readRenderedWiki } from "../../../service/wire/rendered.js";
import type { GuideItem, Item } from "../../../core/model/item.js";
import { restOf } from "../../../core/model/key.js";
import type { FieldPair } from "../field-pair.js";

/** A text whose source is as it should be, and the HTML that was made of it. */
export interface RenderedText {
  /** In the model's words: `steps[0].lines[1].text`. */
  readonly path: string;
  readonly where: "line" | "page";
  /** The wiki text that stands at the target. */
  readonly text: string;
  /** What the old site made of its own; undefined: it gave none, or the text is none of its own. */
  readonly source: string | undefined;
  /** The source's own text, of which `source` is the HTML. */
  readonly own: string | undefined;
  /** undefined: the target gives none. */
  readonly present: string | undefined;
}

type Place = Omit<RenderedText, "text">;

/**
 * The texts of an item that can be compared as they are shown: all that are not empty and whose wiki text is as it should be. What
 * another text is shown as is no news.
 *
 * @param stored the item as the source has it, before transforms and fit
 */
export function renderedTexts(
  item: Item,
  stored: Item,
  actual: Item,
  { expected, present, steps }: FieldPair,
): readonly RenderedText[] {
  return placesOf(item, stored, actual, steps).flatMap((place) => {
    const text = expected.get(place.path);
    return typeof text === "string" && text !== "" && text === present.get(place.path) ? [{ ...place, text }] : [];
  });
}

/** All lines of a guide's steps, those of the source and those at the target. */
export interface AllLines {
  readonly own: readonly string[];
  readonly source: readonly string[];
  readonly texts: readonly string[];
  readonly present: readonly string[];
}

/** For lines that were divided on their way, so that none of ours has one of the source's beside it. undefined: a site gives no HTML of some. */
export function allLines(
  item: Item,
  stored: Item,
  actual: Item,
  { expected, steps: ids }: FieldPair,
): AllLines | undefined {
  if (item.kind !== "guide" || stored.kind !== "guide" || actual.kind !== "guide") return undefined;
  const [before, now] = [guideHtml(stored), guideHtml(actual)];
  const source = stored.body.steps.flatMap(({ key }) => before.rendered.steps.get(bare(restOf(key))) ?? [undefined]);
  const present = ids.flatMap((id) => now.rendered.steps.get(bare(id ?? "")) ?? [undefined]);
  const texts = item.body.steps.flatMap(({ lines }, index) =>
    lines.map((_, place) => expected.get(`steps[${index}].lines[${place}].text`)),
  );
  if (!source.every(isText) || !present.every(isText) || !texts.every(isText)) return undefined;
  return { own: stored.body.steps.flatMap(({ lines }) => lines.map(({ text }) => text)), source, texts, present };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function placesOf(item: Item, stored: Item, actual: Item, steps: FieldPair["steps"]): readonly Place[] {
  if (item.kind === "guide" && actual.kind === "guide") return placesInGuide(item, stored, actual, steps);
  const own = stored.kind === "wiki" || stored.kind === "category" ? stored.body.contents : undefined;
  return [{ path: "contents", where: "page", source: wikiHtml(item), own, present: wikiHtml(actual) }];
}

function placesInGuide(item: GuideItem, stored: Item, actual: GuideItem, ids: FieldPair["steps"]): readonly Place[] {
  const [source, present] = [guideHtml(item), guideHtml(actual)];
  const guide = stored.kind === "guide" ? stored.body : undefined;
  const page = (path: "introduction" | "conclusion"): Place => ({
    path,
    where: "page",
    source: source.has ? source.rendered[path] : undefined,
    own: guide?.[path],
    present: present.rendered[path],
  });
  const lines = item.body.steps.flatMap(({ key, lines: own }, index) => {
    const [before, now] = [
      source.rendered.steps.get(bare(restOf(key))),
      present.rendered.steps.get(bare(ids[index] ?? "")),
    ];
    // Another number of lines: they were divided on their way.
    const isWhole = before?.length === own.length;
    const ownLines = guide?.steps.find((step) => step.key === key)?.lines;
    return own.map(
      (_, place): Place => ({
        path: `steps[${index}].lines[${place}].text`,
        where: "line",
        source: isWhole ? before?.[place] : undefined,
        own: isWhole ? ownLines?.[place]?.text : undefined,
        present: now?.[place],
      }),
    );
  });
  return [page("introduction"), page("conclusion"), ...lines];
}

/** A translation's steps have the ids of its guide's, with the language behind them. */
function bare(id: string): string {
  return id.replace(/@.*$/, "");
}

function guideHtml(item: Item): { readonly has: boolean; readonly rendered: RenderedGuide } {
  const json = jsonOf(item);
  return { has: json !== undefined, rendered: readRenderedGuide(json ?? {}, quietly(item)) };
}

/** Made by a transform, its HTML is still that of the answer. */
function wikiHtml(item: Item): string | undefined {
  const json = jsonOf(item);
  return json === undefined ? undefined : readRenderedWiki(json, quietly(item));
}

/** Only answers in JSON have HTML beside the text. */
function jsonOf(item: Item): unknown {
  return isObject(item.raw) && isObject(item.raw["json"]) ? item.raw["json"] : undefined;
}

/** What is odd about the answer was told when it was read. */
function quietly({ key }: Item): Reading {
  return { key, endpoint: "", origin: "", report: () => undefined };
}
