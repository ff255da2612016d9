import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { finished } from "node:stream/promises";
import type { MediaRow, PresentRow, SnapshotId } from "../../../storage/repository/format.js";
import { itemBytes } from "../../../storage/repository/read/item-bytes.js";
import type { OpenRepository } from "../../../storage/repository/read/open-repository.js";
import { EXIT, type ExitCode, UsageError } from "../../../core/errors.js";
import type { Key } from "../../../core/model/key.js";
import { keySchema } from "../../../core/model/shared.js";
import { storedItem } from "../../../backup/past/stored-item.js";
import type { CommandCall } from "../../command.js";
import type { Settings } from "../../options/table.js";
import { chosenSnapshot } from "./chosen-snapshot.js";
import { withRepository } from "./with-repository.js";

/** Up to this many bytes are all there, and right, before the first is written. */
const HELD = 32 * 1024 * 1024;

/** Writes an item or a medium to stdout. */
export function runCat(call: CommandCall, folder: string, name: string): Promise<ExitCode> {
  return withRepository(call, folder, async (repository) => {
    const { snapshot } = chosenSnapshot(call, repository, call.settings.at);
    const content = await contentOf(repository, snapshot, name, call.settings.show);
    await write(content, call.stdout);
    return EXIT.ok;
  });
}

async function contentOf(
  repository: OpenRepository,
  snapshot: SnapshotId,
  name: string,
  show: Settings["show"],
): Promise<Readable> {
  if (/^[0-9a-f]{64}$/.test(name)) return mediumOf(repository, snapshot, name);
  const key = keySchema.safeParse(name);
  if (!key.success) {
    throw new UsageError(
      `"${name}" is no key and no sha256. A key is such as guide/12, wiki/INFO/Page, category/Looms or image/5.`,
    );
  }
  const row = await presentRow(repository, snapshot, key.data);
  const wanted = show ?? (MEDIA.has(row.kind) ? "bytes" : "item");
  if (wanted === "item") return Readable.from([await itemBytes(repository, row)]);
  const item = await storedItem(repository, row);
  if (wanted === "text") {
    // Half of what would be loaded otherwise, for one way to show things.
    const { readableText } = await import("../../../backup/past/readable-text.js");
    return Readable.from([Buffer.from(readableText(item))]);
  }
  if (wanted === "answer") return Readable.from([Buffer.from(`${JSON.stringify(item.raw ?? null)}\n`)]);
  const content = "content" in item.body ? item.body.content : undefined;
  if (content === undefined)
    throw new UsageError(`${name} is no image, video or document: it has no bytes of its own. Use --show item.`);
  if (content === null)
    throw new UsageError(`The bytes of ${name} were never had; --show item has what is known of it.`, {
      exitCode: EXIT.notFound,
    });
  return mediumOf(repository, snapshot, content.sha256);
}

const MEDIA: ReadonlySet<string> = new Set(["image", "video", "document"]);

async function presentRow(repository: OpenRepository, snapshot: SnapshotId, key: Key): Promise<PresentRow> {
  const row = await repository.item(snapshot, key);
  if (row?.state === "present") return row;
  const gone =
    row === undefined
      ? "was never seen by then"
      : `was gone since the snapshot ${row.deleted}; --at an earlier time shows it`;
  throw new UsageError(`${key} is not in the snapshot ${snapshot}: it ${gone}.`, { exitCode: EXIT.notFound });
}

async function mediumOf(repository: OpenRepository, snapshot: SnapshotId, sha256: string): Promise<Readable> {
  const row = await repository.medium(snapshot, sha256);
  if (row === undefined)
    throw new UsageError(`The snapshot ${snapshot} has no medium ${sha256}.`, { exitCode: EXIT.notFound });
  return held(await repository.open(row), row);
}

async function held(content: Readable, { size }: MediaRow): Promise<Readable> {
  return size > HELD ? content : Readable.from([await buffer(content)]);
}

/** stdout stays open: it is not ours. Who stops reading (`| head`) has had enough. */
async function write(content: Readable, stdout: NodeJS.WritableStream): Promise<void> {
  for await (const piece of content) {
    if (!stdout.writable) return;
    if (!stdout.write(piece))
      await Promise.race([drained(stdout), finished(stdout, { readable: false }).catch(ignoreClosed)]);
  }
}

function drained(stdout: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => void stdout.once("drain", () => resolve()));
}

function ignoreClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
}
