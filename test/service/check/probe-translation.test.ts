import { expect, it, onTestFinished } from "vitest";
import { connectCheck } from "../../../src/commands/compose-tools.js";
import { type SandboxOptions, startSandbox } from "../../../src/sandbox/index.js";
import type { Ask } from "../../../src/service/check/ask.js";
import { probeNames } from "../../../src/service/check/probe-things.js";
import { probeWrite } from "../../../src/service/check/probe-write.js";
import { Secret } from "../../../src/service/http/secret.js";

const TALK = {
  concurrency: 2,
  rate: null,
  mediaRate: null,
  environment: {},
  log: null,
  beat: () => undefined,
  previous: null,
};
const NEVER = new AbortController().signal;

/**
 * Probes a site that is made to lie by what stands between; what came of it, and what is left
 * there.
 */
async function probed(options: SandboxOptions, lie: Lie = (ask) => ask) {
  const sandbox = await startSandbox({ languages: ["en", "de", "fr"], ...options });
  sandbox.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "x" });
  const credentials = { kind: "token", token: new Secret(sandbox.token), scheme: "api" } as const;
  const { ask, close } = connectCheck({ root: sandbox.url, credentials, variables: "GUIDEFERRY_TARGET" }, TALK);
  onTestFinished(async () => {
    await close();
    await sandbox.close();
  });
  const { translation, left, upload } = await probeWrite({
    ask: lie(ask),
    root: sandbox.url,
    names: probeNames(new Date()),
    placement: { category: "Looms", type: "how-to", subject: null },
    languages: ["tlh", "de"],
    uploads: false,
    stop: NEVER,
    abort: NEVER,
    onLeft: () => undefined,
  });
  expect([left, upload, sandbox.state().guides]).toEqual([[], null, []]);
  return translation;
}

type Lie = (ask: Ask) => Ask;

/** Looks at `langid` of a guide, and not at that of a step. */
const writesOverSteps: Lie = (ask) => async (call, signal) => {
  const [guide, step] = call.path.split("/steps/");
  if (call.method !== "PATCH" || step === undefined) return ask(call, signal);
  const { json } = await ask({ path: guide ?? "" }, signal);
  const { steps } = json as { readonly steps: readonly { readonly revisionid: number }[] };
  return ask({ ...call, path: call.path.replace(/\?.*/, `?revisionid=${steps[0]?.revisionid}`) }, signal);
};

/** Answers an edit as if it was done. */
const doesNothing =
  (fits: RegExp, shown: (path: string) => string): Lie =>
  (ask) =>
  (call, signal) =>
    call.method === "PATCH" && fits.test(call.path) ? ask({ path: shown(call.path) }, signal) : ask(call, signal);

const takesOldRevisions: Lie = (ask) => async (call, signal) => {
  const told = await ask(call, signal);
  return JSON.stringify(call.json ?? null).includes("old revision") ? { ...told, status: 200 } : told;
};

/** A translation shows the revision that the guide had before. */
const hasNoRevision: Lie = (ask) => {
  let first: unknown;
  return async (call, signal) => {
    const told = await ask(call, signal);
    const json = told.json as { readonly revisionid?: unknown } | undefined;
    if (told.status !== 200 || json?.revisionid === undefined || call.path.includes("/steps/")) return told;
    first ??= json.revisionid;
    return call.path.includes("langid=de") ? { ...told, json: { ...json, revisionid: first } } : told;
  };
};

it("takes a site for one that takes translations, in the first language that it does not refuse", async () => {
  for (const dialect of ["dozuki", "ifixit"] as const)
    expect(await probed({ guideTranslations: "yes", dialect })).toEqual({
      isDone: true,
      says: "a private guide was translated into de and read back",
    });
});

it("takes either of the two revision fields", async () => {
  expect(await probed({ guideTranslations: "yes", revisionField: "revisionid" })).toMatchObject({ isDone: true });
});

it("says no where every language is refused", async () => {
  expect(await probed({ guideTranslations: "refused" })).toMatchObject({
    isDone: false,
    says: expect.stringMatching(/refuses translations of guides \(tlh: .*; de: /),
  });
});

it.each<[string, SandboxOptions, Lie | undefined, RegExp]>([
  ["writes over the source text", { guideTranslations: "no" }, undefined, /a translation replaces the text/],
  [
    "writes over the text of a step only",
    { guideTranslations: "yes" },
    writesOverSteps,
    /a translation replaces the text/,
  ],
  [
    "does nothing with a guide's translation",
    { guideTranslations: "yes" },
    doesNothing(/guides/, (path) => path.replace(/\?.*/, "")),
    /missing when it is read back/,
  ],
  [
    "does nothing with a step's translation",
    { guideTranslations: "yes" },
    doesNothing(/steps/, (path) => path.replace(/\/steps.*/, "")),
    /step is missing/,
  ],
  ["takes an edit from an old revision", { guideTranslations: "yes" }, takesOldRevisions, /was answered 200/],
  [
    "shows no revision that moves",
    { guideTranslations: "yes", dialect: "ifixit" },
    hasNoRevision,
    /no revision of its own/,
  ],
])("says no where a site %s", async (_what, options, lie, says) => {
  expect(await probed(options, lie)).toEqual({ isDone: false, says: expect.stringMatching(says) });
});

it.each(["PATCH", "GET"])("leaves it open where a site is in trouble at a %s", async (method) => {
  const trouble = (ask: Ask): Ask => {
    let translating = false;
    return async (call, signal) => {
      translating ||= call.method === "PATCH";
      const told = await ask(call, signal);
      const isFirst = translating && (call.method ?? "GET") === method && call.path.includes("langid=de");
      return isFirst ? { ...told, status: 503 } : told;
    };
  };
  expect(await probed({ guideTranslations: "yes" }, trouble)).toMatchObject({ isDone: null });
});
