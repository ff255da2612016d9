import { rmSync, statSync } from "node:fs";
import type { Opened } from "../../core/contracts.js";
import { ConnectionError, StatusError } from "../../core/errors.js";
import type { Content } from "../../core/model/media.js";
import { systemClock } from "../../core/util/clock.js";
import { moveInto, temporaryFile, withTemporary } from "./files.js";
import { EndsEarly, IncomingFile } from "./incoming-file.js";
import type { Layout } from "./layout.js";
import { storageError } from "./storage-error.js";

/** As for every read of a site: the first one and five more. */
const TRIES = 6;
/** A file without a length that stops before its end is taken as it is when these many tries brought the same bytes. */
const SAME_TRIES = 3;
const RANGE_NOT_SATISFIABLE = 416;

/** What the one who wants bytes gives; see MediaStore.receive. */
export interface Delivery {
  readonly open: (from: number) => Promise<Opened>;
  readonly signal: AbortSignal;
  readonly onBytes: (count: number) => void;
  readonly told: () => Promise<number | undefined>;
  /** Milliseconds before the next try, after so many failed ones. */
  readonly wait: (failed: number) => number;
}

/** See MediaStore.receive. */
export async function receive(layout: Layout, delivery: Delivery): Promise<Content> {
  const temporary = temporaryFile(layout);
  try {
    const content = await withTemporary(temporary, (descriptor) => download(descriptor, temporary, delivery));
    await keep(layout, temporary, content);
    return content;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw storageError(error, `storing media in ${layout.media}`);
  }
}

async function download(descriptor: number, temporary: string, delivery: Delivery): Promise<Content> {
  const file = new IncomingFile(descriptor, temporary, delivery.told);
  const arrived = await untilWhole(file, delivery);
  return { sha256: file.digest(), size: file.size, ...arrived };
}

/** Returns the type that the last answer gave, and whether the bytes stop before the end of their format. */
async function untilWhole(file: IncomingFile, delivery: Delivery): Promise<Pick<Content, "type" | "endsEarly">> {
  let same: { readonly sha256: string; readonly tries: number } | undefined;
  for (let failed = 1; ; failed += 1) {
    delivery.signal.throwIfAborted();
    const opened = await openRest(file.size, delivery);
    const { type } = opened;
    const cut = await file.take(opened, delivery.signal, delivery.onBytes);
    if (cut === undefined) return file.endsEarly ? { type, endsEarly: "confirmed" } : { type };
    if (cut instanceof EndsEarly) {
      same = { sha256: cut.sha256, tries: same?.sha256 === cut.sha256 ? same.tries + 1 : 1 };
      if (same.tries === SAME_TRIES) return { type, endsEarly: "once" };
    }
    if (failed === TRIES) throw incomplete(cut);
    await systemClock.sleep(delivery.wait(failed), delivery.signal);
  }
}

async function openRest(from: number, delivery: Delivery): Promise<Opened> {
  try {
    return await delivery.open(from);
  } catch (error) {
    const beyondTheEnd = from > 0 && error instanceof StatusError && error.status === RANGE_NOT_SATISFIABLE;
    if (!beyondTheEnd) throw error;
    // The host holds less than we have: it is another file by now.
    return delivery.open(0);
  }
}

function incomplete(cut: Error): ConnectionError {
  return new ConnectionError(
    `The media file did not come whole in ${TRIES} tries: ${cut.message} Run the same command again to fetch it anew.`,
    { cause: cut, retriable: false },
  );
}

/** A file of the same name and size has the same bytes; one of another size is what a broken disk left. */
async function keep(layout: Layout, temporary: string, content: Content): Promise<void> {
  const file = layout.content(content.sha256);
  const isThere = statSync(file, { throwIfNoEntry: false })?.size === content.size;
  if (isThere) rmSync(temporary);
  else await moveInto(temporary, file);
}
