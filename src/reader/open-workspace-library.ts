import { dirname, resolve } from "node:path";
import { openRepository } from "../archive/repository/read/open-repository.js";
import { isRepository } from "../archive/repository/read/repository-folder.js";
import { EXIT, UsageError, WorkspaceError } from "../errors.js";
import { inspectWorkspace } from "../workspace/inspect.js";
import type { TimeFacts } from "./library.js";
import type { LibraryOptions, OpenLibrary } from "./opened-library.js";
import { RepositoryShelf } from "./repository-shelf.js";
import { type OtherMedia, WorkspaceShelf } from "./workspace-shelf.js";

const NOW = "now";

/**
 * A workspace as it is, also while a run is on. The media of one that lies in a repository of backups, as `backup` makes it, are looked for there too. Throws WorkspaceError when it
 * can't be read, or holds nothing yet (exit 10).
 */
export async function openWorkspaceLibrary(directory: string, options: LibraryOptions): Promise<OpenLibrary> {
  const workspace = await inspectWorkspace(directory);
  const beside = besideOf(directory, options);
  const close = async (): Promise<void> => {
    await workspace.close();
    await beside.close();
  };
  const site = workspace.source();
  if (site === undefined) {
    await close();
    throw new WorkspaceError(`The workspace ${directory} holds nothing yet: no run has read a site into it.`, {
      exitCode: EXIT.notFound,
    });
  }
  const facts: TimeFacts = { id: NOW, time: lastRead(workspace.items.entries()), complete: isComplete(workspace) };
  const shelf = new WorkspaceShelf(workspace, { facts, site }, beside.medium);
  return {
    path: directory,
    kind: "workspace",
    remarks: [],
    isEncrypted: false,
    times: [facts],
    find: (at) => {
      if (at === undefined || at === NOW || at === "latest") return facts;
      throw new UsageError(`${directory} is a workspace, which has no other time than now. Leave out --at ${at}.`);
    },
    at: async (id) => (id === NOW ? shelf : undefined),
    close,
  };
}

function lastRead(entries: Iterable<{ readonly readAt: number }>): number {
  let last = 0;
  for (const { readAt } of entries) last = Math.max(last, readAt);
  return last;
}

function isComplete({ failures }: Awaited<ReturnType<typeof inspectWorkspace>>): boolean {
  for (const { stage } of failures.list()) if (stage === "extract" || stage === "media") return false;
  return true;
}

interface Beside {
  readonly medium: OtherMedia;
  close(): Promise<void>;
}

/** The repository that the workspace of a backup lies in, opened when the first medium is missed. */
function besideOf(directory: string, { keys }: LibraryOptions): Beside {
  const folder = dirname(resolve(directory));
  let opening: ReturnType<typeof openBeside> | undefined;
  const openBeside = async () => {
    if (!(await isRepository(folder))) return undefined;
    const repository = await openRepository(folder, { keys });
    const last = repository.snapshots().at(-1);
    if (last === undefined) return { repository, shelf: undefined };
    const facts = { id: last.snapshot, time: 0, complete: last.complete };
    return { repository, shelf: await RepositoryShelf.open(repository, facts) };
  };
  return {
    medium: async (sha256) => {
      opening ??= openBeside();
      return (await opening)?.shelf?.medium(sha256);
    },
    close: async () => {
      const [opened] = await Promise.allSettled([opening]);
      if (opened.status === "fulfilled") await opened.value?.repository.close();
    },
  };
}
