import { createHash } from "node:crypto";
import type { Source } from "../../core/contracts.js";
import { FerryError } from "../../core/errors.js";
import { factsOf } from "../../core/model/call.js";
import { type Key, type Kind, kindOf } from "../../core/model/key.js";
import { objectIn } from "../../core/util/json.js";
import type { Body, Loaded, Operation, SentWrite, Written } from "../../core/writing.js";
import { type MergePreview, previewMerge } from "../../service/target/merge.js";
import { sameField } from "../../service/wire/compared-fields.js";
import { FIELD_KINDS, FIELD_WORDS, type ReadableNames, readableField } from "../../service/wire/readable-field.js";
import type { Scratch } from "../../storage/workspace/scratch.js";
import type { LoadJob } from "../load/load-job.js";
import { storedMedia } from "../stored-media.js";
import type { TextChange } from "./draft.js";

interface Found {
  readonly item: Key;
  readonly loaded: Loaded;
  /** undefined: nothing, or not read. */
  readonly remote: readonly Written[] | undefined;
}

export class TextChanges {
  readonly #job: Pick<LoadJob, "workspace" | "ledger" | "options">;
  readonly #madeUp: (id: string) => Key | undefined;
  readonly #images: EqualImages;

  constructor(
    job: Pick<LoadJob, "workspace" | "ledger" | "options" | "control">,
    madeUp: (id: string) => Key | undefined,
    reader: Source | undefined,
  ) {
    this.#job = job;
    this.#madeUp = madeUp;
    this.#images = new EqualImages(job, reader);
  }

  async of(operation: Operation, sent: readonly SentWrite[], found: Found): Promise<readonly TextChange[]> {
    const { call } = operation;
    const part = PART.exec(operation.label)?.[1] ?? "";
    const { change: own, thing: ofThing } = factsOf(call);
    const whole = own?.(call);
    if (whole !== undefined) return whole === null ? [] : [{ part: "", ...whole }];
    if (call.verb === "order-steps") return this.#order(call.steps, found);
    const thing = ofThing?.(call);
    if (thing === undefined) return [];
    const before = await this.#before(thing, found);
    const isDeleted = call.verb === "delete-step";
    // The service can't rename a page, and no answer has its title in the body.
    const { title, ...rest } = isDeleted ? EMPTIED(before) : bodyOf(sent);
    const isNamed = title === undefined || (call.verb === "save-wiki" && Object.keys(before).length > 0);
    const json = isNamed ? rest : { title, ...rest };
    if (isDeleted) return this.#fields(part === "" ? "deleted step" : part, before, json);
    const { send, stay } = await this.#previewMerge(thing, json, found);
    const stays = this.#job.options.onConflict === "merge" ? "clash" : "edited";
    const staying = await this.#fields(part, before, stay);
    return [...(await this.#fields(part, before, send)), ...staying.map((change) => ({ ...change, stays }) as const)];
  }

  async #previewMerge(thing: Key, send: Body, { loaded, remote }: Found): Promise<MergePreview> {
    const there = remote?.find(({ key }) => key === thing);
    const ours = loaded.written.get(thing);
    if (there === undefined || ours === undefined || ours.adopted) return { send, stay: {} };
    const left = await this.#job.ledger.left(thing);
    return previewMerge({ onConflict: this.#job.options.onConflict, ours, left, remote: there, send });
  }

  async #fields(part: string, before: Body, after: Body): Promise<readonly TextChange[]> {
    const changes: TextChange[] = [];
    const known = Object.keys(FIELD_WORDS).filter((field) => field in after);
    for (const field of known) {
      if (sameField(field, before[field], after[field])) continue;
      const named = field in FIELD_KINDS || field === "media";
      const names = await this.#names(named ? before[field] : [], named ? after[field] : []);
      const [one, other] = [readableField(field, before[field], names), readableField(field, after[field], names)];
      if (one !== other) changes.push({ part, field: FIELD_WORDS[field] ?? field, before: one, after: other });
    }
    return changes;
  }

  /** Names steps by their titles, or by their first line. */
  async #order(steps: readonly Key[], { item, remote }: Found): Promise<readonly TextChange[]> {
    const stored = await this.#job.workspace.items.get(item);
    const known = new Map(stored?.kind === "guide" ? stored.body.steps.map((step) => [step.key, step]) : []);
    const named = (key: Key): string => {
      const { title = "", lines = [] } = known.get(key) ?? {};
      const text = title === "" ? (lines[0]?.text ?? "") : title;
      return text === "" ? key : `${key} ${JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)}`;
    };
    const left = remote?.flatMap(({ key }) => (kindOf(key) === "step" ? [key] : [])) ?? [];
    const [before, after] = [left.map(named).join("\n"), steps.map(named).join("\n")];
    return [{ part: "", field: "order of steps", before, after }];
  }

  async #before(thing: Key, { remote }: Found): Promise<Body> {
    const remoteBody = remote?.find(({ key }) => key === thing)?.body;
    return remoteBody ?? (remote === undefined ? await this.#job.ledger.left(thing) : undefined) ?? {};
  }

  /** Looks ids up first, since the conversion to text is synchronous. */
  async #names(before: unknown, after: unknown): Promise<ReadableNames> {
    const keys = new Map<string, Key>();
    const [old, fresh] = [idsIn(before), idsIn(after)];
    const ids = new Set([...old, ...fresh]);
    for (const kind of NAMED) {
      for (const id of ids) {
        const key = this.#madeUp(id) ?? (await this.#job.ledger.keyOf(kind, id));
        if (key !== undefined && kindOf(key) === kind) keys.set(`${kind} ${id}`, key);
      }
    }
    const sent = fresh.flatMap((id) => keys.get(`image ${id}`) ?? []);
    for (const id of old) {
      const same = keys.has(`image ${id}`) ? undefined : await this.#images.among(id, sent);
      if (same !== undefined) keys.set(`image ${id}`, same);
    }
    return {
      named: (kind, id) => {
        const key = keys.get(`${kind} ${id}`);
        return key === undefined ? `${kind} ${id} on the target` : this.#nameOf(key);
      },
      text: (text) => text.replace(/\d+/g, (id) => this.#shown(id)),
    };
  }

  #shown(id: string): string {
    const key = id.length < MADE_UP_DIGITS ? undefined : this.#madeUp(id);
    return key === undefined ? id : `‹${key}›`;
  }

