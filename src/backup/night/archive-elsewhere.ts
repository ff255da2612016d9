import type { Readable } from "node:stream";
import type { Repository } from "../../storage/repository/repository.js";
import { FerryError } from "../../core/errors.js";
import type { ArchivedReader } from "../../storage/workspace/archived.js";
import type { Elsewhere } from "../../storage/workspace/media-store.js";

/** What the workspace of a backup finds its media by, which lie in the repository. It knows nothing until it is bound. */
export class ArchiveElsewhere implements Elsewhere {
  #archived: ArchivedReader | undefined;
  #repository: Pick<Repository, "open"> | undefined;

  /** `archived` is the workspace's own. */
  bind(archived: ArchivedReader, repository: Pick<Repository, "open">): void {
    this.#archived = archived;
    this.#repository = repository;
  }

  has(sha256: string): boolean {
    return this.#archived?.medium(sha256) !== undefined;
  }

  async open(sha256: string): Promise<Readable> {
    const place = this.#archived?.medium(sha256);
    if (place !== undefined && this.#repository !== undefined) return this.#repository.open({ sha256, ...place });
    throw new FerryError(
      `The content ${sha256} was asked of the repository, which does not have it: a defect of guideferry.`,
    );
  }
}
