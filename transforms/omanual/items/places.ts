import type { Manual } from "../manual.js";
import { categoryName } from "./category-name.js";
import { ancestorsOf } from "./parent-of.js";

/** What the documents of a package say of categories that have no document of their own. */
export class Places {
  /** Titles with a document. */
  readonly #described = new Set<string>();
  readonly #parents = new Map<string, string | null>();

  /** Takes note of a document: guides name their category, categories their ancestors and children. */
  note(manual: Manual, path: string): void {
    if (manual.kind === "category")
      this.#noteCategory(categoryName(manual, path), ancestorsOf(manual), manual.children);
    // A manifest's one category is the parent of the page it is about, which that page says itself.
    if (manual.kind === "guide") this.place(manual.categories[0] ?? "", null);
  }

  /** A category of whose parent nothing better may be known. */
  place(title: string, parent: string | null): void {
    const name = title.trim();
    if (name !== "" && (this.#parents.get(name) ?? null) === null && parent !== name) this.#parents.set(name, parent);
  }

  /** Those without a document. */
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

  /** Documents may contradict each other; a category that is above itself stands at the top. */
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
