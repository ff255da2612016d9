import type { SiteModule } from "../../core/training.js";

/** The modules of a site as they were listed at the start of a run, kept up to date with what the run makes. */
export class SiteList {
  #modules = new Map<string, SiteModule>();
  #titles = new Map<string, Set<string>>();
  /** Made by this run; a site may not list them. */
  readonly #own = new Map<string, SiteModule>();

  constructor(modules: readonly SiteModule[]) {
    this.replace(modules);
  }

  /** A newer answer of the site. */
  replace(modules: readonly SiteModule[]): void {
    this.#modules = new Map();
    this.#titles = new Map();
    for (const module of [...this.#own.values(), ...modules]) this.#put(module);
  }

  /** A module that this run made. */
  add(module: SiteModule): void {
    this.#own.set(module.id, module);
    this.#put(module);
  }

  get isEmpty(): boolean {
    return this.#modules.size === 0;
  }

  get(id: string): SiteModule | undefined {
    return this.#modules.get(id);
  }

  /** Those of the same title. */
  alike(title: string): readonly SiteModule[] {
    const ids = this.#titles.get(foldTitle(title)) ?? [];
    return [...ids].flatMap((id) => this.#modules.get(id) ?? []);
  }

  #put(module: SiteModule): void {
    this.#modules.set(module.id, module);
    const title = foldTitle(module.title);
    const ids = this.#titles.get(title) ?? new Set();
    this.#titles.set(title, ids.add(module.id));
  }
}

/** Of longer titles a site, or what reads its list, may keep the beginning alone. */
const LONGEST = 250;

/** Titles that count as one: a site may trim them, and people write them now so, now so. */
export function foldTitle(title: string): string {
  return title.slice(0, LONGEST).normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase();
}
