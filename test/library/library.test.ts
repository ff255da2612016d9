import { expect, it } from "vitest";
import { migrate, type ProgressEvent, startSandbox } from "../../src/index.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

it("migrates", async () => {
  const [from, to] = [await startSandbox({ site: "samples/site" }), await startSandbox({ people: "samples/site" })];
  const events: ProgressEvent[] = [];
  const result = await migrate({
    source: { url: from.url, token: from.token },
    target: { url: to.url, token: to.token },
    workspace: `${await temporaryFolder()}/w`,
    fit: "split",
    onProgress: (event) => events.push(event),
  });
  console.log(result, events.length);
  expect(result.outcome).toBe("ok");
});
