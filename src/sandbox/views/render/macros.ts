import { type GuideRecord, guideKey } from "../../state/guide.js";
import type { Site } from "../../state/site.js";
import { guidePath } from "../guide-summary-view.js";
import { addressOf } from "../image-view.js";
import { escaped } from "./escaped.js";

/** What a macro becomes; undefined: it stays as it is written. `line`: in a step line, which has no media. */
export type RenderMacro = (site: Site, fields: Fields, line: boolean) => string | undefined;

/** What stands between the pipes of a macro behind its keyword. */
export interface Fields {
  readonly target: string;
  /** Empty: none. */
  readonly label: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Macros by keyword (syntax facts, 2.3 and 2.4). */
export const MACROS: ReadonlyMap<string, RenderMacro> = new Map<string, RenderMacro>([
  ["guide", renderGuide],
  ["link", (site, fields) => renderAddress(site, fields)],
  [
    "product",
    (_site, { target, label, parameters }) =>
      link(`/Tools/-/${encodeURIComponent(target)}`, label || target, parameters),
  ],
  ["document", renderDocument],
  [
    "mailto",
    (_site, { target, label, parameters }) =>
      target === "" ? undefined : link(`mailto:${target}`, label || target, parameters),
  ],
  ["image", renderImage],
  ["video", renderVideo],
  ["guidelist", renderGuideList],
]);

/** `[https://e.org/x|label]`; without a label the address is shown. */
export function renderAddress(site: Site, { target, label, parameters }: Fields): string | undefined {
  if (!/^(?:https?:\/\/|\/|#|ftp:\/\/)\S/i.test(target)) return undefined;
  return link(target, label || target, parameters, isOwn(site, target));
}

/** An address in running text: shown up to 40 characters, whole in the title (syntax facts, 3.3). */
export function renderBare(site: Site, address: string): string {
  const shown = [...address];
  const cut = shown.length > 40 ? `${shown.slice(0, 40).join("")}...` : address;
  const title = shown.length > 40 ? ` title="${escaped(escaped(address))}"` : "";
  return `<a href="${escaped(address)}"${rel(isOwn(site, address))}${title}>${escaped(cut)}</a>`;
}

/** First path segments by the word before a page's title; other words are part of the title. */
const FOLDERS: ReadonlyMap<string, string> = new Map([
  ["category", "c"],
  ["topic", "Topic"],
  ["device", "Device"],
  ["item", "Item"],
  ["info", "Info"],
  ["user", "User"],
  ["team", "Team"],
  ["wiki", "Wiki"],
]);

/** `[[Topic:Title#Section_X|label]]`. */
export function renderWikiLink({ target, label, parameters }: Fields): string {
  const [page = "", ...section] = target.split("#");
  const colon = page.indexOf(":");
  const folder = colon < 0 ? undefined : FOLDERS.get(page.slice(0, colon).trim().toLowerCase());
  const title = (folder === undefined ? page : page.slice(colon + 1)).trim();
  const hash = section.length === 0 ? "" : `#${encodeURIComponent(section.join("#").replaceAll(" ", "_"))}`;
  const path = title === "" ? "" : `/${folder ?? "Wiki"}/${encodeURIComponent(title.replaceAll(" ", "_"))}`;
  return link(path + hash, label || title.replaceAll("_", " "), parameters);
}

/** A guide that is not here loses its label too (syntax facts, 2.3). */
function renderGuide(site: Site, { target, label, parameters }: Fields): string | undefined {
  if (!/^\d+$/.test(target)) return undefined;
  const guide: GuideRecord | undefined = site.guides.get(guideKey(Number(target)));
  if (guide === undefined || guide.deleted) return "[invalid guide link]";
  const step = parameters.get("stepid");
  return link(`${guidePath(guide)}/1${step === undefined ? "" : `#s${step}`}`, label || guide.title, parameters);
}

function renderDocument(_site: Site, { target, label, parameters }: Fields): string | undefined {
  if (!/^\d+$/.test(target)) return undefined;
  return link(`/Document/${target}`, label || `document ${target}`, parameters);
}

function renderImage(site: Site, { target, parameters }: Fields, line: boolean): string | undefined {
  if (line || !/^\d+$/.test(target)) return undefined;
  const address = addressOf(site, Number(target), parameters.get("size") ?? "standard") ?? "";
  const align = parameters.get("align") ?? "left";
  return `<div class="imageBox imageBox_${escaped(align)}"><img src="${escaped(address)}" /></div>`;
}

const YOUTUBE = /^(?:https?:)?\/\/(?:www\.)?(?:youtube\.com\/watch\?(?:.*&)?v=|youtu\.be\/)([\w-]+)/;

function renderVideo(_site: Site, { target }: Fields, line: boolean): string | undefined {
  if (line || target === "") return undefined;
  const id = YOUTUBE.exec(target)?.[1];
  const player =
    id === undefined
      ? `<video controls src="${escaped(target)}"></video>`
      : `<div videoid=${id} class='youtube-player' src="https://www.youtube-nocookie.com/embed/${id}?wmode=opaque"></div>`;
  return `<div class="large videoFrame videoBox_center"><div class="videoBox">${player}</div></div>`;
}

/** `[guidelist|tags=a|type=how-to]`: the public guides that have all of the tags, and the type. */
function renderGuideList(site: Site, { parameters }: Fields, line: boolean): string | undefined {
  if (line) return undefined;
  const tags = (parameters.get("tags") ?? "").split(",").filter((tag) => tag !== "");
  const type = parameters.get("type");
  const cells = [...site.guides.values()]
    .filter((guide) => guide.public && !guide.deleted && tags.every((tag) => guide.tags.includes(tag)))
    .filter((guide) => type === undefined || guide.type === type)
    .map(
      (guide) =>
        `<div class="cell"><a class="title" href="${escaped(guidePath(guide))}">${escaped(guide.title)}</a></div>`,
    );
  return `<div class="blurbListWide"><div class="grid">${cells.join("")}</div></div>`;
}

function link(address: string, label: string, parameters: Fields["parameters"], isOwnSite = true): string {
  const target = parameters.get("new_window") === "true" ? ' target="_blank"' : "";
  return `<a href="${escaped(address)}"${rel(isOwnSite)}${target}>${escaped(label)}</a>`;
}

function isOwn({ origin }: Site, address: string): boolean {
  return !/^[a-z]+:/i.test(address) || address === origin || address.startsWith(`${origin}/`);
}

function rel(isOwnSite: boolean): string {
  return isOwnSite ? "" : ' rel="nofollow noopener noreferrer"';
}
