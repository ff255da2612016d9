import { createHash } from "node:crypto";
import type { Source } from "../../core/contracts.js";
import { FerryError } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";
import type { LoadJob } from "../load-job.js";
import { storedMedia } from "../media-facts.js";

const TOPIC = "plan picture";

/** Knows pictures of the target by their bytes: a site gives some other ids than those that they were sent under, and others may have sent the same. */
export class SamePictures {
  readonly #job: LoadJob;
  readonly #reader: Source | undefined;

  /** `reader`: the target, read as a source; undefined: no picture is known. */
  constructor(job: LoadJob, reader: Source | undefined) {
    job.workspace.scratch.clear(TOPIC);
    this.#job = job;
    this.#reader = reader;
  }

  /** Which of these pictures of the source has the bytes of the target's picture? Costs the download of that, once a plan. */
  async among(id: string, ours: readonly Key[]): Promise<Key | undefined> {
    for (const key of ours) {
      const content = (await storedMedia(this.#job.workspace, key))?.body.content;
      if (content !== null && content !== undefined && (await this.#hashOf(id)) === content.sha256) return key;
    }
    return undefined;
  }

  /** Empty: its bytes can't be had, so that it is like no other. */
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
      // The plan then shows the two by their names, as it does with pictures that differ.
      if (error instanceof FerryError && !abort.aborted) return "";
      throw error;
    }
  }
}
