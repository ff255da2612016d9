import { onTestFinished } from "vitest";
import type { Context, Ledger, Target } from "../../src/core/contracts.js";
import type { SiteIdentity } from "../../src/core/model/identity.js";
import type { Item } from "../../src/core/model/item.js";
import type { Operation, Receipt } from "../../src/core/writing.js";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.js";
import { Secret } from "../../src/service/http/secret.js";
import { createStack } from "../../src/service/http/stack.js";
import { createTarget, type TargetOptions } from "../../src/service/target/target.js";
import { SiteTexts } from "../../src/service/target/texts.js";
import { openWorkspace } from "../../src/storage/workspace/workspace.js";
import { wikiItem } from "./items.js";
import { temporaryFolder } from "./temporary-folder.js";

/** The site that the texts of a test come from. */
export const OLD_SITE: SiteIdentity = {
  root: "https://old.example/api/2.0",
  origin: "https://old.example",
  siteId: "1",
  name: "Old",
  dialect: "dozuki",
  hosts: ["old.example"],
  language: "en",
  languages: ["en"],
  account: null,
};

/** A sandbox with a target and a ledger over it: what a load works with, without its pipeline. */
export interface TargetSite {
  readonly sandbox: Sandbox;
  readonly target: Target;
  readonly ledger: Ledger;
  /** Applies one operation as the loader does: begin, apply, done. */
  apply(operation: Operation, more?: Partial<Context>): Promise<Receipt>;
  /**
   * Plans an item and applies what is not done; returns the ids of the operations that were
   * applied.
   */
  load(item: Item, more?: Partial<Context>): Promise<readonly string[]>;
  context(operation: Operation, more?: Partial<Context>): Context;
  readonly signal: AbortSignal;
  /** Requests that write, so far. */
  writes(): readonly string[];
}

export interface TargetSiteOptions {
  readonly sandbox?: SandboxOptions;
  readonly target?: Partial<TargetOptions>;
}

export async function startTargetSite(options: TargetSiteOptions = {}): Promise<TargetSite> {
  const sandbox = await startSandbox(options.sandbox ?? {});
  onTestFinished(() => sandbox.close());
  const stack = createStack({
    root: sandbox.url,
    credentials: { kind: "token", token: new Secret(sandbox.token), scheme: "api" },
    variables: "GUIDEFERRY_TARGET",
    concurrency: 4,
    environment: {},
    retry: { firstDelay: 5, longestDelay: 20 },
  });
  onTestFinished(() => stack.close());
  const signal = new AbortController().signal;
  let identity: SiteIdentity | undefined;
  const texts = new SiteTexts({ source: () => OLD_SITE, target: () => identity ?? OLD_SITE, dangling: "absolute" });
  const target = createTarget({
    name: "target",
    client: stack.client,
    texts,
    output: {},
    pollEvery: 1,
    ...options.target,
  });
  identity = (await target.survey(signal)).identity;
  const workspace = await openWorkspace(await temporaryFolder(), { create: true, command: "test" });
  onTestFinished(() => workspace.close());
  const ledger = workspace.ledger(identity);
  const context = (operation: Operation, more: Partial<Context> = {}): Context => ({
    idOf: (key) => ledger.idOf(key),
    keyOf: (kind, id) => ledger.keyOf(kind, id),
    written: (key) => ledger.written(key),
    left: (key) => ledger.left(key),
    keep: (thing, found) => ledger.keep(operation.item, thing, found),
    moves: () => false,
    addressOf: () => undefined,
    bytes: (sha256) => workspace.media.open(sha256),
    begin: (mark) => ledger.begin(operation, mark),
    remember: (name, value) => ledger.remember(name, value),
    recall: (name) => ledger.recall(name),
    ...more,
  });
  const apply = async (operation: Operation, more?: Partial<Context>): Promise<Receipt> => {
    const receipt = await target.apply(operation, context(operation, more), signal);
    await ledger.done(operation, receipt);
    return receipt;
  };
  const load = async (item: Item, more?: Partial<Context>): Promise<readonly string[]> => {
    const loaded = await ledger.loaded(item.key);
    const todo = target
      .plan(item, loaded)
      .filter((operation) => loaded.operations.get(operation.id)?.hash !== operation.hash);
    for (const operation of todo) await apply(operation, more);
    return todo.map((operation) => operation.id);
  };
  const writes = (): readonly string[] =>
    sandbox.recorded.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
  return { sandbox, target, ledger, apply, load, context, signal, writes };
}

/** A target with the category that the guides of `items.ts` stand in. */
export async function siteWithCategory(options: TargetSiteOptions = {}): Promise<TargetSite> {
  const site = await startTargetSite(options);
  await site.load(wikiItem("CATEGORY", "Looms"));
  return site;
}
