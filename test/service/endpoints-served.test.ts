import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import type { Endpoint } from "../../src/service/endpoints/endpoints.js";
import { ENDPOINTS } from "../../src/service/endpoints/endpoints.js";

const SAMPLE_SITE = new URL("../../samples/site", import.meta.url).pathname;

const VALUES: Readonly<Record<string, string>> = {
  namespace: "WIKI",
  title: "Nothing",
  langid: "en",
  doc_type: "guide",
  doctype: "guide",
  documentType: "guide",
  context: "guide",
  type: "GuideImage",
  email: "nobody@site.example",
};

/** The path with something in each part. */
function filled(path: string): string {
  return path.replaceAll(/\{([^}]+)\}|:(\w+)/g, (_, braced: string | undefined, bare: string | undefined) => {
    return VALUES[braced ?? bare ?? ""] ?? "1";
  });
}

/** Does the site know this method of this path, whatever it says to this request? */
async function isServed({ method, path }: Endpoint, url: string, token: string): Promise<boolean> {
  const response = await fetch(url + filled(path), {
    method,
    headers: { authorization: `api ${token}` },
    ...(method === "GET" ? {} : { body: "{}" }),
  });
  const text = await response.text();
  return response.status !== 405 && !(response.status === 404 && text.includes("Endpoint not found"));
}

test("the sandbox serves what the table says, and nothing that it says is missing", async () => {
  const sandbox = await startSandbox({ site: SAMPLE_SITE });
  onTestFinished(() => sandbox.close());
  const wrong: string[] = [];
  // Whoever signs out is asked last.
  const all = ENDPOINTS.toSorted(
    (one, other) => Number(one.path === "/user/token") - Number(other.path === "/user/token"),
  );
  for (const endpoint of all) {
    const served = await isServed(endpoint, sandbox.url, sandbox.token);
    if (served !== (endpoint.served ?? true))
      wrong.push(`${endpoint.method} ${endpoint.path}: ${served ? "" : "not "}served`);
  }
  expect(wrong).toEqual([]);
});
