import type { Guide, Part } from "../../../src/core/model/item.js";
import type { FitContext } from "../context.js";
import {
  type Breach,
  type Change,
  cure,
  type ElementRule,
  type FitRow,
  type FitRule,
  firstOf,
  fitEach,
  lost,
  noted,
  type Path,
  refused,
  unchanged,
  withField,
} from "../rule.js";
import { excerpt } from "../shorten.js";

const DIFFICULTY_ROW = {
  code: "difficulty",
  what: "Difficulty of a guide",
  limit: "Very easy, Easy, Moderate, Difficult or Very difficult",
  refuse: "refused",
  split: "left out (loss)",
  trim: "left out (loss)",
  source: "api-facts 3.8",
} as const satisfies FitRow;

/** A label that only another language or another site knows: sites are written to in English. */
export const difficulty: FitRule<Guide> = {
  rows: [DIFFICULTY_ROW],
  fit(guide, { limits, policy }) {
    if (guide.difficulty === null || limits.difficulties.includes(guide.difficulty)) return unchanged(guide);
    const breach = {
      code: DIFFICULTY_ROW.code,
      path: "difficulty",
      message: `the difficulty is "${guide.difficulty}", and the service takes ${limits.difficulties.join(", ")}`,
      remedy: "Set the difficulty at the target by hand.",
    };
    const leaveOut = () => ({ value: { ...guide, difficulty: null }, findings: [lost(breach, "it was left out")] });
    return cure(policy, guide, breach, { split: leaveOut, trim: leaveOut });
  },
};

const FLAGS_ROW = {
  code: "flag-not-settable",
  what: "Flags of a guide",
  limit: "those that the account may set, where the site tells them",
  refuse: "never refuses: left out, as under the other policies",
  split: "left out (loss; a note for those that a site sets by itself)",
  trim: "left out (loss; a note for those that a site sets by itself)",
  source: "api-facts 4.1, 4.8",
} as const satisfies FitRow;

/** Flags that a site puts on guides by itself, so that nobody misses them (api-facts 4.8). */
const SET_BY_SITES: ReadonlySet<string> = new Set(["GUIDE_USER_CONTRIBUTED", "GUIDE_NEW", "GUIDE_IN_PROGRESS"]);

/**
 * One flag too many and the site refuses the whole guide; a flag is a remark, and no reason to
 * leave a guide behind.
 */
export const flags: FitRule<Guide> = {
  rows: [FLAGS_ROW],
  fit(guide, { limits }) {
    const change = fitEach(guide.flags, (flag, index) => {
      if (limits.flags?.includes(flag) ?? true) return undefined;
      const breach: Breach = {
        code: FLAGS_ROW.code,
        path: `flags[${index}]`,
        message: `the account may not set the flag ${flag} at the target`,
        remedy: "Use an account that may set it, or let somebody set it who may.",
      };
      return { value: [], findings: [(SET_BY_SITES.has(flag) ? noted : lost)(breach, "it was left out")] };
    });
    return withField(guide, "flags", change);
  },
};

const GUIDE_TYPE_ROW = {
  code: "guide-type",
  what: "Type of a guide",
  limit: "the types that the site is set to, where it tells them",
  refuse: "refused",
  split: "the site's first type (loss)",
  trim: "the site's first type (loss)",
  source: "api-facts 3.8",
} as const satisfies FitRow;

/** A type that the target is not set to: each site chooses its own. */
export const guideType: FitRule<Guide> = {
  rows: [GUIDE_TYPE_ROW],
  fit(guide, { limits: { guideTypes }, policy }) {
    if (guideTypes === null || guideTypes.includes(guide.type)) return unchanged(guide);
    const [first] = guideTypes;
    const breach = {
      code: GUIDE_TYPE_ROW.code,
      path: "type",
      message: `the guide is of the type "${guide.type}", and the site takes ${guideTypes.join(", ") || "none"}`,
      remedy: `Say with --type-map ${JSON.stringify(`${guide.type}=${guideTypes[0] ?? "TYPE"}`)} what it is there, or let an administrator allow the type in the site's settings.`,
    };
    if (first === undefined) return { value: guide, findings: [refused(breach, "")] };
    const replace = () => ({
      value: { ...guide, type: first },
      findings: [lost(breach, `it is of the type "${first}" now`)],
    });
    return cure(policy, guide, breach, { split: replace, trim: replace });
  },
};

