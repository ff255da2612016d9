import { onTestFinished } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.js";
import { extractFrom, loadInto, type MigrationOptions, verifyAt } from "./migration.js";
import { temporaryFolder } from "./temporary-folder.js";

type Body = Readonly<Record<string, unknown>>;

/**
 * Two guides of two steps in one category, and a page, on their way from one sandbox to another.
 */
export interface Pair {
  readonly source: Sandbox;
  readonly target: Sandbox;
  readonly workspace: string;
  /** Extracts and loads. */
  run(options?: MigrationOptions): ReturnType<typeof loadInto>;
  verify(options?: MigrationOptions): ReturnType<typeof verifyAt>;
  /** The guide of this title as the target has it. */
  guide(title: string): Body & {
    readonly guideid: number;
    readonly steps: readonly { readonly stepid: number; readonly lines: readonly { readonly text: string }[] }[];
  };
  writes(): readonly string[];
}

export async function twoGuides(options: { source?: SandboxOptions; target?: SandboxOptions } = {}): Promise<Pair> {
  const [source, target] = [await startSandbox(options.source ?? {}), await startSandbox(options.target ?? {})];
  onTestFinished(() => source.close());
  onTestFinished(() => target.close());
  const workspace = await temporaryFolder();
  source.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "On looms." });
  source.edit.createWiki({ namespace: "WIKI", title: "Sheds", contents: "On sheds." });
  for (const title of ["Warp", "Weft"]) {
    const id = source.edit.createGuide({
      category: "Looms",
      type: "how-to",
      subject: title,
      title,
      difficulty: "Easy",
    });
    for (const [index, text] of ["First.", "Second."].entries()) source.edit.addStep(id, stepBody(index + 1, text));
    source.edit.setPublic(id, true);
  }
  return {
    source,
    target,
    workspace,
    run: async (more = {}) => {
      await extractFrom(source, workspace, more.personalData === true ? { personalData: true } : {});
      return loadInto(target, workspace, more);
    },
    verify: (more = {}) => verifyAt(target, workspace, more),
    guide: (title) => {
      const found = target.state().guides.find((guide) => guide["title"] === title);
      if (found === undefined) throw new Error(`The target has no guide ${title}.`);
      return found as ReturnType<Pair["guide"]>;
    },
    writes: () =>
      target.recorded.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`),
  };
}

export function stepBody(orderby: number, text: string): Body {
  return { orderby, title: "", lines: [{ text, bullet: "black", level: 0 }] };
}

/** The ids of a guide's steps, in order. */
export function stepIds(sandbox: Sandbox, guideid: number): readonly number[] {
  const guide = sandbox.state().guides.find((each) => each["guideid"] === guideid);
  const steps = (guide?.["steps"] ?? []) as readonly { readonly stepid: number }[];
  return steps.map(({ stepid }) => stepid);
}

/** Puts a file into the media manager of a sandbox's own account. Returns its id. */
export async function upload(
  sandbox: Sandbox,
  kind: "images" | "uploads",
  name: string,
  bytes: Buffer,
): Promise<number> {
  const answer = await fetch(`${sandbox.url}/user/media/${kind}?file=${name}`, {
    method: "POST",
    headers: { authorization: `api ${sandbox.token}`, "content-type": "application/octet-stream" },
    body: new Uint8Array(bytes),
  });
  const json = (await answer.json()) as { readonly id?: number; readonly image?: { readonly id: number } };
  const id = json.id ?? json.image?.id;
  if (id === undefined) throw new Error(`The sandbox took no ${name}: ${JSON.stringify(json)}`);
  return id;
}

/**
 * Writes as the sandbox's own account, which alone may use what it uploaded. Returns the answer.
 */
export async function post(sandbox: Sandbox, path: string, body: Body, method = "POST"): Promise<Body> {
  const answer = await fetch(`${sandbox.url}/${path}`, {
    method,
    headers: { authorization: `api ${sandbox.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const json = (await answer.json()) as Body;
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${JSON.stringify(json)}`);
  return json;
}
