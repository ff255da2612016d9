import { z } from "zod";
import type { TransformSpec } from "../../src/core/formats.js";
import type { Guide, Item, Step, Wiki } from "../../src/core/model/item.js";
import { readOwnAddress } from "../references/site-addresses.js";
import { mapSame, mapStrings, mapTexts, withFields } from "./map-texts.js";

/** A host as an address names it, lower case. */
interface Host {
  readonly name: string;
  /** "" where none is named. */
  readonly port: string;
}

const HOST = /^[\p{L}\p{N}_](?:[\p{L}\p{N}._-]*[\p{L}\p{N}_])?(?::\d{1,5})?$/u;

/** `old.example` or `old.example:8080`. */
const hostSchema = z
  .string("expected a host such as old.example or old.example:8080")
  .regex(HOST, "expected a host such as old.example or old.example:8080, without https:// and path");

/** Reads what `hostSchema` let through. */
function readHost(text: string): Host {
  const colon = text.indexOf(":");
  const name = colon < 0 ? text : text.slice(0, colon);
  return { name: name.toLowerCase(), port: colon < 0 ? "" : text.slice(colon + 1) };
}

/**
 * Whether an address's host is this one. Without a port the scheme's own is meant: the same host at
 * another port is another service.
 */
function isHost(host: Host, given: Host, scheme: string): boolean {
  const own = scheme.toLowerCase() === "http:" ? "80" : "443";
  return given.name.toLowerCase() === host.name && (given.port || own) === (host.port || own);
}

/** As an address names it. */
function writeHost({ name, port }: Host): string {
  return port === "" ? name : `${name}:${port}`;
}

const options = z.strictObject({ from: hostSchema, to: hostSchema });

/**
 * `replace-host`: addresses of one host lead to another one, wherever an item has them. Those of
 * the source itself that name a guide, a page or a file stay: the load points them home, and with
 * another host alone they would hit strangers.
 */
export const replaceHost: TransformSpec<z.infer<typeof options>> = {
  name: "replace-host",
  about: "addresses of one host lead to another: from=old.example,to=new.example",
  options,
  create: ({ from, to }, { source }) => {
    const hosts = { from: readHost(from), to: readHost(to) };
    const keeps = (address: string): boolean => typeof readOwnAddress(address, 0, source)?.key === "string";
    return (item, report) => {
      const change = (text: string, path: string): string => {
        const changed = replaceInText(text, { ...hosts, keeps });
        if (changed !== text) report({ ...REPLACED, key: item.key, path, message: message(hosts) });
        return changed;
      };
      return [
        inFields(
          mapTexts(item, (text, _, path) => change(text, path)),
          change,
        ),
      ];
    };
  },
};

const REPLACED = { code: "host-replaced", level: "note" } as const;

function message({ from, to }: Readonly<Record<"from" | "to", ReturnType<typeof readHost>>>): string {
  return `Addresses of ${writeHost(from)} lead to ${writeHost(to)} now.`;
}

/** Gives another string for one; `path` says where it stands. */
type Change = (text: string, path: string) => string;

/**
 * Everything beside the wiki texts that is sent or shown and may hold an address. Where an item
 * came from stays.
 */
function inFields(item: Item, change: Change): Item {
  if (item.kind === "guide") return withFields(item, { body: inGuide(item.body, change) });
  if (item.kind === "category" || item.kind === "wiki") return withFields(item, { body: inWiki(item.body, change) });
  return item;
}

function inGuide(guide: Guide, change: Change): Guide {
  const urls = (list: "parts" | "tools"): Guide["parts"] =>
    mapSame(guide[list], (part, index) =>
      withFields(part, { url: part.url === null ? null : change(part.url, `${list}[${index}].url`) }),
    );
  return withFields(guide, {
    summary: change(guide.summary, "summary"),
    parts: urls("parts"),
    tools: urls("tools"),
    steps: mapSame(guide.steps, (step, index) => inStep(step, `steps[${index}].media.url`, change)),
  });
}

function inStep(step: Step, path: string, change: Change): Step {
  if (step.media.type !== "embed") return step;
  return withFields(step, { media: withFields(step.media, { url: change(step.media.url, path) }) });
}

function inWiki(wiki: Wiki, change: Change): Wiki {
  return withFields(wiki, {
    description: change(wiki.description, "description"),
    info: mapSame(wiki.info, (row, index) => withFields(row, { value: change(row.value, `info[${index}].value`) })),
    suppliers: mapSame(wiki.suppliers, (row, index) => mapStrings(row, `suppliers[${index}]`, change)),
    tree: mapStrings(wiki.tree, "tree", change),
    html: change(wiki.html, "html"),
  });
}

/** Which host gives way to which. */
export interface Replacement {
  readonly from: Host;
  readonly to: Host;
  /** Addresses that stay as they are although they are at that host. */
  readonly keeps: (address: string) => boolean;
}

/**
 * A whole address, so that one inside of another (a web archive's) is not taken for one of its own.
 * Without a scheme only where an address can begin: behind a bracket, a pipe or a quote, or at the
 * beginning.
 */
const ADDRESS =
  /(?<scheme>https?:|(?<=^|[[|"'=(]))\/\/(?<user>[^\s/?#@|[\]<>"']*@)?(?<name>[\p{L}\p{N}_](?:[\p{L}\p{N}._-]*[\p{L}\p{N}_])?)(?::(?<port>\d+))?[^\s|[\]<>"']*/giu;

/**
 * The text with every address of one host at another; scheme, user, path and all else stay. The
 * very same string without one.
 */
function replaceInText(text: string, { from, to, keeps }: Replacement): string {
  if (!text.toLowerCase().includes(from.name)) return text;
  return text.replaceAll(ADDRESS, (address: string, ...rest: readonly unknown[]) => {
    const { scheme = "", user = "", name = "", port } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    if (!isHost(from, { name, port: port ?? "" }, scheme) || keeps(address)) return address;
    const start = `${scheme}//${user}`;
    const length = start.length + name.length + (port === undefined ? 0 : port.length + 1);
    return start + writeHost(to) + address.slice(length);
  });
}
