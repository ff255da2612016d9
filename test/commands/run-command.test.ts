import { join } from "node:path";
import { expect, it } from "vitest";
import { runHere } from "../helpers/run-here.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const SITE = "http://127.0.0.1:9/api/2.0";

it.each([
  [["--port", "4999"], {}, true],
  [["--port", "4999", "--ui"], {}, false],
  [[], { GUIDEFERRY_PORT: "4999" }, false],
])("warns of a port that no page is shown at: %j %o", async (flags, environment, warns) => {
  const missing = join(await temporaryFolder(), "none");
  const { code, stderr } = await runHere(["verify", missing, SITE, ...flags], { environment });
  expect([code, stderr.includes("--port has no effect")]).toEqual([10, warns]);
});
