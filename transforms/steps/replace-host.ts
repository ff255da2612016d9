import { z } from "zod";
import type { TransformSpec } from "../../src/core/formats.js";
import type { CodeTable } from "../../src/core/model/issue-codes.js";
import type { Guide, Item, Step, Wiki } from "../../src/core/model/item.js";
import { readOwnAddress } from "../references/site-addresses.js";
import { mapSame, mapStrings, mapTexts, withFields } from "./map-texts.js";

/** In lower case. */
interface Host {
  readonly name: string;
  /** Empty: none. */
  readonly port: string;
}

const HOST = /^[\p{L}\p{N}_](?:[\p{L}\p{N}._-]*[\p{L}\p{N}_])?(?::\d{1,5})?$/u;

/** `old.example` or `old.example:8080` */
const hostSchema = z
  .string("expected a host such as old.example or old.example:8080")
  .regex(HOST, "expected a host such as old.example or old.example:8080, without https:// and path");

function readHost(text: string): Host {
  const colon = text.indexOf(":");
  const name = colon < 0 ? text : text.slice(0, colon);
  return { name: name.toLowerCase(), port: colon < 0 ? "" : text.slice(colon + 1) };
}

/** Without a port the scheme's default port is meant: another port is another service. */
function isHost(host: Host, given: Host, scheme: string): boolean {
  const own = scheme.toLowerCase() === "http:" ? "80" : "443";
  return given.name.toLowerCase() === host.name && (given.port || own) === (host.port || own);
}

function writeHost({ name, port }: Host): string {
  return port === "" ? name : `${name}:${port}`;
}

const options = z.strictObject({ from: hostSchema, to: hostSchema });

const CODES = {
  "host-replaced": ["note", "Addresses of the replaced host lead to the other host."],
} as const satisfies CodeTable;

/**
 * `replace-host`: replaces a host in all addresses of an item, except in references to the source,
 * which the load rewrites; with another host they would lead to unrelated content.
 */
export const replaceHost: TransformSpec<z.infer<typeof options>, keyof typeof CODES> = {
  name: "replace-host",
  about: "replace one host in addresses: from=old.example,to=new.example",
  options,
  codes: CODES,
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
  return `Addresses of ${writeHost(from)} lead to ${writeHost(to)}.`;
}

type Change = (text: string, path: string) => string;

/** Fields other than wiki texts, except the item's origin. */
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

export interface Replacement {
  readonly from: Host;
  readonly to: Host;
  /** Addresses at that host that stay. */
  readonly keeps: (address: string) => boolean;
}

/**
 * Whole addresses only: an address within another one stays. Without a scheme only at the
 * beginning, or behind a bracket, a pipe or a quote.
 */
const ADDRESS =
  /(?<scheme>https?:|(?<=^|[[|"'=(]))\/\/(?<user>[^\s/?#@|[\]<>"']*@)?(?<name>[\p{L}\p{N}_](?:[\p{L}\p{N}._-]*[\p{L}\p{N}_])?)(?::(?<port>\d+))?[^\s|[\]<>"']*/giu;

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
