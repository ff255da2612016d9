import { expect } from "vitest";
import type { ServiceRecord } from "../../src/core/model/item.js";
import { type Key, restOf } from "../../src/core/model/key.js";
import { type ExtractSite, keepGuides, SAMPLE_SITE, startSite } from "./extract-site.js";

/**
 * The sample site with guides 9 to 12 only, without parts and with two pages of each other kind, of
 * which all records are taken.
 */
export async function recordsSite(): Promise<ExtractSite> {
  const site = await startSite({ site: SAMPLE_SITE }, { records: "all" });
  const { edit } = site.sandbox;
  keepGuides(site.sandbox, [9, 10, 11, 12]);
  const pages = site.sandbox.state().wikis;
  for (const kind of ["INFO", "ITEM", "TEAM", "USER", "WIKI"] as const) {
    const all = pages.filter(({ namespace }) => namespace === kind);
    for (const { title } of all.slice(kind === "ITEM" ? 0 : 2)) edit.deleteWiki(kind, String(title));
  }
  return site;
}

/** What follows `record/` in the keys of the records that are present. */
export function recordKeys({ workspace }: ExtractSite): readonly string[] {
  return [...workspace.items.entries("record")]
    .filter(({ state }) => state === "present")
    .map(({ key }) => restOf(key));
}

export async function record(site: ExtractSite, key: Key): Promise<ServiceRecord | undefined> {
  const item = await site.workspace.items.get(key);
  return item?.kind === "record" ? item.body : undefined;
}

/** What a run asks the site for: method and path of each request. */
export async function asked(
  site: ExtractSite,
  work: () => Promise<unknown> = () => site.run(),
): Promise<readonly string[]> {
  const before = site.sandbox.recorded.length;
  await work();
  return site.sandbox.recorded.slice(before).map(({ method, path }) => `${method} ${path}`);
}

export async function answerOf({ sandbox }: ExtractSite, path: string): Promise<unknown> {
  const response = await fetch(`${sandbox.url}/${path}`, { headers: { authorization: `api ${sandbox.token}` } });
  return response.json();
}

export async function send({ sandbox }: ExtractSite, method: string, path: string, body: unknown): Promise<void> {
  const headers = { authorization: `api ${sandbox.token}` };
  const response = await fetch(`${sandbox.url}/${path}`, { method, headers, body: JSON.stringify(body) });
  expect(response.status).toBeLessThan(300);
}

/** Each stored file, by its digest. */
export function digests({ workspace }: ExtractSite): readonly string[] {
  return [...workspace.items.entries()].map(({ key, digest }) => `${key} ${digest}`);
}
