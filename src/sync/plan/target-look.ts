import { isEmptyPage } from "../../service/target/handlers/save-wiki.js";
import { titleAtTarget } from "../../service/target/paths.js";
import { idUnder } from "../../service/target/wiki-title.js";
import type { Loaded, Source, Written } from "../../core/contracts.js";
import { type Key, kindOf, restOf, wikiOf } from "../../core/model/key.js";
import type { LoadJob } from "../load-job.js";
import type { PlannedPlace } from "../planned-item.js";
import type { Absences } from "./absences.js";
import type { Draft } from "./draft.js";
import { editedThings } from "./edited-things.js";
import { TargetView } from "./target-view.js";

/** What a plan has to know of the target, item by item. */
export class TargetLook {
  readonly #job: LoadJob;
  readonly #anew: Absences["anew"];
  readonly #view: TargetView | undefined;

  constructor(job: LoadJob, reader: Source | undefined, { anew }: Pick<Absences, "anew">) {
    this.#job = job;
    this.#anew = anew;
    this.#view = reader === undefined ? undefined : new TargetView(job, reader);
  }

  /** Throws where nobody was given to look. */
  view(): TargetView {
    if (this.#view === undefined) throw new TypeError("a plan without a reader");
    return this.#view;
  }

  /** The id that a page has there. */
  idOf(key: Key): string {
    return idUnder(key, this.#job.outlook.titles.get(key)) ?? restOf(key);
  }

  /** Is it a page that was there before us? */
  async standsThere(key: Key, loaded: Loaded): Promise<boolean> {
    if (kindOf(key) === "guide" || loaded.written.has(key)) return false;
    return this.#job.target.holds(key, this.idOf(key), this.#job.control.abort);
  }

  /** Is it a page that the site made, empty, beside a guide of ours? Only a reader tells. */
  async isMadeBesideGuide(key: Key): Promise<boolean> {
    if (this.#view === undefined || kindOf(key) !== "wiki" || wikiOf(key).namespace !== "ITEM") return false;
    const id = this.idOf(key);
    if (!(await this.#job.ledger.namesPart(titleAtTarget(key, id)))) return false;
    const [page] = (await this.#view.present(key, id)) ?? [];
    return page?.body !== undefined && isEmptyPage(page.body);
  }

  /** Notes what it is written over, and whether somebody edited that. Gives what stands there; undefined: nothing, or nobody was given to look. */
  async at(draft: Draft, loaded: Loaded): Promise<readonly Written[] | undefined> {
    const { item } = draft;
    const ours = loaded.written.get(item);
    const known = ours?.id ?? this.#anew.get(item);
    // A new guide gets an id that nothing has: nothing has to be missing for it.
    if (this.#view === undefined || (known === undefined && kindOf(item) === "guide")) return undefined;
    const id = known ?? this.idOf(item);
    draft.places = await this.placesOf(item, id);
    const present = await this.presentOf(draft);
    if (ours !== undefined && !ours.adopted) draft.edited = editedThings(item, present, loaded);
    return present;
  }

  /** Where something stands, or has to be missing. */
  async placesOf(key: Key, id: string): Promise<readonly PlannedPlace[]> {
    return this.#view === undefined ? [] : [{ key, id, token: await this.#view.tokenOf(key, id) }];
  }

  /** What stands there, once more. */
  async presentOf({ places: [place], action }: Draft): Promise<readonly Written[] | undefined> {
    if (place === undefined || place.token === null || action === "create") return undefined;
    return this.#view?.present(place.key, place.id);
  }
}
