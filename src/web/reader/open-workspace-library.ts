import { EXIT, UsageError, WorkspaceError } from "../../core/errors.js";
import { inspectWorkspace, type ReadonlyWorkspace } from "../../storage/workspace/inspect.js";
import type { TimeFacts } from "./library.js";
import { MediaBeside, repositoryOf } from "./media-beside.js";
import type { LibraryOptions, OpenLibrary } from "./opened-library.js";
import { Seldom } from "./seldom.js";
import { type OtherMedia, WorkspaceShelf } from "./workspace-shelf.js";

const NOW = "now";

/**
 * A workspace as it is, also while a run is on. Media that a backup put into the archives of its repository are looked for there. Throws WorkspaceError when it
 * can't be read, or holds nothing yet (exit 10).
 */
export async function openWorkspaceLibrary(directory: string, options: LibraryOptions): Promise<OpenLibrary> {
  const workspace = await inspectWorkspace(directory);
  try {
    const { folder, remark } = await repositoryOf(workspace);
    const beside = folder === undefined ? undefined : new MediaBeside(folder, options);
    const state = new WorkspaceState(workspace, async (sha256) => beside?.find(sha256));
    return {
      path: directory,
      kind: "workspace",
      remarks: remark === undefined ? [] : [remark],
      isEncrypted: false,
      get times() {
        return [state.shelf.facts];
      },
      find: (at) => {
        if (at === undefined || at === NOW || at === "latest") return state.shelf.facts;
        throw new UsageError(`${directory} is a workspace, which has no other time than now. Leave out --at ${at}.`);
      },
      at: async (id) => (id === NOW ? state.shelf : undefined),
      refresh: async () => (state.refresh() ? CHANGED : UNCHANGED),
      close: async () => {
        await workspace.close();
        await beside?.close();
      },
    };
  } catch (error) {
    await workspace.close();
    throw error;
  }
}

const CHANGED: ReadonlySet<string> = new Set([NOW]);
const UNCHANGED: ReadonlySet<string> = new Set();

/** A workspace, with what is known of it since it changed last. */
class WorkspaceState {
  readonly #workspace: ReadonlyWorkspace;
  readonly #others: OtherMedia;
  readonly #seldom = new Seldom();
  #version: string;
  #shelf: WorkspaceShelf;

  constructor(workspace: ReadonlyWorkspace, others: OtherMedia) {
    this.#workspace = workspace;
    this.#others = others;
    this.#version = workspace.itemsVersion();
    this.#shelf = this.#newShelf();
  }

  get shelf(): WorkspaceShelf {
    return this.#shelf;
  }

  /** true: it changed. While a run writes all the time, some changes are seen a little later. */
  refresh(): boolean {
    return (
      this.#seldom.do(() => {
        const version = this.#workspace.itemsVersion();
        if (version === this.#version) return false;
        this.#version = version;
        this.#shelf = this.#newShelf();
        return true;
      }) ?? false
    );
  }

  #newShelf(): WorkspaceShelf {
    const workspace = this.#workspace;
    const site = workspace.source();
    if (site === undefined)
      throw new WorkspaceError(
        `The workspace ${workspace.directory} holds nothing yet: no run has read a site into it.`,
        { exitCode: EXIT.notFound },
      );
    const facts: TimeFacts = { id: NOW, time: lastRead(workspace.items.entries()), complete: isComplete(workspace) };
    return new WorkspaceShelf(workspace, { facts, site }, this.#others);
  }
}

function lastRead(entries: Iterable<{ readonly readAt: number }>): number {
  let last = 0;
  for (const { readAt } of entries) last = Math.max(last, readAt);
  return last;
}

function isComplete({ failures }: ReadonlyWorkspace): boolean {
  for (const { stage } of failures.list()) if (stage === "extract" || stage === "media") return false;
  return true;
}
