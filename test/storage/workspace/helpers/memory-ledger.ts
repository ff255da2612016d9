import type { Ledger } from "../../../../src/core/contracts.js";
import type { Issue } from "../../../../src/core/model/issue.js";
import { type Key, type Kind, kindOf, languageIn, wikiOf } from "../../../../src/core/model/key.js";
import type {
  Body,
  Loaded,
  Note,
  NoteKind,
  Operation,
  OperationOutcome,
  OperationState,
  Receipt,
  Written,
} from "../../../../src/core/writing.js";

/** The plainest ledger that keeps the contract: what the one on disk is compared with. */
export class MemoryLedger implements Ledger {
  readonly #operations = new Map<string, OperationState>();
  #written = new Map<Key, Written & { readonly item: Key }>();
  /** By item, then by source, `private guide/1`; the empty one is the checks. */
  readonly #issues = new Map<Key, Map<string, readonly Issue[]>>();
  readonly #memos = new Map<string, string>();
  readonly #left = new Map<Key, Body>();
  readonly #parts = new Set<string>();
  readonly #mapped = new Map<Key, string>();

  async begin(operation: Operation, mark: Readonly<Record<string, unknown>> | null): Promise<void> {
    this.#set(operation, { state: "begun", mark });
  }

  async done(operation: Operation, { written, missing, issues, open }: Receipt): Promise<void> {
    this.#take(operation.item, written);
    const { call } = operation;
    if (call.verb === "save-guide" && written[0]?.adopted === false)
      for (const { name } of [...call.fields.parts, ...call.fields.tools]) this.#parts.add(name);
    this.#put(operation.item, `operation ${operation.id}`, issues);
    const adopted = written[0]?.adopted === true && written[0].facts["deleted"] !== true;
    const outcome = adopted ? "adopted" : open === true ? "skipped" : "written";
    this.#set(operation, { state: "done", outcome, mark: null, error: null, missing: [...new Set(missing)].sort() });
  }

  async close(operations: Iterable<string>): Promise<void> {
    for (const id of operations) {
      const known = this.#operations.get(id);
      if (known === undefined) continue;
      this.#put(known.item, `operation ${id}`, []);
      this.#operations.set(id, { ...known, state: "done", outcome: "closed", mark: null, error: null, missing: [] });
    }
  }

  async noteRemote(item: Key, written: readonly Written[]): Promise<void> {
    this.#take(item, written);
  }

  #take(item: Key, written: readonly Written[]): void {
    const after = new Map(this.#written);
    for (const thing of written) {
      if (
        thing.facts["deleted"] === true ||
        (thing.body === undefined && thing.left !== (after.get(thing.key)?.left ?? null))
      )
        this.#left.delete(thing.key);
      else if (thing.body !== undefined) this.#left.set(thing.key, thing.body);
      if (thing.facts["deleted"] === true) after.delete(thing.key);
      else {
        refuseTwins(after, thing);
        after.set(thing.key, { ...thing, item: kindOf(thing.key) === "step" ? item : thing.key });
      }
    }
    this.#written = after;
  }

  async failed(operation: Operation, reason: string): Promise<void> {
    this.#set(operation, { state: "failed", mark: null, error: reason });
  }

  async orphans(): Promise<readonly OperationState[]> {
    return this.#inState("begun");
  }

