import { keysOf } from "../../../transforms/references/reference.js";
import { references } from "../../../transforms/references/references.js";
import { usesIn } from "../../service/target/undo/uses-in.js";
import type { Body } from "../../core/contracts.js";
import { type Key, kindOf } from "../../core/model/key.js";
import type { UndoNotes } from "./notes.js";
import type { UndoJob } from "./undo-job.js";

const MEDIA: ReadonlySet<string> = new Set(["image", "video", "document"]);
const GOES: ReadonlySet<string> = new Set(["delete", "replace"]);

/**
 * Finds the things that would go although something that stays needs them: a category with a guide in it, a prerequisite, a picture.
 * They stay too, and with them what they need themselves; `stay` is told of each.
 */
export async function keepUsed(job: UndoJob, notes: UndoNotes, stay: (item: Key) => Promise<void>): Promise<void> {
  noteUses(job, notes);
  for (let found = true; found; ) {
    found = false;
    for (const item of job.past.items(job.run.id, "last")) {
      const noted = notes.of(item);
      if (noted === undefined || noted.refused || !GOES.has(noted.change)) continue;
      const id = await job.past.ledger.idOf(item);
      if (id === undefined || notes.userOf(`${kindOf(item)}/${id}`) === undefined) continue;
      found = true;
      await stay(item);
      await noteOwnUses(job, notes, item);
    }
  }
}

/** What is needed by what stays, or comes back. */
function noteUses(job: UndoJob, notes: UndoNotes): void {
  for (const { key, item, body } of job.past.standing()) {
    if (goes(notes, key) || goes(notes, item)) continue;
    const noted = notes.of(key);
    const isBack = noted?.change === "put-back" && !noted.refused;
    const then = isBack ? job.past.earlier(job.run.id, item).find(({ thing }) => thing === key)?.body : undefined;
    for (const use of usesOf(job, then ?? body)) notes.use(use, key);
  }
}

function goes(notes: UndoNotes, key: Key): boolean {
  const noted = notes.of(key);
  return noted !== undefined && !noted.refused && GOES.has(noted.change);
}

async function noteOwnUses(job: UndoJob, notes: UndoNotes, item: Key): Promise<void> {
  const { written } = await job.past.ledger.loaded(item);
  for (const key of written.keys()) {
    const body = await job.past.ledger.left(key);
    for (const use of body === undefined ? [] : usesOf(job, body)) notes.use(use, key);
  }
}

function usesOf({ survey }: UndoJob, body: Body): readonly string[] {
  const { names, texts } = usesIn(body);
  const shown = texts.flatMap((text) =>
    (["page", "line"] as const).flatMap((where) => references(text, survey.identity, where).flatMap(keysOf)),
  );
  return [...names, ...shown.filter((key) => MEDIA.has(kindOf(key)))];
}
