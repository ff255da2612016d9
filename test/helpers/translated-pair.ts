import type { Sandbox, SandboxOptions } from "../../src/sandbox/index.js";
import { extractFrom, loadInto, type MigrationOptions } from "./migration.js";
import { type Pair, stepIds, twoGuides } from "./small-sites.js";

const LANGUAGES = { languages: ["en", "de", "fr"] } as const;
type Json = Record<string, unknown>;

/**
 * Two guides, of which Warp is there in German too, on their way to a site that takes translations
 * as `takes` says.
 */
export async function translatedPair(
  takes: SandboxOptions["guideTranslations"],
  more: SandboxOptions = {},
): Promise<Pair> {
  const source = { ...LANGUAGES, guideTranslations: "yes" } as const;
  const pair = await twoGuides({ source, target: { ...LANGUAGES, guideTranslations: takes ?? "no", ...more } });
  const id = sourceId(pair);
  pair.source.edit.translateGuide(id, "de", {
    title: "Kette",
    summary: "Über Ketten.",
    introduction: `Siehe [guide|${id + 1}|dort].`,
    conclusion: "Fertig.",
  });
  for (const [place, text] of ["Zuerst.", "Danach."].entries())
    pair.source.edit.translateStep(id, stepIds(pair.source, id)[place] ?? 0, "de", lineBody(text));
  return pair;
}

/** Extracts and loads; the lists of a site don't tell which languages its guides have. */
export async function carry(
  { source, target, workspace }: Pair,
  more: MigrationOptions = {},
): ReturnType<typeof loadInto> {
  await extractFrom(source, workspace, { languages: ["de"] });
  return loadInto(target, workspace, more);
}

export function lineBody(text: string): Json {
  return { lines: [{ text, bullet: "black", level: 0 }] };
}

export function sourceId({ source }: Pair): number {
  return Number(source.state().guides.find(({ title, langid }) => title === "Warp" && langid === "en")?.["guideid"]);
}

/** A guide of a sandbox in a language; undefined: it is not there in that one. */
export async function guideIn(sandbox: Sandbox, id: number, langid: string): Promise<Json | undefined> {
  const headers = { authorization: `api ${sandbox.token}` };
  const answer = await fetch(`${sandbox.url}/guides/${id}?langid=${langid}`, { headers });
  const json = (await answer.json()) as Json;
  return json["langid"] === langid ? json : undefined;
}

export function textsIn(json: Json | undefined): readonly unknown[] {
  const steps = (json?.["steps"] ?? []) as readonly { readonly lines: readonly { readonly text_raw: string }[] }[];
  return [json?.["title"], ...steps.flatMap((step) => step.lines.map(({ text_raw }) => text_raw))];
}

export const ENGLISH = ["Warp", "First.", "Second."];
export const GERMAN = ["Kette", "Zuerst.", "Danach."];

/** The guides that somebody sees. */
export function titlesAt({ target }: Pair): readonly unknown[] {
  return target
    .state()
    .guides.filter(({ langid }) => langid === "en")
    .map(({ title }) => title);
}
