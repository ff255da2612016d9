import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { BackupOptions, BackupSummary } from "../../../src/backup/backup.js";
import { type BackupParts, backup } from "../../../src/backup/backup.js";
import { ArchiveElsewhere, holdRepository } from "../../../src/backup/hold-repository.js";
import type { Source } from "../../../src/core/contracts.js";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../src/sandbox/index.js";
import { storageAt } from "../../../src/storage/repository/files/open-storage.js";
import type { RepositoryStorage } from "../../../src/storage/repository/files/repository-storage.js";
import type { ReadingOptions } from "../../../src/storage/repository/format.js";
import { RepositoryKeys } from "../../../src/storage/repository/read/repository-keys.js";
import type { Encryption } from "../../../src/storage/repository/write/encryption.js";
import { openWorkspace } from "../../../src/storage/workspace/workspace.js";
import type { Control } from "../../../src/sync/control.js";
import { CircuitBreaker, DEFAULT_DELETION_LIMIT } from "../../../src/sync/control.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { SAMPLE_SITE, sourceOf } from "../../sync/extract-site.js";

/** A site that is backed up night after night. */
export interface BackupSite {
  readonly sandbox: Sandbox;
  /** The repository. */
  readonly folder: string;
  /** Beside the repository. */
  readonly workspace: string;
  /** The backup of the next night, a day after the last one. */
  backUp(more?: BackUpOptions): Promise<BackupSummary>;
}

export interface BackUpOptions {
  readonly options?: Partial<BackupOptions>;
  readonly encryption?: Encryption | null;
  readonly keys?: RepositoryKeys;
  readonly source?: Source;
  readonly control?: Partial<Control>;
  readonly workspace?: string;
  readonly reading?: BackupParts["reading"];
  readonly readAs?: ReadingOptions;
  /** Default: a day after the night before. */
  readonly now?: Date;
  /** Default: that of the folder. */
  readonly storage?: RepositoryStorage;
}

const DAY = 86_400_000;

/** Default: the sample site. */
export async function startBackups(
  site: SandboxOptions = { site: SAMPLE_SITE },
  anonymous = false,
): Promise<BackupSite> {
  const sandbox = await startSandbox(site);
  onTestFinished(() => sandbox.close());
  const source = sourceOf(sandbox, { anonymous });
  const base = await temporaryFolder();
  const [folder, workspace] = [join(base, "repository"), join(base, "workspace")];
  let time = Date.now() - 100 * DAY;
  return {
    sandbox,
    folder,
    workspace,
    backUp: (more = {}) => {
      time += DAY;
      return oneBackup({ folder, workspace, source, now: new Date(time), ...more });
    },
  };
}

interface OneBackup extends BackUpOptions {
  /** Or the address of a bucket. */
  readonly folder: string;
  readonly workspace: string;
  readonly source: Source;
  readonly now: Date;
}

export async function oneBackup({ folder, workspace, source, now, ...more }: OneBackup): Promise<BackupSummary> {
  const never = new AbortController().signal;
  const storage = more.storage ?? (await storageAt(folder));
  const held = await holdRepository(storage, { command: "guideferry backup", create: true });
  const elsewhere = new ArchiveElsewhere();
  const command = "guideferry backup";
  try {
    const opened = await openWorkspace(workspace, { create: true, command, wait: () => 1, elsewhere });
    try {
      return await backup({
        source,
        workspace: opened,
        elsewhere,
        held,
        keys: more.keys ?? new RepositoryKeys(),
        encryption: more.encryption ?? null,
        options: { ...OPTIONS, ...more.options },
        reading: more.reading ?? {},
        ...(more.readAs === undefined ? {} : { readAs: more.readAs }),
        madeBy: "guideferry test",
        now: () => now,
        control: {
          stop: never,
          abort: never,
          concurrency: 4,
          progress: () => undefined,
          breaker: new CircuitBreaker(),
          ...more.control,
        },
      });
    } finally {
      await opened.close();
    }
  } finally {
    await held.lease.release();
  }
}

const OPTIONS: BackupOptions = {
  name: null,
  partBytes: 4_000_000_000,
  fullEvery: 30,
  maxDeletions: DEFAULT_DELETION_LIMIT,
  publicOnly: false,
};