  async loaded(item: Key): Promise<Loaded> {
    const operations = [...this.#operations].filter(([, operation]) => operation.item === item);
    const things = [...this.#written.values()].filter((thing) => thing.item === item);
    return { operations: new Map(operations), written: new Map(things.map((thing) => [thing.key, bare(thing)])) };
  }

  async outcome(operation: string): Promise<OperationOutcome | null> {
    return this.#operations.get(operation)?.outcome ?? null;
  }

  async idOf(key: Key): Promise<string | undefined> {
    return this.#written.get(key)?.id ?? this.#mapped.get(key);
  }

  async keyOf(kind: Kind, id: string): Promise<Key | undefined> {
    const there = [...this.#mapped].find(([key, other]) => kindOf(key) === kind && other === id)?.[0];
    return this.#find(kind, (thing) => thing.id === id)?.key ?? there;
  }

  async knows(kind: Kind): Promise<boolean> {
    const begun = this.#inState("begun").some(({ item }) => kindOf(item) === kind);
    return begun || [...this.#written.keys()].some((key) => kindOf(key) === kind);
  }

  async written(key: Key): Promise<Written | undefined> {
    const thing = this.#written.get(key);
    return thing === undefined ? undefined : bare(thing);
  }

  async left(key: Key): Promise<Body | undefined> {
    return this.#left.get(key);
  }

  /** What came before is of no interest to who reads the ledger. */
  async keep(): Promise<void> {
    return undefined;
  }

  async uploadOf(kind: Kind, sha256: string): Promise<Written | undefined> {
    const thing = this.#find(kind, ({ facts }) => facts["sha256"] === sha256);
    return thing === undefined ? undefined : bare(thing);
  }

  async repairable(): Promise<readonly Key[]> {
    const done = this.#inState("done").filter(({ missing }) =>
      missing.some((key) => this.#written.has(key) || this.#mapped.has(key)),
    );
    return [...new Set(done.map(({ item }) => item))];
  }

  async *waiting(): AsyncIterable<{ readonly item: Key; readonly key: Key }> {
    const rows = this.#inState("done").flatMap(({ item, missing }) => missing.map((key) => [item, key] as const));
    const names = [...new Set(rows.map((row) => JSON.stringify(row)))].sort();
    for (const name of names) {
      const [item, key] = JSON.parse(name) as readonly [Key, Key];
      yield { item, key };
    }
  }

  async namesPart(title: string): Promise<boolean> {
    return this.#parts.has(title);
  }

  async takeMap(things: Iterable<{ readonly key: Key; readonly id: string }>): Promise<void> {
    for (const { key, id } of things) this.#mapped.set(key, id);
  }

  async *mapped(): AsyncIterable<Key> {
    yield* [...this.#mapped.keys()].sort();
  }

  async failures(): Promise<readonly OperationState[]> {
    return this.#inState("failed");
  }

  async report(item: Key, issues: readonly Issue[], note?: Note): Promise<void> {
    this.#put(item, note === undefined ? "" : `${note.kind} ${note.of}`, issues);
  }

  async forgetNotes(item: Key, kind?: NoteKind): Promise<void> {
    for (const source of this.#issues.get(item)?.keys() ?? []) {
      const [found = ""] = source.split(" ");
      if (kind === undefined ? !["", "operation"].includes(found) : found === kind) this.#put(item, source, []);
    }
  }

  async *issues(item?: Key): AsyncIterable<Issue> {
    const items = [...this.#issues.keys()].sort().filter((key) => item === undefined || key === item);
    for (const key of items) {
      for (const [, issues] of [...(this.#issues.get(key) ?? [])].sort(([one], [other]) => (one < other ? -1 : 1)))
        yield* issues;
    }
  }

  #put(item: Key, source: string, issues: readonly Issue[]): void {
    this.#issues.set(item, (this.#issues.get(item) ?? new Map<string, readonly Issue[]>()).set(source, issues));
  }

  async remember(name: string, value: string): Promise<void> {
    this.#memos.set(name, value);
  }

  async recall(name: string): Promise<string | undefined> {
    return this.#memos.get(name);
  }

  async sample(count: number): Promise<readonly { readonly key: Key; readonly id: string }[]> {
    const things = [...this.#written.values()].filter(({ key }) => kindOf(key) !== "step");
    return things.slice(0, count).map(({ key, id }) => ({ key, id }));
  }

  async counts(): Promise<{ readonly begun: number; readonly done: number; readonly failed: number }> {
    const count = (state: OperationState["state"]): number => this.#inState(state).length;
    return { begun: count("begun"), done: count("done"), failed: count("failed") };
  }

  #set({ id, item, label, hash }: Operation, changes: Partial<OperationState> & Pick<OperationState, "state">): void {
    const before = { missing: [], mark: null, error: null, ...this.#operations.get(id) };
    this.#operations.set(id, { ...before, id, item, label, hash, outcome: null, ...changes });
  }

  #inState(state: OperationState["state"]): readonly OperationState[] {
    return [...this.#operations.values()].filter((operation) => operation.state === state);
  }

  #find(kind: Kind, wanted: (thing: Written) => boolean): Written | undefined {
    return [...this.#written.values()].find((thing) => kindOf(thing.key) === kind && wanted(thing));
  }
}

function refuseTwins(things: ReadonlyMap<Key, Written>, thing: Written): void {
  for (const other of things.values()) {
    const isTwin = kindOf(other.key) === kindOf(thing.key) && other.id === thing.id && other.key !== thing.key;
    if (isTwin && !maySharedId(other.key, thing.key)) throw new Error(`${thing.key} and ${other.key} would be one`);
  }
}

function maySharedId(one: Key, other: Key): boolean {
  const kind = kindOf(one);
  if (kind === "guide") return languageIn(one) !== languageIn(other);
  if (kind === "wiki") return wikiOf(one).namespace !== wikiOf(other).namespace;
  return kind !== "step" && kind !== "category";
}

function bare({ key, id, revision, left, facts, adopted }: Written): Written {
  return { key, id, revision, left, facts, adopted };
}
