import {
  ANY_LABEL,
  contentText,
  type RenderedPiece,
  renderedContent,
  sameContent,
  similarContent,
} from "../../../transforms/html/rendered-content.js";
import { createResolver } from "../../../transforms/html/resolver.js";
import { toHtml } from "../../../transforms/html/to-html.js";
import { keysOf, type Reference, textOf } from "../../../transforms/references/reference.js";
import { addressReference } from "../../../transforms/references/rewrite-references.js";
import { sameSite } from "../../../transforms/references/site-addresses.js";
import { parse } from "../../../transforms/wiki/parse.js";
import type { Context } from "../../core/contracts.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { GuideItem, Item } from "../../core/model/item.js";
import { type Key, restOf } from "../../core/model/key.js";
import { isObject } from "../../core/util/json.js";
import { type RenderedGuide, readRenderedGuide, readRenderedWiki } from "../../service/wire/guide.js";
import type { ParseContext } from "../../service/wire/json-cursor.js";
import { keyAtTarget } from "../map/moved-things.js";
import type { FieldPair } from "./compared-fields.js";

interface Shown {
  readonly same: boolean;
  readonly expected: string;
  readonly actual: string;
}

/**
 * Does the target's HTML have the expected content? One of three comparisons has to succeed:
 * - with the HTML of the old site, where links lead to their new link targets. It is exact, but
 * ignores intended changes of the text.
 * - with the sent text, as guideferry renders it. It has the intended changes, and is compared by
 * letters and links only.
 * - with the HTML of the old site again, where intended changes may differ: those between the
 * source text and the sent text, as guideferry renders both.
 *
 * @param showsEqual false: nobody uses the texts of an equal result, so that less HTML is parsed
 */
export async function compareRendered(
  text: RenderedText,
  remote: string,
  sites: LinkSites,
  showsEqual = true,
): Promise<Shown> {
  const isAsExpected = (): boolean => remote === text.source || remote === meantHtml(text.text, text.where);
  if (!REFERS.test(remote) && isAsExpected()) return { same: true, expected: remote, actual: remote };
  if (!showsEqual && text.source !== undefined && (await hasSameLinks(text.source, remote, sites)))
    return { same: true, expected: remote, actual: remote };
  const actual = await resolved(renderedContent(remote), "target", sites);
  const before = text.source === undefined ? undefined : await resolved(renderedContent(text.source), "source", sites);
  if (before !== undefined && sameContent(actual, before)) return shown(true, before, actual);
  const meant = await meantBy(text.text, text.where, "target", sites);
  if (similarContent(actual, meant) || before === undefined || text.own === undefined)
    return shown(similarContent(actual, meant), meant, actual);
  const meantBefore = await meantBy(text.own, text.where, "source", sites);
  return shown(differsAsMeant({ before, now: actual, meantBefore, meantNow: meant }), meant, actual);
}

/**
 * Are both the same but for the addresses of links that lead to the same? false: perhaps. It reads
 * only HTML whose content cannot depend on an address in any other way.
 */
async function hasSameLinks(source: string, remote: string, sites: LinkSites): Promise<boolean> {
  if ([source, remote].some((html) => html.length > LONGEST || OTHER_TAG.test(html))) return false;
  const [before, now] = [source.split(ADDRESS), remote.split(ADDRESS)];
  // An address is between two other pieces.
  const isEveryLink = before.length === now.length && remote.split('<a href="').length === (now.length + 1) / 2;
  if (!isEveryLink || now.some((piece, place) => place % 2 === 0 && piece !== before[place])) return false;
  for (let place = 1; place < now.length; place += 2) {
    const wanted = await linkTargetOf(before[place] ?? "", "source", sites);
    if (wanted !== (await linkTargetOf(now[place] ?? "", "target", sites))) return false;
  }
  return true;
}

/** Characters. Longer HTML is parsed in pieces, whose ends depend on the length of addresses. */
const LONGEST = 10_000;

/** A tag that is neither a link nor without attributes and meaning, or a comment. */
const OTHER_TAG = /<(?!\/|(?:p|em|strong|b|i|u|br|br \/|ul|ol|li|code|del|ins|sup|sub)>|a href=")/;

/** With a label that is not an address, since that of an address would be left out. */
const ADDRESS = /(?<=<a href=")((?:https?:)?\/[^"<>&\s]*)(?="(?: (?:class|rel|target)="[^"<>&]*")*>[^<>&/]*<\/a>)/;

