import type { SandboxOptions } from "../options.js";
import { type Answer, isAnswer, numberAt, textAt, textsAt } from "../state/answer.js";
import {
  DIALECTS,
  DOCUMENT_EXTENSIONS,
  GUIDE_TYPES,
  type GuideType,
  IMAGE_EXTENSIONS,
  NO_STEP_LIMITS,
  SETTABLE_FLAGS,
  type Settings,
  type StepLimits,
  TYPES_WITH_SUBJECT,
  USUAL_STEP_LIMITS,
  VIDEO_EXTENSIONS,
} from "../state/settings.js";
import { USUAL_TRAINING } from "../state/training-settings.js";

/** The settings of a site: options before `site.json` before what is usual. */
export function settingsFrom(options: SandboxOptions, file: Answer, firstGuide: Answer): Settings {
  const dialect = options.dialect ?? DIALECTS.find((one) => one === file["dialect"]) ?? "specification";
  const name = options.name ?? textAt(file, "name", "sandbox");
  const languages = options.languages ?? textsAt(file, "languages");
  return {
    dialect,
    name,
    title: textAt(file, "title", name),
    domain: textAt(file, "domain", hostOf(textAt(file, "url", textAt(firstGuide, "url")))),
    private: options.private ?? file["private"] === true,
    languages: [languages[0] ?? "en", ...languages.slice(1)],
    guideTypes: guideTypes(options.guideTypes ?? file["guideTypes"], dialect === "ifixit"),
    settableFlags: listFrom(options.flags, file, "flags", SETTABLE_FLAGS),
    extensions: listFrom(options.extensions, file, "extensions", [
      ...IMAGE_EXTENSIONS,
      ...DOCUMENT_EXTENSIONS,
      ...VIDEO_EXTENSIONS,
    ]),
    appId: options.appId === undefined ? (dialect === "ifixit" ? "sandbox-app" : null) : options.appId,
    tokenLifetime: options.tokenLifetime ?? null,
    guideTranslations: options.guideTranslations ?? "no",
    pageTranslations: options.pageTranslations ?? "yes",
    stepLimits: stepLimits(options.stepLimits ?? file["stepLimits"]),
    reencodes: options.reencodes ?? true,
    revisionField: options.revisionField ?? "guide_revisionid",
    categoryRevisionNull: options.categoryRevisionNull ?? dialect === "dozuki",
    videoPolls: options.videoPolls ?? 1,
    disabled: new Map([
      ...(options.disabled ?? []).map((name) => [name, options.disabledStatus ?? 404] as const),
      ...(options.granularPermissions === true ? [["viewers", 405] as const] : []),
    ]),
    granularPermissions: options.granularPermissions ?? false,
    wholeLists: options.wholeLists ?? false,
    completionsPerHour: options.completionsPerHour ?? Number.POSITIVE_INFINITY,
    training: { ...USUAL_TRAINING, ...options.training },
  };
}

/** What an object does not name is as usual. */
function stepLimits(value: unknown): StepLimits {
  if (value === "none") return NO_STEP_LIMITS;
  const given = isAnswer(value) ? value : {};
  const number = (name: keyof StepLimits): number => numberAt(given, name) ?? USUAL_STEP_LIMITS[name];
  return {
    line: number("line"),
    lines: number("lines"),
    imageWidth: number("imageWidth"),
    imageHeight: number("imageHeight"),
  };
}

/** Names, or an object of `{title, prompt}` by name; with names alone iFixit asks for the subject of some types. */
function guideTypes(value: unknown, prompts: boolean): Readonly<Record<string, GuideType>> {
  if (isAnswer(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, type]) => {
        const facts = isAnswer(type) ? type : {};
        const prompt = textAt(facts, "prompt");
        return [name, { title: textAt(facts, "title", titleOf(name)), ...(prompt === "" ? {} : { prompt }) }];
      }),
    );
  }
  const names: readonly string[] = Array.isArray(value)
    ? value.filter((name) => typeof name === "string")
    : GUIDE_TYPES;
  return Object.fromEntries(
    names.map((name) => {
      const prompt = prompts && TYPES_WITH_SUBJECT.includes(name) ? { prompt: "Which part?" } : {};
      return [name, { title: titleOf(name), ...prompt }];
    }),
  );
}

function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** An empty list in the file is a list; a new site can allow nothing at all (facts, 5.2). */
function listFrom(
  option: readonly string[] | undefined,
  file: Answer,
  field: string,
  usual: readonly string[],
): readonly string[] {
  return option ?? (Array.isArray(file[field]) ? textsAt(file, field) : usual);
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : "sandbox.example";
}
