import type { Element, Root } from "hast";
import { fromHtml } from "hast-util-from-html";
import { BuiltCatalogue } from "../../../../../src/web/reader/build-catalogue.js";
import type { Library } from "../../../../../src/web/reader/library.js";
import { renderPage } from "../../../../../src/web/reader/pages/render-page.js";
import type { PageContext, RenderedPage } from "../../../../../src/web/reader/pages/scope.js";
import { type MemorySnapshotParts, memorySnapshot } from "./memory-snapshot.js";

export interface MadePage {
  readonly status: number;
  readonly html: string;
  /** What one reads, blanks as one. */
  readonly words: string;
  /** Elements of these names, in the order of the page; all without names. */
  all(...names: readonly string[]): readonly Element[];
}

export type Times = readonly [now: Omit<MemorySnapshotParts, "id">, ...before: Omit<MemorySnapshotParts, "id">[]];

/** Makes a page of the first of these times; the others came before it, `old1` just before. */
export async function madePage(times: Times, path: string, mode: PageContext["mode"] = "server"): Promise<MadePage> {
  const { status, html } = await renderedPage(times, path, mode);
  const tree = fromHtml(html);
  return {
    status,
    html,
    words: wordsOf(tree).replace(/\s+/g, " ").trim(),
    all: (...names) => elementsOf(tree).filter(({ tagName }) => names.length === 0 || names.includes(tagName)),
  };
}

/** The same without reading it. */
export async function renderedPage(
  times: Times,
  path: string,
  mode: PageContext["mode"] = "server",
): Promise<RenderedPage> {
  const snapshots = times.map((parts, at) => memorySnapshot({ ...parts, id: at === 0 ? "now" : `old${at}` }));
  const [snapshot] = snapshots;
  if (snapshot === undefined) throw new Error("there is no time");
  const library: Library = {
    path: "/somewhere/archive",
    remarks: [],
    snapshots: snapshots.map(({ facts }) => facts).reverse(),
    at: async (id) => snapshots.find(({ facts }) => facts.id === id),
    close: async () => undefined,
  };
  const catalogue = await BuiltCatalogue.build({ snapshot, signal: new AbortController().signal });
  await catalogue.read;
  return renderPage({ library, snapshot, catalogue, mode }, path);
}

/** What one reads inside of an element. */
export function wordsOf(node: Root | Element): string {
  return node.children
    .map((child) => (child.type === "text" ? child.value : child.type === "element" ? wordsOf(child) : ""))
    .join(" ");
}

export function elementsOf(node: Root | Element): readonly Element[] {
  return node.children.flatMap((child) => (child.type === "element" ? [child, ...elementsOf(child)] : []));
}

/** An attribute as text; undefined: it has none of this name. */
export function attribute({ properties }: Element, name: string): string | undefined {
  const value = properties[name];
  return value === undefined || value === null || value === false ? undefined : String(value);
}

/** Elements of a class. */
export function ofClass(page: MadePage, name: string): readonly Element[] {
  return page.all().filter(({ properties }) => [properties["className"]].flat().includes(name));
}
