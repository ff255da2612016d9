import { onTestFinished } from "vitest";
import type { Source } from "../../src/core/contracts.js";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.js";
import { Secret } from "../../src/service/http/secret.js";
import { createStack, type Stack } from "../../src/service/http/stack.js";
import type { SourceOptions } from "../../src/service/source/session.js";
import { createSource } from "../../src/service/source/source.js";
import { openWorkspace, type Workspace } from "../../src/storage/workspace/workspace.js";
import type { Control, ProgressEvent } from "../../src/sync/control.js";
import { CircuitBreaker, type FailureLimit } from "../../src/sync/control.js";
import { extract } from "../../src/sync/extract/extract.js";
import type { ExtractOptions } from "../../src/sync/extract/run.js";
import type { ExtractSummary } from "../../src/sync/extract/summary.js";
import { EVERYTHING, type Selection } from "../../src/sync/selection.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

/** A sandbox, a source for it, and a workspace: all real. */
export interface ExtractSite {
  readonly sandbox: Sandbox;
  readonly source: Source;
  readonly workspace: Workspace;
  readonly folder: string;
  readonly events: ProgressEvent[];
  run(more?: RunOptions): Promise<ExtractSummary>;
}

export interface RunOptions {
  readonly selection?: Partial<Selection>;
  readonly options?: ExtractOptions;
  readonly control?: Partial<Control>;
  readonly limit?: FailureLimit;
  readonly source?: Source;
}

export const SAMPLE_SITE = new URL("../../samples/site", import.meta.url).pathname;
export const REAL_SITE = new URL("../../../shared/data/ose", import.meta.url).pathname;

export async function startSite(
  site: SandboxOptions = {},
  options: Partial<SourceOptions> & { readonly anonymous?: boolean } = {},
): Promise<ExtractSite> {
  const sandbox = await startSandbox(site);
  onTestFinished(() => sandbox.close());
  const source = sourceOf(sandbox, options);
  const folder = await temporaryFolder();
  const workspace = await openWorkspace(folder, { create: true, command: "guideferry extract", wait: () => 1 });
  onTestFinished(() => workspace.close());
  const events: ProgressEvent[] = [];
  return { sandbox, source, workspace, folder, events, run: (more = {}) => run({ source, workspace, events }, more) };
}

/** A source with a transport of its own, which waits only a moment between tries. */
export function sourceOf(
  sandbox: Pick<Sandbox, "url" | "token">,
  { anonymous = false, ...options }: Partial<SourceOptions> & { readonly anonymous?: boolean } = {},
): Source {
  const stack: Stack = createStack({
    root: sandbox.url,
    credentials: anonymous ? { kind: "none" } : { kind: "token", token: new Secret(sandbox.token), scheme: "api" },
    variables: "GUIDEFERRY_SOURCE",
    concurrency: 4,
    environment: {},
    retry: { tries: 6, firstDelay: 1, longestDelay: 5 },
  });
  onTestFinished(() => stack.close());
  const { client, openMedia } = stack;
  return createSource({
    client,
    openMedia,
    name: "source",
    options: { imageDetails: false, format: "json", languages: [], ...options },
  });
}

function run(site: Pick<ExtractSite, "source" | "workspace" | "events">, more: RunOptions): Promise<ExtractSummary> {
  const never = new AbortController().signal;
  return extract({
    source: more.source ?? site.source,
    workspace: site.workspace,
    selection: { ...EVERYTHING, ...more.selection },
    options: more.options ?? {},
    control: {
      stop: never,
      abort: never,
      concurrency: 4,
      progress: (event) => void site.events.push(event),
      breaker: new CircuitBreaker(more.limit),
      ...more.control,
    },
  });
}

/** Deletes all other guides. */
export function keepGuides(sandbox: Sandbox, kept: readonly number[]): void {
  const ids = new Set(sandbox.state().guides.map(({ guideid }) => Number(guideid)));
  for (const id of ids) if (!kept.includes(id)) sandbox.edit.deleteGuide(id);
}