const SUBJECT_MISSING_ROW = {
  code: "subject-missing",
  what: "Subject of a guide",
  limit: "not empty, for the types that the site asks a subject for",
  refuse: "refused",
  split: "the guide's title (note)",
  trim: "the guide's title (note)",
  source: "api-facts 3.8",
} as const satisfies FitRow;

/** A guide without a subject, of a type that has a subject prompt at the target. */
export const subjectMissing: FitRule<Guide> = {
  rows: [SUBJECT_MISSING_ROW],
  fit(guide, { limits: { subjectTypes }, policy }) {
    if (guide.subject.trim() !== "" || !subjectTypes.includes(guide.type)) return unchanged(guide);
    const breach = {
      code: SUBJECT_MISSING_ROW.code,
      path: "subject",
      message: `the guide has no subject, and the site asks one for guides of the type "${guide.type}"`,
      remedy: "Give it a subject at the source, or let an administrator take the prompt out of the site's settings.",
    };
    const fill = () => ({
      value: { ...guide, subject: guide.title },
      findings: [noted(breach, "its title stands there now")],
    });
    return cure(policy, guide, breach, { split: fill, trim: fill });
  },
};

const PART_NAME_ROW = {
  code: "part-name",
  what: "Name of a part or tool",
  limit: "not empty",
  refuse: "refused",
  split: "left out (loss)",
  trim: "left out (loss)",
  source: "specification, POST /guides (`name` is required)",
} as const satisfies FitRow;

/**
 * The name is what the site looks the item page up by, or makes one of: nothing can stand in its
 * place.
 */
const partName: ElementRule<Part, Path> = {
  row: PART_NAME_ROW,
  fit(part, path, { policy }) {
    if (part.name.trim() !== "") return undefined;
    const breach = {
      code: PART_NAME_ROW.code,
      path: `${path}.name`,
      message: `the entry has no name (type ${excerpt(part.type)}, notes ${excerpt(part.notes)}, address ${excerpt(part.url ?? "")})`,
      remedy: "Name it at the source, or remove it.",
    };
    const leaveOut = () => ({ value: [], findings: [lost(breach, "it was left out")] });
    return cure<readonly Part[]>(policy, [part], breach, { split: leaveOut, trim: leaveOut });
  },
};

const PART_QUANTITY_ROW = {
  code: "part-quantity",
  what: "Quantity of a part or tool",
  limit: "a positive whole number",
  refuse: "refused",
  split: "1, with the quantity at the beginning of the notes: `× 1.5` (note)",
  trim: "1 (loss)",
  source: "specification, Limits",
} as const satisfies FitRow;

/** A quantity such as 0 or 1.5. One that was never given is not sent. */
const partQuantity: ElementRule<Part, Path> = {
  row: PART_QUANTITY_ROW,
  fit(part, path, { policy }) {
    if (part.quantity === null || (Number.isSafeInteger(part.quantity) && part.quantity > 0)) return undefined;
    const breach = {
      code: PART_QUANTITY_ROW.code,
      path: `${path}.quantity`,
      message: `the quantity of "${part.name}" is ${part.quantity}, and the service takes positive whole numbers only`,
      remedy: "Correct the quantity at the source.",
    };
    const told = `× ${part.quantity}`;
    const notes = part.notes === "" ? told : `${told}; ${part.notes}`;
    return cure<readonly Part[]>(policy, [part], breach, {
      split: () => ({
        value: [{ ...part, quantity: 1, notes }],
        findings: [noted(breach, `it is 1 now, and the notes begin with "${told}"`)],
      }),
      trim: () => ({ value: [{ ...part, quantity: 1 }], findings: [lost(breach, "it is 1 now")] }),
    });
  },
};

/** What is asked of each part and tool: one without a name goes, whatever its quantity. */
const PART_RULES: readonly ElementRule<Part, Path>[] = [partName, partQuantity];

/** Parts and tools. */
export const parts: FitRule<Guide> = {
  rows: PART_RULES.map((rule) => rule.row),
  fit(guide, context) {
    const withParts = withField(guide, "parts", fitList(guide.parts, "parts", context));
    const withTools = withField(withParts.value, "tools", fitList(guide.tools, "tools", context));
    return { value: withTools.value, findings: [...withParts.findings, ...withTools.findings] };
  },
};

function fitList(list: readonly Part[], path: Path, context: FitContext): Change<readonly Part[]> {
  return fitEach(list, (part, index) => firstOf(PART_RULES, part, `${path}[${index}]`, context));
}
