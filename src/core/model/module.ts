import { z } from "zod";

/** The standard of a package. Reports use these words (training modules, 2.1 and 2.2). */
const STANDARDS = [
  "scorm12",
  "scorm2004-2nd",
  "scorm2004-3rd",
  "scorm2004-4th",
  "aicc",
  "cmi5",
  "xapi-tincan",
] as const;
export type Standard = (typeof STANDARDS)[number];

/** An activity for a learner, or a heading above activities; in the order of the package. */
const moduleUnitSchema = z.object({
  /** From the package: an identifier, or an IRI. Empty: none. */
  id: z.string(),
  title: z.string(),
  /** Below the package's root, with query and fragment; a web address; null: a heading. */
  launch: z.string().nullable(),
  /** 0: outermost. */
  depth: z.int().nonnegative(),
  /** 0 to 1, or points in SCORM 1.2 and AICC, from the package; null: none. */
  masteryScore: z.number().nullable(),
});
export type ModuleUnit = Readonly<z.infer<typeof moduleUnitSchema>>;

/** A training package as the manifest describes it, whatever its standard. */
export const moduleSchema = z.object({
  standard: z.enum(STANDARDS),
  /** The manifest's own; authoring tools repeat it, so it identifies nothing. Empty: none. */
  identifier: z.string(),
  title: z.string(),
  /** As written: `en`, `de-DE`; null: unknown. */
  language: z.string().nullable(),
  units: z.array(moduleUnitSchema).readonly(),
  /** Web addresses in the package. They are listed and never opened. */
  external: z.array(z.string()).readonly(),
  /** SCORM 2004 sequencing is kept; not every system uses it. */
  usesSequencing: z.boolean(),
});
export type Module = Readonly<z.infer<typeof moduleSchema>>;
