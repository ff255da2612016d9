import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { SiteIdentity } from "../../../src/contracts.js";
import type { GuideItem, Item, WikiItem } from "../../../src/model/item.js";
import { openWorkspace, type Workspace } from "../../../src/workspace/workspace.js";

/** A new folder that goes with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "guideferry-workspace-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
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

export function guide(id: number, changes: Partial<GuideItem["body"]> = {}, revision = "1"): GuideItem {
  const body = {
    id,
    language: "en",
    title: `Threading the loom ${id}`,
    category: "Hand Looms",
    type: "how-to",
    subject: "",
    summary: "",
    introduction: "",
    conclusion: "",
    difficulty: null,
    timeRequired: { min: 0, max: 0 },
    flags: [],
    image: null,
    introductionVideo: null,
    documents: [],
    featuredDocument: null,
    parts: [],
    tools: [],
    prerequisites: [],
    steps: [],
    tags: [],
    comments: [],
    author: null,
    public: true,
    archived: false,
    viewers: null,
    releases: [],
    workLogEnabled: null,
    createdDate: null,
    publishedDate: null,
    modifiedDate: 1_700_000_000,
    url: `https://weavers.example/Guide/${id}`,
    ...changes,
  };
  return {
    kind: "guide",
    key: `guide/${id}`,
    revision,
    raw: { guideid: id },
    media: [],
    translations: [],
    issues: [],
    body,
  };
}

export function category(title: string): WikiItem {
  const body = {
    id: null,
    namespace: "CATEGORY" as const,
    language: "en",
    title,
    displayTitle: null,
    contents: "",
    tree: null,
    html: "",
    description: "",
    image: null,
    flags: [],
    documents: [],
    tags: [],
    info: [],
    suppliers: [],
    tableOfContents: null,
    pageTitle: null,
    parent: null,
    position: null,
    author: null,
    createdDate: null,
    modifiedDate: null,
    url: null,
  };
  return {
    kind: "category",
    key: `category/${title}`,
    revision: "",
    raw: {},
    media: [],
    translations: [],
    issues: [],
    body,
  };
}

export function record(path: string): Item {
  const body = { path, query: {}, status: 200, readAt: 1_700_000_000, answer: [path] };
  return {
    kind: "record",
    key: `record/${path}`,
    revision: "",
    raw: [],
    media: [],
    translations: [],
    issues: [],
    body,
  };
}
