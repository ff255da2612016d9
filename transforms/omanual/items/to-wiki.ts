import type { Wiki } from "../../../src/core/model/item.js";
import { categoryName } from "../bundle.js";
import type { Manual, ManualCategory } from "../manual.js";
import { readProductDate } from "../values.js";
import { ancestorsOf, type Converting, flagIds, keysOf, parentOf, remark } from "./converting.js";
import { pageText, pickDocument, pickImage, plainWords } from "./texts-and-media.js";

/** Total. Sites derive guides, solutions and children themselves. */
export function toWiki(manual: ManualCategory, converting: Converting): Wiki {
  const title = categoryName(manual, converting.path);
  reportParts(manual, converting);
  return {
    ...emptyCategory(title, manual.locale || "en"),
    displayTitle: manual.title === null || manual.title === title ? null : manual.title || null,
    contents: pageText(manual.contents, "contents", converting),
    html: manual.contents?.html ?? "",
    description: plainWords(manual.description?.html ?? ""),
    image: manual.image === null ? null : pickImage(manual.image, "image", converting),
    flags: flagIds(manual.flags, converting),
    documents: keysOf(manual.documents, (document, index) => pickDocument(document, `documents[${index}]`, converting)),
    info: INFOS.flatMap(({ name, field, read }) => {
      const value = read(manual[field] ?? "");
      return value === "" ? [] : [{ name, value }];
    }),
    parent: parentOf(manual, converting),
  };
}

const INFOS = [
  { name: "Manufacturer", field: "manufacturer", read: (value: string) => value.trim() },
  { name: "Introduced", field: "introduced", read: readProductDate },
  { name: "Discontinued", field: "discontinued", read: readProductDate },
] as const;

export function emptyCategory(title: string, language: string): Wiki {
  return {
    id: null,
    namespace: "CATEGORY",
    language,
    title,
    displayTitle: null,
    contents: "",
    tree: null,
    html: "",
    description: "",
    image: null,
    flags: [],
    documents: [],
    tags: [],
    info: [],
    suppliers: [],
    tableOfContents: null,
    pageTitle: null,
    parent: null,
    position: null,
    author: null,
    createdDate: null,
    modifiedDate: null,
    url: null,
  };
}

/** The write API has no field for them (omanual 10). */
function reportParts({ parts, tools, at }: ManualCategory, converting: Converting): void {
  for (const [path, list] of [
    ["parts", parts],
    ["tools", tools],
  ] as const) {
    if (list.length === 0) continue;
    const what = `sites do not have ${path} of a category: ${list
      .slice(0, 5)
      .map(({ name }) => name)
      .join(", ")}${list.length > 5 ? " …" : ""}`;
    remark(converting, { code: `category-${path}`, level: "loss", path, what }, at);
  }
}

export class Places {
  readonly #described = new Set<string>();
  readonly #parents = new Map<string, string | null>();

  note(manual: Manual, path: string): void {
    if (manual.kind === "category")
      this.#noteCategory(categoryName(manual, path), ancestorsOf(manual), manual.children);
    // A manifest's category is the parent of its page, whose own document names it.
    if (manual.kind === "guide") this.place(manual.categories[0] ?? "", null);
  }

  /** Keeps a parent that is known already. */
  place(title: string, parent: string | null): void {
    const name = title.trim();
    if (name !== "" && (this.#parents.get(name) ?? null) === null && parent !== name) this.#parents.set(name, parent);
  }

  bare(): readonly { readonly title: string; readonly parent: string | null }[] {
    return [...this.#parents]
      .filter(([title]) => !this.#described.has(title))
      .map(([title, parent]) => ({ title, parent: this.#isCircle(title) ? null : parent }));
  }

  #noteCategory(name: string, ancestors: readonly string[], children: readonly string[]): void {
    this.#described.add(name);
    this.#parents.set(name, ancestors[0] ?? null);
    for (const [index, ancestor] of ancestors.entries()) this.place(ancestor, ancestors[index + 1] ?? null);
    for (const child of children) this.place(child, name);
  }

  /** Documents can contradict each other; a category above itself moves to the top. */
  #isCircle(title: string): boolean {
    const seen = new Set([title]);
    for (let at = this.#parents.get(title); at != null; at = this.#parents.get(at)) {
      if (at === title) return true;
      if (seen.has(at)) return false;
      seen.add(at);
    }
    return false;
  }
}
