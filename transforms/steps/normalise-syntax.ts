import { z } from "zod";
import type { TransformSpec } from "../../src/core/contracts.js";
import { mapTexts } from "./map-texts.js";
import { canonicalText } from "./syntax/canonical-text.js";

/** `normalise-syntax`: old and careless spellings of the wiki syntax become the ones that sites write today. */
export const normaliseSyntax: TransformSpec<Readonly<Record<string, never>>> = {
  name: "normalise-syntax",
  about: "write wiki texts the way that sites write them today; what they mean stays the same",
  options: z.strictObject({}),
  create: () => (item, report) => {
    const changed = mapTexts(item, (text, context, path) => {
      const canonical = canonicalText(text, context);
      if (canonical !== text) report({ ...NORMALISED, key: item.key, path });
      return canonical;
    });
    return [changed];
  },
};

const NORMALISED = {
  code: "syntax-normalised",
  level: "note",
  message: "Its wiki text is spelled the modern way now and means what it meant.",
} as const;
