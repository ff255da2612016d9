import { expect, it } from "vitest";
import type { Endpoint } from "../../../src/service/endpoints/endpoints.js";
import { ENDPOINTS } from "../../../src/service/endpoints/endpoints.js";
import { endpointOf } from "../../helpers/endpoint-of.js";
import { localServer } from "../../helpers/local-server.js";
import { forever } from "../helpers/test-stack.js";
import { uploadOf } from "./helpers/module-site.js";
import { sandboxModules } from "./helpers/sandbox-modules.js";

const named = ({ method, path }: Endpoint): string => `${method} ${path}`;
const isOfImports = ({ use }: Endpoint): boolean => use.by === "write" && use.verbs.startsWith("import-training");

it("calls all that the table of endpoints names for imports, and writes to nothing else", async () => {
  const { sandbox, modules } = await sandboxModules();
  const store = await localServer((_, response) => response.end("PK"));
  await modules.survey(forever);
  const module = await modules.createModule("Golf", forever);
  await modules.openDraft(module, "Golf again", forever);
  const [byUpload, byUrl, third] = [
    await modules.createImport(module, forever),
    await modules.createImport(module, forever),
    await modules.createImport(module, forever),
  ];
  sandbox.training.next({ end: "complete", looks: 1 });
  await modules.startByUpload(byUpload, uploadOf("PK"), forever);
  await modules.startByUrl(byUrl, `${store.origin}/golf.zip`, forever);
  await modules.cancel(third, forever);
  await sandbox.training.finish();
  await modules.preview(byUpload, forever);
  await modules.publish(module, forever);
  const called = sandbox.recorded.flatMap(({ method, path }) => endpointOf(`${method} ${path}`) ?? []);
  expect(new Set(called.filter(isOfImports).map(named))).toEqual(new Set(ENDPOINTS.filter(isOfImports).map(named)));
  expect(called.filter(({ method, use }) => method !== "GET" && use.by !== "write")).toEqual([]);
});