  #nameOf(key: Key): string {
    const title = this.#job.workspace.items.entry(key)?.title;
    return title === undefined ? key : `${key} "${title}"`;
  }
}

function idsIn(value: unknown): readonly string[] {
  return [...new Set(JSON.stringify(value ?? null).match(/\d+/g) ?? [])];
}

const NAMED: readonly Kind[] = ["guide", "image", "video", "document"];
const MADE_UP_DIGITS = 7;
const SHOWN = 40;
const PART = /, (step \d+)$/;
const EMPTIED = (before: Body): Body =>
  Object.fromEntries(Object.keys(before).map((field) => [field, Array.isArray(before[field]) ? [] : ""]));

function bodyOf(sent: readonly SentWrite[]): Body {
  return Object.assign({}, ...sent.map(({ json }) => objectIn(json)));
}

const TOPIC = "plan picture";

/**
 * Matches images of the target by their bytes: a site gives some of them other ids, and others may
 * have uploaded the same.
 */
class EqualImages {
  readonly #job: Pick<LoadJob, "workspace" | "control">;
  readonly #reader: Source | undefined;

  /** `reader`: the target as a source; undefined: no image matches. */
  constructor(job: Pick<LoadJob, "workspace" | "control">, reader: Source | undefined) {
    job.workspace.scratch.clear(TOPIC);
    this.#job = job;
    this.#reader = reader;
  }

  /** The image of the source with the same bytes. Downloads the target's image once for a plan. */
  async among(id: string, ours: readonly Key[]): Promise<Key | undefined> {
    for (const key of ours) {
      const content = (await storedMedia(this.#job.workspace, key))?.body.content;
      if (content !== null && content !== undefined && (await this.#hashOf(id)) === content.sha256) return key;
    }
    return undefined;
  }

  /** Empty: its bytes can't be read, so nothing matches. */
  async #hashOf(id: string): Promise<string> {
    const { scratch } = this.#job.workspace;
    const known = scratch.get(TOPIC, id);
    if (known !== undefined) return known;
    const hash = await this.#read(id);
    scratch.put(TOPIC, id, hash);
    return hash;
  }

  async #read(id: string): Promise<string> {
    const { abort } = this.#job.control;
    const use = { key: `image/${id}`, url: null, guid: null, fileName: null, path: "" } as const;
    try {
      const item = await this.#reader?.readMedia(use, abort);
      if (item?.kind !== "image" || this.#reader === undefined) return "";
      const { content } = await this.#reader.open(item.body.url, 0, abort);
      const hash = createHash("sha256");
      for await (const bytes of content as AsyncIterable<Buffer>) hash.update(bytes);
      return hash.digest("hex");
    } catch (error) {
      if (error instanceof FerryError && !abort.aborted) return "";
      throw error;
    }
  }
}

const WANTED = "plan wanted";

/** The bodies that a plan would send, by thing, for items with remote edits. */
export class WantedBodies {
  readonly #scratch: Scratch;

  constructor(scratch: Scratch) {
    scratch.clear(WANTED);
    this.#scratch = scratch;
  }

  note({ call }: Operation, sent: readonly SentWrite[]): void {
    const { thing: ofThing, wanted } = factsOf(call);
    const thing = ofThing?.(call);
    if (thing === undefined) return;
    const bodies = sent.map(({ json }) => objectIn(json));
    this.#scratch.put(
      WANTED,
      thing,
      JSON.stringify([...this.of(thing), ...bodies.map((body) => wanted?.(call, body) ?? body)]),
    );
  }

  /** In the names of `writable`; `gone`: to be deleted. */
  of(thing: Key): readonly Body[] {
    return JSON.parse(this.#scratch.get(WANTED, thing) ?? "[]") as readonly Body[];
  }
}
