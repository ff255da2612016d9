import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import { endpointOf } from "../helpers/endpoint-of.js";
import { extractFrom, loadInto } from "../helpers/migration.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

test("a load writes to nothing that the table does not name for it, and an extract writes nothing", async () => {
  const [source, target] = [await startSandbox({ site: "samples/site" }), await startSandbox()];
  onTestFinished(() => source.close());
  onTestFinished(() => target.close());
  const workspace = await temporaryFolder();
  await extractFrom(source, workspace);
  await loadInto(target, workspace);
  expect(source.recorded.filter(({ method }) => method !== "GET")).toEqual([]);
  const written = new Set(
    target.recorded.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`),
  );
  expect(written.size).toBeGreaterThan(50);
  const uses = [...written].map((request) => [request, endpointOf(request)?.use]);
  expect(uses.filter(([, use]) => !isOfLoad(use))).toEqual([]);
});

function isOfLoad(use: unknown): boolean {
  return typeof use === "object" && use !== null && "verbs" in use && String(use.verbs).includes("load");
}
