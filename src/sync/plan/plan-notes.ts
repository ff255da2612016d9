import type { Operation } from "../../core/contracts.js";
import { BrakeError } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";
import type { Scratch } from "../../storage/workspace/scratch.js";
import type { PlannedPlace } from "../planned-item.js";
import type { PlanRow } from "./plan-file.js";
import { type PlanFile, readPlanFile } from "./read-plan-file.js";

const PARTS = "apply parts";
const ROWS = "apply rows";
const OPERATIONS = "apply operations";
const CREATES = "apply creates";

/** What a plan's file says, on the disk and at hand by key. */
export class PlanNotes {
  readonly #scratch: Scratch;
  readonly #parts: Key[] = [];
  #rows = 0;

  private constructor(scratch: Scratch) {
    for (const topic of [PARTS, ROWS, OPERATIONS, CREATES]) scratch.clear(topic);
    this.#scratch = scratch;
  }

  /** Reads the file once more. Throws what `readPlanFile` throws, and BrakeError when it is another one by now. */
  static async read(file: PlanFile, scratch: Scratch): Promise<PlanNotes> {
    const notes = new PlanNotes(scratch);
    const again = await readPlanFile(file.path, {
      part: (key, digest) => {
        notes.#parts.push(key);
        scratch.put(PARTS, key, digest);
      },
      row: (row) => notes.#take(row),
    });
    if (again.digest === file.digest) return notes;
    throw new BrakeError(
      `${file.path} was written anew while it was read. Nothing was written to the target. Give the same command again.`,
    );
  }

  #take(row: PlanRow): void {
    this.#scratch.put(ROWS, String(this.#rows), JSON.stringify(row));
    this.#rows += 1;
    for (const { id, hash, creates } of row.operations) {
      this.#scratch.put(OPERATIONS, id, hash);
      if (creates) this.#scratch.put(CREATES, id, hash);
    }
  }

  /** The items that take part. */
  parts(): readonly Key[] {
    return this.#parts;
  }

  digestOf(key: Key): string | undefined {
    return this.#scratch.get(PARTS, key);
  }

  *rows(): Generator<PlanRow> {
    for (let at = 0; at < this.#rows; at += 1) yield JSON.parse(this.#scratch.get(ROWS, String(at)) ?? "") as PlanRow;
  }

  *places(): Generator<PlannedPlace & Pick<PlanRow, "title" | "action">> {
    for (const { places, title, action } of this.rows()) for (const place of places) yield { ...place, title, action };
  }

  /** Does the plan hold exactly this write? What it makes may also be written once more. */
  holds({ id, hash }: Pick<Operation, "id" | "hash">, creates: boolean): boolean {
    return this.#scratch.get(creates ? CREATES : OPERATIONS, id) === hash;
  }
}
