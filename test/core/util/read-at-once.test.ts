import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readAtOnce } from "../../../src/core/util/files.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

it("gives a file's bytes, one more than asked for where there are more, and fails where there is none", async () => {
  const path = join(await temporaryFolder(), "file");
  writeFileSync(path, "warp");
  expect([3, 4, 5].map((most) => readAtOnce(path, most).toString())).toEqual(["warp", "warp", "warp"]);
  expect(readAtOnce(path, 0).toString()).toBe("w");
  expect(() => readAtOnce(`${path}s`, 4)).toThrow(expect.objectContaining({ code: "ENOENT" }));
});
