import type { TranslationProbe, TranslationTrial } from "../../core/contracts.js";
import type { Ask } from "../check/ask.js";
import type { Home } from "../check/probe-guide.js";
import { probeNames } from "../check/probe-names.js";
import { thingOf } from "../check/probe-thing.js";
import { probeWrite } from "../check/probe-write.js";
import { removeProbe } from "../check/remove-probe.js";
import type { Client } from "../client.js";
import { asJson } from "./as-left.js";

/** A target's trial of translations, and what was decided. */
export interface Trial {
  readonly trial: TranslationTrial;
  readonly takesTranslations: () => boolean;
}

/** `ask`: undefined where no probe can be made. */
export function createTrial(client: Client, ask: Ask | undefined): Trial {
  let takes = false;
  const trial: TranslationTrial = {
    decide: (isTaken) => {
      takes = isTaken;
    },
    titles: () => {
      const { title, translated } = probeNames(new Date());
      return { title, translated };
    },
    probe: async ({ titles, like, languages }, { stop, abort }) => {
      if (ask === undefined) return NO_WAY;
      const query = { excludePrerequisiteSteps: true } as const;
      const home = homeOf((await client.get(`guides/${like}`, { query }, abort)).json);
      const names = { ...titles, file: "" };
      const signals = { stop, abort, onLeft: () => undefined };
      const facts = await probeWrite({ ask, root: client.root, names, home, languages, uploads: false, ...signals });
      const { guide, translation, left } = facts;
      const [thing] = left;
      return {
        isTaken: translation?.isDone ?? null,
        says: translation?.says ?? guide?.says ?? "it was stopped before",
        left: thing === undefined ? null : leftText(thing.title, thing.address, thing.why),
      };
    },
    clear: async (titles, signal) => {
      if (ask === undefined) return null;
      const thing = { ...thingOf("guide", titles.title, client.root), otherTitle: titles.translated };
      const removal = await removeProbe(ask, client.root, thing, signal);
      return removal.left === null ? null : leftText(thing.title, thing.address, removal.left);
    },
  };
  return { trial, takesTranslations: () => takes };
}

const NO_WAY: TranslationProbe = { isTaken: null, says: "there is no way to ask this target", left: null };

function leftText(title: string, address: string, why: string | null): string {
  return `guide «${title}» at ${address} (${why ?? "nobody deleted it"})`;
}

function homeOf(guide: unknown): Home {
  const { category, type, subject } = asJson(guide);
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  return { category: text(category), type: text(type), subject: text(subject) === "" ? null : text(subject) };
}