export async function showsAllLines(lines: AllLines, sites: LinkSites): Promise<boolean> {
  const contentOf = async (all: readonly string[], read: (one: string) => Promise<readonly RenderedPiece[]>) =>
    (await Promise.all(all.map(read))).flat();
  return differsAsMeant({
    before: await contentOf(lines.source, (html) => resolved(renderedContent(html), "source", sites)),
    now: await contentOf(lines.remote, (html) => resolved(renderedContent(html), "target", sites)),
    meantBefore: await contentOf(lines.own, (text) => meantBy(text, "line", "source", sites)),
    meantNow: await contentOf(lines.texts, (text) => meantBy(text, "line", "target", sites)),
  });
}

function meantBy(text: string, where: RenderedText["where"], site: "source" | "target", sites: LinkSites) {
  return resolved(renderedContent(meantHtml(text, where)), site, sites);
}

function meantHtml(text: string, where: RenderedText["where"]): string {
  return toHtml(parse(text, { context: where }).tree, NAMELESS);
}

const REFERS = /<(?:a|img|video|iframe|div|source)\b/i;

/** The label of a link without one is the title of its link target, which is unknown here. */
const NAMELESS = createResolver({
  guide: () => ({ folder: "Guide", title: ANY_LABEL }),
  document: (id) => ({ address: `/Document/${id}`, title: ANY_LABEL }),
});

async function resolved(
  pieces: readonly RenderedPiece[],
  htmlOf: "source" | "target",
  sites: LinkSites,
): Promise<readonly RenderedPiece[]> {
  return Promise.all(
    pieces.map(async (piece) =>
      piece.type === "link"
        ? { ...piece, linkTarget: await linkTargetOf(piece.linkTarget, htmlOf, sites) }
        : await medium(piece, htmlOf, sites),
    ),
  );
}

/**
 * Replaces the id of a medium of the source. An image that the site crops or resizes has another id
 * there (api-facts 4.5).
 */
async function medium(piece: RenderedPiece, htmlOf: "source" | "target", { idOf }: LinkSites): Promise<RenderedPiece> {
  if (piece.type !== "medium" || piece.id === null || htmlOf === "target" || piece.kind === "guide-list") return piece;
  return { ...piece, id: (await idOf(`${piece.kind}/${piece.id}`)) ?? null };
}

function shown(same: boolean, expected: readonly RenderedPiece[], actual: readonly RenderedPiece[]): Shown {
  return { same, expected: contentText(expected), actual: contentText(actual) };
}

export interface RenderedText {
  /** As in the model: `steps[0].lines[1].text`. */
  readonly path: string;
  readonly where: "line" | "page";
  readonly text: string;
  /** The HTML of the old site; undefined: none, or it renders another text. */
  readonly source: string | undefined;
  /** The text at the source, whose HTML is `source`. */
  readonly own: string | undefined;
  /** undefined: the target has none. */
  readonly remote: string | undefined;
}

type Place = Omit<RenderedText, "text">;

/**
 * The texts whose HTML can be compared: those that are not empty and equal on the target. A text
 * that differs is reported already.
 * | @param stored the item at the source, before transforms and fit
 */
export function renderedTexts(
  item: Item,
  stored: Item,
  actual: Item,
  { expected, remote, steps }: FieldPair,
): readonly RenderedText[] {
  return placesOf(item, stored, actual, steps).flatMap((place) => {
    const text = expected.get(place.path);
    return typeof text === "string" && text !== "" && text === remote.get(place.path) ? [{ ...place, text }] : [];
  });
}

interface AllLines {
  readonly own: readonly string[];
  readonly source: readonly string[];
  readonly texts: readonly string[];
  readonly remote: readonly string[];
}

/**
 * For lines that the fit rules split, so that none equals a line of the source. undefined: a site
 * has no HTML of some.
 */
