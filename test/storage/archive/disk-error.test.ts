import { expect, it } from "vitest";
import { EXIT } from "../../../src/core/errors.js";
import { diskError } from "../../../src/storage/archive/disk-error.js";

it.each([
  ["ENOSPC", /the disk is full.*Make room/, EXIT.stopped],
  ["EDQUOT", /quota/, EXIT.stopped],
  ["EACCES", /refuses access/, EXIT.usage],
  ["EROFS", /the disk is read-only/, EXIT.usage],
  ["EIO", /input\/output error.*Check the disk/, EXIT.stopped],
  ["ENOENT", /no such file/, EXIT.notFound],
  ["ENOTEMPTY", /the path exists already/, EXIT.usage],
  ["EMFILE", /ulimit/, EXIT.stopped],
])("%s becomes a message that says what was done, with a remedy, and keeps its cause", (code, message, exitCode) => {
  const cause = Object.assign(new Error(`${code}: something`), { code });
  const error = diskError(cause, "writing out.omanual");
  expect(error).toMatchObject({ name: "ArchiveError", message: expect.stringMatching(message), exitCode, cause });
  expect(String(error)).toContain("While writing out.omanual");
});

it("any other failure stays what it is", () => {
  const defect = new TypeError("a defect");
  expect(diskError(defect, "writing")).toBe(defect);
  expect(diskError("text", "writing")).toBe("text");
});
