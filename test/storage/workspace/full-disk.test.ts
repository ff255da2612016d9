import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT } from "../../../src/core/errors.js";
import { storageError } from "../../../src/storage/storage-error.js";
import { openWorkspace } from "../../../src/storage/workspace/workspace.js";
import { runBuilt } from "../../helpers/built-code.js";
import { filesIn } from "./helpers/files.js";
import { guide, site, temporaryFolder } from "./helpers/samples.js";

/**
 * No file may grow beyond 512 KiB in the child: the nearest to a full disk that every machine can
 * make.
 */
const SMALL_FILES = ["sh", "-c", 'trap "" XFSZ; ulimit -f 1024; exec "$@"', "sh"];

test("a disk that is full is named as the cause, and all that was stored before stays", async () => {
  const directory = join(temporaryFolder(), "workspace");
  const child = runBuilt(
    `
    import { Readable } from "node:stream";
    import { openWorkspace } from "./src/storage/workspace/workspace.js";
    const workspace = await openWorkspace(${JSON.stringify(directory)}, { create: true, command: "writer" });
    const ledger = workspace.ledger(${JSON.stringify(site())});
    const template = ${JSON.stringify(guide(0))};
    const tell = (what, error) => console.log(JSON.stringify({ what, name: error.name, exitCode: error.exitCode, message: error.message }));
    const open = async () => ({ content: Readable.from([Buffer.alloc(400000, 1), Buffer.alloc(400000, 2)]), from: 0, size: 800000, type: null });
    await workspace.media.receive(open, new AbortController().signal).catch((error) => tell("media", error));
    await workspace.items.put({ ...template, key: "guide/1" });
    await workspace.items.put({ ...template, key: "guide/1", raw: "x".repeat(600000) }).catch((error) => tell("item", error));
    for (let n = 1; n < 10000; n += 1) {
      const operation = { id: "guide/" + n, item: "guide/" + n, label: "x".repeat(5000), hash: "h", phase: "main", needs: [], call: { verb: "set-visibility", guide: "guide/" + n, public: true } };
      try {
        await ledger.begin(operation, {});
      } catch (error) {
        tell("ledger " + (n - 1), error);
        break;
      }
    }
    await workspace.close();
  `,
    { before: SMALL_FILES },
  );
  expect(await child.ended).toEqual({ code: 0, signal: null });
  const told = (await child.output).split("\n").map((line) => JSON.parse(line));
  expect(told.map(({ what }) => what)).toEqual(["media", "item", expect.stringMatching(/^ledger \d+$/)]);
  for (const { name, exitCode, message } of told) {
    expect({ name, exitCode }).toEqual({ name: "WorkspaceError", exitCode: EXIT.stopped });
    expect(message).toMatch(/While (writing|storing).*(limit is reached|input\/output error)/);
  }
  const workspace = await openWorkspace(directory, { create: false, command: "guideferry test" });
  expect([...workspace.items.entries()].map(({ key }) => key)).toEqual(["guide/1"]);
  expect(await workspace.items.get("guide/1")).toEqual({ ...guide(0), key: "guide/1" });
  const kept = Number(told[2].what.slice("ledger ".length));
  expect(await workspace.ledger(site()).orphans()).toHaveLength(kept);
  expect(filesIn(join(directory, "media"))).toEqual([]);
  await workspace.close();
});

test.each([
  ["ENOSPC", /the disk is full.*Make room/, EXIT.stopped],
  ["EDQUOT", /quota/, EXIT.stopped],
  ["EACCES", /refuses access.*0700/, EXIT.usage],
  ["EPERM", /refuses access.*0700/, EXIT.usage],
  ["EROFS", /is read-only.*--workspace/, EXIT.usage],
  ["EIO", /input\/output error.*Check the disk/, EXIT.stopped],
])("%s becomes a message with a remedy and keeps its cause", (reason, message, exitCode) => {
  const cause = Object.assign(new Error(`${reason}: something, write`), { code: reason });
  expect(storageError(cause, "writing /w/items/x.json")).toMatchObject({
    name: "WorkspaceError",
    message: expect.stringMatching(message),
    exitCode,
    cause,
  });
});

test("a file where the folder should be is no workspace", async () => {
  const directory = join(temporaryFolder(), "file");
  writeFileSync(directory, "text");
  const opening = openWorkspace(directory, { create: true, command: "guideferry test" });
  await expect(opening).rejects.toMatchObject({
    name: "WorkspaceError",
    message: expect.stringContaining("a folder is needed"),
  });
  expect(readFileSync(directory, "utf8")).toBe("text");
});

test("an error that is not the disk's comes back as it is", () => {
  const defect = new TypeError("no");
  expect(storageError(defect, "writing")).toBe(defect);
});

// The super-user reads everything, so that the refusal is not to be had from the system there; it
// is tested by its code above.
test("a folder that may not be read is refused with what to do", async () => {
  const directory = join(temporaryFolder(), "locked-up");
  await (await openWorkspace(directory, { create: true, command: "guideferry test" })).close();
  chmodSync(directory, 0);
  const opening = openWorkspace(directory, { create: true, command: "guideferry test" });
  if (process.getuid?.() === 0) await (await opening).close();
  else await expect(opening).rejects.toThrow(/refuses access/);
  chmodSync(directory, 0o700);
  expect(existsSync(join(directory, "workspace.json"))).toBe(true);
});