export function allLines(
  item: Item,
  stored: Item,
  actual: Item,
  { expected, steps: ids }: FieldPair,
): AllLines | undefined {
  if (item.kind !== "guide" || stored.kind !== "guide" || actual.kind !== "guide") return undefined;
  const [before, now] = [guideHtml(stored), guideHtml(actual)];
  const source = stored.body.steps.flatMap(({ key }) => before.rendered.steps.get(bare(restOf(key))) ?? [undefined]);
  const remote = ids.flatMap((id) => now.rendered.steps.get(bare(id ?? "")) ?? [undefined]);
  const texts = item.body.steps.flatMap(({ lines }, index) =>
    lines.map((_, place) => expected.get(`steps[${index}].lines[${place}].text`)),
  );
  if (!source.every(isText) || !remote.every(isText) || !texts.every(isText)) return undefined;
  return { own: stored.body.steps.flatMap(({ lines }) => lines.map(({ text }) => text)), source, texts, remote };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function placesOf(item: Item, stored: Item, actual: Item, steps: FieldPair["steps"]): readonly Place[] {
  if (item.kind === "guide" && actual.kind === "guide") return placesInGuide(item, stored, actual, steps);
  const own = stored.kind === "wiki" || stored.kind === "category" ? stored.body.contents : undefined;
  return [{ path: "contents", where: "page", source: wikiHtml(item), own, remote: wikiHtml(actual) }];
}

function placesInGuide(item: GuideItem, stored: Item, actual: GuideItem, ids: FieldPair["steps"]): readonly Place[] {
  const [source, remote] = [guideHtml(item), guideHtml(actual)];
  const guide = stored.kind === "guide" ? stored.body : undefined;
  const page = (path: "introduction" | "conclusion"): Place => ({
    path,
    where: "page",
    source: source.has ? source.rendered[path] : undefined,
    own: guide?.[path],
    remote: remote.rendered[path],
  });
  const lines = item.body.steps.flatMap(({ key, lines: own }, index) => {
    const [before, now] = [
      source.rendered.steps.get(bare(restOf(key))),
      remote.rendered.steps.get(bare(ids[index] ?? "")),
    ];
    const isWhole = before?.length === own.length;
    const ownLines = guide?.steps.find((step) => step.key === key)?.lines;
    return own.map(
      (_, place): Place => ({
        path: `steps[${index}].lines[${place}].text`,
        where: "line",
        source: isWhole ? before?.[place] : undefined,
        own: isWhole ? ownLines?.[place]?.text : undefined,
        remote: now?.[place],
      }),
    );
  });
  return [page("introduction"), page("conclusion"), ...lines];
}

/** A step of a translation has the id of the guide's step with the language appended. */
function bare(id: string): string {
  return id.replace(/@.*$/, "");
}

function guideHtml(item: Item): { readonly has: boolean; readonly rendered: RenderedGuide } {
  const json = jsonOf(item);
  return { has: json !== undefined, rendered: readRenderedGuide(json ?? {}, quietly(item)) };
}

/** An item that a transform made has the HTML of its answer. */
function wikiHtml(item: Item): string | undefined {
  const json = jsonOf(item);
  return json === undefined ? undefined : readRenderedWiki(json, quietly(item));
}

/** Only answers in JSON have HTML next to the text. */
function jsonOf(item: Item): unknown {
  return isObject(item.raw) && isObject(item.raw["json"]) ? item.raw["json"] : undefined;
}

/** Reports nothing, since the answer's issues were reported when it was read. */
function quietly({ key }: Item): ParseContext {
  return { key, endpoint: "", origin: "", report: () => undefined };
}

interface BeforeAndNow {
  readonly before: readonly RenderedPiece[];
  readonly now: readonly RenderedPiece[];
  readonly meantBefore: readonly RenderedPiece[];
  readonly meantNow: readonly RenderedPiece[];
}

/**
 * Does the target show what the old site showed, except for intended changes? Rewrites (a label in
 * place of a reference, a link to the old site, a transform, a line that was split) change the text
 * in a known way, and the two HTMLs may differ in exactly that. Words, links and media are counted,
 * without regard to their order.
 */
function differsAsMeant(shown: BeforeAndNow): boolean {
  const unmoved = unmovedTargets(Object.values(shown).flat());
  const [before, now] = [tokensOf(withoutInvalid(shown.before), unmoved), tokensOf(shown.now, unmoved)];
  const [meantBefore, meantNow] = [tokensOf(shown.meantBefore, unmoved), tokensOf(shown.meantNow, unmoved)];
  const mayCome = added(meantNow.counts, meantBefore.counts);
  const mayGo = added(meantBefore.counts, meantNow.counts);
  const comes = added(now.counts, before.counts);
  const goes = added(before.counts, now.counts);
  return (
    [...comes.keys()].every((token) => holds(mayCome, token) || meantNow.unmoved.has(token)) &&
    [...goes.keys()].every((token) => holds(mayGo, token) || meantBefore.unmoved.has(token))
  );
}

interface Tokens {
  readonly counts: ReadonlyMap<string, number>;
  /** Links to what is not on the target: each site marks them in its own way, or shows no link. */
  readonly unmoved: ReadonlySet<string>;
}

const LINK = "link ";
const SEPARATOR = "\n";

function tokensOf(pieces: readonly RenderedPiece[], unmovedTargets: ReadonlySet<string>): Tokens {
  const counts = new Map<string, number>();
  const unmoved = new Set<string>();
  for (const piece of pieces) {
    for (const token of wordsOf(piece, unmovedTargets)) {
      counts.set(token, (counts.get(token) ?? 0) + 1);
      if (piece.type === "link" && piece.linkTarget.startsWith(OLD_SITE)) unmoved.add(token);
    }
  }
  return { counts, unmoved };
}

function wordsOf(piece: RenderedPiece, unmovedTargets: ReadonlySet<string>): readonly string[] {
  if (piece.type === "words") return piece.text.split(" ").filter((word) => word !== "");
  // Images are compared as fields, since one that does not move has no id that both sides have.
  if (piece.type === "medium") return [`medium ${piece.kind}`];
  const linkTarget = bareTarget(piece.linkTarget);
  const mark = piece.dead && !unmovedTargets.has(linkTarget) ? "dead " : "";
  return [`${LINK}${mark}${linkTarget}${SEPARATOR}${piece.label}`];
}

/** An unchanged title or path means the same on both sites. */
function bareTarget(linkTarget: string): string {
  return linkTarget.startsWith(OLD_SITE) ? linkTarget.slice(OLD_SITE.length) : linkTarget;
}

function unmovedTargets(pieces: readonly RenderedPiece[]): ReadonlySet<string> {
  const targets = pieces.flatMap((piece) =>
    piece.type === "link" && piece.linkTarget.startsWith(OLD_SITE) ? [piece.linkTarget] : [],
  );
  return new Set(targets.map(bareTarget));
}

function added(one: Tokens["counts"], other: Tokens["counts"]): Tokens["counts"] {
  const more = [...one].map(([token, count]) => [token, count - (other.get(token) ?? 0)] as const);
  return new Map(more.filter(([, count]) => count > 0));
}

function holds(counts: Tokens["counts"], token: string): boolean {
  const anyLabel = `${token.slice(0, token.indexOf(SEPARATOR) + 1)}${ANY_LABEL}`;
  return counts.has(token) || (token.startsWith(LINK) && counts.has(anyLabel));
}

/** Removes what the old site shows for a broken reference: `[invalid guide link]`. */
function withoutInvalid(pieces: readonly RenderedPiece[]): readonly RenderedPiece[] {
  return pieces.map((piece) =>
    piece.type === "words" ? { ...piece, text: piece.text.replace(/\[invalid [^\][]*\]/gi, "") } : piece,
  );
}

/** The two sites that links may lead to, and the ids on the target. */
export interface LinkSites {
  readonly source: SiteIdentity;
  readonly target: SiteIdentity;
  readonly idOf: Context["idOf"];
}

/** The prefix of a link target that is not on the target. */
const OLD_SITE = "old site: ";

/** The target of a link in rendered HTML, in a form that is equal for the HTML of both sites. */
async function linkTargetOf(address: string, htmlOf: "source" | "target", sites: LinkSites): Promise<string> {
  const [near, far] = htmlOf === "target" ? (["target", "source"] as const) : (["source", "target"] as const);
  const own = addressReference(address, sites[near]);
  if (own !== undefined) return atSite(address, own, near, sites);
  const other = addressReference(address, sites[far]);
  return other === undefined ? elsewhere(address) : atSite(address, other, far, sites);
}

async function atSite(
  address: string,
  reference: Reference,
  site: "source" | "target",
  sites: LinkSites,
): Promise<string> {
  const isOne = sameSite(sites.source, sites.target);
  const name = site === "target" || isOne ? "" : OLD_SITE;
  const { key } = reference;
  if (key === null) return `${name}${textOf(address, reference.linkTarget)}`;
  if (site === "target") return words(keysOf(reference));
  const moved = await atTarget(key, sites);
  if (moved === undefined) return `${name}${words(keysOf(reference))}`;
  const steps = await Promise.all(reference.steps.map((step) => atTarget(step.key, sites)));
  return words([moved, ...steps.flatMap((step) => step ?? [])]);
}

async function atTarget(key: Key, { idOf }: LinkSites): Promise<Key | undefined> {
  const id = await idOf(key);
  return id === undefined ? undefined : keyAtTarget(key, id);
}

function words(keys: readonly Key[]): string {
  return keys.join(" ");
}

function elsewhere(address: string): string {
  return URL.canParse(address) ? new URL(address).href : address;
}
