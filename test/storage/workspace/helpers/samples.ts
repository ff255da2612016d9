import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { SiteIdentity } from "../../../../src/core/model/identity.js";
import type { GuideItem, Item, WikiItem } from "../../../../src/core/model/item.js";
import { openWorkspace, type Workspace } from "../../../../src/storage/workspace/workspace.js";
import { guideItem, recordItem, wikiItem } from "../../../helpers/items.js";

/** A new folder that goes with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "guideferry-workspace-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  return folder;
}

/** An open workspace in a folder of its own, closed with the test. */
export async function openedWorkspace(directory: string = join(temporaryFolder(), "workspace")): Promise<Workspace> {
  const workspace = await openWorkspace(directory, { create: true, command: "guideferry test", wait: () => 0 });
  onTestFinished(() => workspace.close());
  return workspace;
}

export function site(changes: Partial<SiteIdentity> = {}): SiteIdentity {
  return {
    root: "https://weavers.example/api/2.0",
    origin: "https://weavers.example",
    siteId: "7",
    name: "Weavers",
    dialect: "dozuki",
    hosts: ["weavers.example"],
    language: "en",
    languages: ["en"],
    account: { id: 3, name: "ferry", admin: true },
    ...changes,
  };
}

/** As a site's answer brought it, with `revision` for its change token. */
export function guide(id: number, changes: Partial<GuideItem["body"]> = {}, revision = "1"): GuideItem {
  const own = { title: `Threading the loom ${id}`, category: "Hand Looms", public: true, modifiedDate: 1_700_000_000 };
  return { ...guideItem(id, { ...own, ...changes }), revision, raw: { guideid: id } };
}

/** Of a list that has no change token. */
export function category(title: string): WikiItem {
  return { ...wikiItem("CATEGORY", title), revision: "" };
}

/** Likewise. */
export function record(path: string): Item {
  return { ...recordItem(path), revision: "" };
}
