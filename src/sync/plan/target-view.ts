import type { Source } from "../../core/contracts.js";
import type { Item } from "../../core/model/item.js";
import { type Key, kindOf, restOf, wikiKey, wikiOf } from "../../core/model/key.js";
import { digest } from "../../core/util/json.js";
import type { Loaded, Written } from "../../core/writing.js";
import { idUnder, titleAtTarget } from "../../service/target/identity.js";
import { isEmptyPage } from "../../service/target/wiki.js";
import { writtenFromRemote } from "../../service/target/written-body.js";
import type { LoadJob } from "../load/load-job.js";
import type { PlannedPlace } from "../load/planned-item.js";
import type { Draft } from "./draft.js";

const LISTED = "plan target list";

class TargetView {
  readonly #job: Pick<LoadJob, "workspace" | "ledger" | "control">;
  readonly #reader: Source;
  #guides: Promise<void> | undefined;

  constructor(job: Pick<LoadJob, "workspace" | "ledger" | "control">, reader: Source) {
    this.#job = job;
    this.#reader = reader;
  }

  /**
   * null: it does not exist. The token of a guide is that of the list, which costs one request for
   * hundreds of guides. That of a page is a digest of its content, since lists of pages have none
   * on some sites.
   */
  async tokenOf(key: Key, id: string): Promise<string | null> {
    const listed = kindOf(key) === "guide" ? await this.#listed(id) : undefined;
    if (listed !== undefined) return listed;
    const item = await this.#read(key, id);
    if (item === undefined) return null;
    const remoteOf = await this.#written(key, item);
    // No revision covers tags (api-facts 4.6).
    const tags = "tags" in item.body ? item.body.tags : [];
    return digest([remoteOf.map(({ revision, left, body }) => [revision, left, body]), tags]);
  }

  /**
   * The remote state as the ledger would record it, the thing itself first; undefined: it does not
   * exist.
   */
  async remoteOf(key: Key, id: string): Promise<readonly Written[] | undefined> {
    const item = await this.#read(key, id);
    return item === undefined ? undefined : this.#written(key, item);
  }

  async #written(key: Key, item: Item): Promise<readonly Written[]> {
    const keys = new Map<Key, Key>();
    for (const step of item.kind === "guide" ? item.body.steps : []) {
      const known = await this.#job.ledger.keyOf("step", restOf(step.key));
      if (known !== undefined) keys.set(step.key, known);
    }
    return writtenFromRemote(item, key, (step) => keys.get(step) ?? step);
  }

  async #read(key: Key, id: string): Promise<Item | undefined> {
    // With the row of the list, a read needs no request for tags.
    if (kindOf(key) === "guide") await this.#list();
    const at: Key = kindOf(key) === "guide" ? `guide/${id}` : wikiKey(wikiOf(key).namespace, titleAtTarget(key, id));
    return this.#reader.read(at, this.#job.control.abort);
  }

  async #listed(id: string): Promise<string | undefined> {
    await this.#list();
    return this.#job.workspace.scratch.get(LISTED, `guide/${id}`);
  }

  #list(): Promise<void> {
    this.#guides ??= this.#sweep();
    return this.#guides;
  }

  async #sweep(): Promise<void> {
    const { workspace, control } = this.#job;
    workspace.scratch.clear(LISTED);
    const asked = { kinds: new Set(["guide"] as const), includePrivate: true, since: null };
    for await (const { key, revision } of this.#reader.list(asked, control.abort)) {
      workspace.scratch.put(LISTED, key, revision);
      workspace.runs.beat();
    }
  }
}

export class TargetLook {
  readonly #job: Pick<LoadJob, "ledger" | "target" | "preview" | "control">;
  readonly #recreated: Absences["recreated"];
  readonly #view: TargetView | undefined;

  constructor(
    job: Pick<LoadJob, "workspace" | "ledger" | "target" | "preview" | "control">,
    reader: Source | undefined,
    { recreated }: Pick<Absences, "recreated">,
  ) {
    this.#job = job;
    this.#recreated = recreated;
    this.#view = reader === undefined ? undefined : new TargetView(job, reader);
  }

  /** Throws without a reader. */
  view(): TargetView {
    if (this.#view === undefined) throw new TypeError("a plan without a reader");
    return this.#view;
  }

  idOf(key: Key): string {
    return idUnder(key, this.#job.preview.titles.get(key)) ?? restOf(key);
  }

  /** A page that no run of this workspace created. */
  async isExistingPage(key: Key, loaded: Loaded): Promise<boolean> {
    if (kindOf(key) === "guide" || loaded.written.has(key)) return false;
    return this.#job.target.holds(key, this.idOf(key), this.#job.control.abort);
  }

  /**
   * An empty page that the site made for a part or tool of a loaded guide. Unknown without a
   * reader.
   */
  async isMadeBesideGuide(key: Key): Promise<boolean> {
    if (this.#view === undefined || kindOf(key) !== "wiki" || wikiOf(key).namespace !== "ITEM") return false;
    const id = this.idOf(key);
    if (!(await this.#job.ledger.namesPart(titleAtTarget(key, id)))) return false;
    const [page] = (await this.#view.remoteOf(key, id)) ?? [];
    return page?.body !== undefined && isEmptyPage(page.body);
  }

  /**
   * Notes what the write would replace, and whether somebody edited that. Returns the remote state;
   * undefined: there is none, or no reader.
   */
  async at(draft: Draft, loaded: Loaded): Promise<readonly Written[] | undefined> {
    const { item } = draft;
    const ours = loaded.written.get(item);
    const known = ours?.id ?? this.#recreated.get(item);
    // A new guide gets a new id, so nothing has to be absent.
    if (this.#view === undefined || (known === undefined && kindOf(item) === "guide")) return undefined;
    const id = known ?? this.idOf(item);
    draft.places = await this.placesOf(item, id);
    const remote = await this.remoteOf(draft);
    if (ours !== undefined && !ours.adopted) draft.edited = editedThings(item, remote, loaded);
    return remote;
  }

  async placesOf(key: Key, id: string): Promise<readonly PlannedPlace[]> {
    return this.#view === undefined ? [] : [{ key, id, token: await this.#view.tokenOf(key, id) }];
  }

  async remoteOf({ places: [place], action }: Draft): Promise<readonly Written[] | undefined> {
    if (place === undefined || place.token === null || action === "create") return undefined;
    return this.#view?.remoteOf(place.key, place.id);
  }
}

/**
 * The things of an item that somebody edited, added or deleted on the target since the last write.
 * `remote`: undefined: deleted as a whole. Added and moved steps count as edits of the guide.
 */
function editedThings(item: Key, remote: readonly Written[] | undefined, loaded: Loaded): readonly Key[] {
  if (remote === undefined) return [item];
  const there = new Map(remote.map((written) => [written.key, written]));
  const edited = new Set<Key>();
  for (const ours of loaded.written.values()) {
    const now = there.get(ours.key);
    if (now === undefined ? kindOf(ours.key) === "step" || ours.key === item : now.left !== ours.left)
      edited.add(ours.key);
  }
  const isOrdered = orderOf(loaded.written.get(item)) === orderOf(there.get(item));
  if (!isOrdered) edited.add(item);
  return [...edited];
}

function orderOf(written: Written | undefined): string {
  const steps = written?.facts["steps"];
  return Array.isArray(steps) ? steps.join() : "";
}

export interface Absences {
  readonly recreated: ReadonlyMap<Key, string>;
  /**
   * Things that a load deletes, or creates again, so that their referrers change. Steps included.
   */
  readonly changing: ReadonlySet<Key>;
}
