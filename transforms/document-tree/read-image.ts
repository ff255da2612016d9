import { writableAddress } from "../settle/address-link.js";
import type { Leaf, LeafMark } from "../settle/leaf.js";
import type { ReadNode } from "./read-node.js";
import { report, type Spot } from "./reading.js";

/**
 * An image by its id, with its place and size as the vendor writes them, always both (wiki-syntax 5). An image that is only an
 * address becomes a link to it.
 */
export function readImage({ attributes }: ReadNode, spot: Spot, marks: readonly LeafMark[]): readonly Leaf[] {
  const id = String(attributes["imageid"] ?? attributes["imageId"] ?? "").trim();
  const { src, alt } = attributes;
  const isOfSite = /^\d+$/.test(id);
  const href = typeof src === "string" ? writableAddress(src) : undefined;
  const label = !isOfSite && href !== undefined && typeof alt === "string" && alt.trim() !== "" ? alt : undefined;
  const others = Object.entries(attributes).filter(
    ([name, value]) => !KNOWN.has(name) && isSaid(value) && value !== label,
  );
  for (const [name, value] of others) {
    report(
      spot,
      "image-field",
      "loss",
      `The wiki syntax has no "${name}" of images; ${JSON.stringify(value)} is left out.`,
    );
  }
  if (isOfSite) return [{ type: "image", id, parameters: parametersOf(attributes, spot), marks }];
  if (href === undefined) {
    report(spot, "image-without-id", "loss", "An image has neither an id nor an address to link to; it is left out.");
    return [];
  }
  report(spot, "image-without-id", "loss", `An image has no id of the site; it is a link to ${href} now.`);
  const link: LeafMark = { type: "link", href, newWindow: false };
  return [{ type: "text", value: label ?? "image", marks: [...marks.filter(({ type }) => type !== "link"), link] }];
}

const KNOWN: ReadonlySet<string> = new Set(["imageid", "imageId", "src", "size", "align"]);

function isSaid(value: unknown): boolean {
  return value !== null && value !== undefined && value !== "" && value !== false;
}

/** In the vendor's order. */
const DEFAULTS = { align: "left", size: "standard" } as const;

function parametersOf(attributes: ReadNode["attributes"], spot: Spot): Readonly<Record<string, string>> {
  const values = Object.entries(DEFAULTS).map(([name, otherwise]) => {
    const value = attributes[name] ?? otherwise;
    if (typeof value === "string" && /^[\w-]+$/.test(value)) return [name, value];
    report(
      spot,
      "image-field",
      "loss",
      `An image's ${name} cannot be ${JSON.stringify(value)}; it is ${otherwise} now.`,
    );
    return [name, otherwise];
  });
  return Object.fromEntries(values);
}
