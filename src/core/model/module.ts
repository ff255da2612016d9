import { z } from "zod";

/** What a package was made for. The words stand in reports (training modules, 2.1 and 2.2). */
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

/** A thing that a learner opens, or a heading above such things; in the order of the package. */
const moduleUnitSchema = z.object({
  /** As the package names it: an identifier, or an IRI. Empty where it has none. */
  id: z.string(),
  title: z.string(),
  /** Below the package's root, with query and fragment; an address of the web; null: a heading. */
  launch: z.string().nullable(),
  /** 0: outermost. */
  depth: z.int().nonnegative(),
  /** 0 to 1, or points in SCORM 1.2 and AICC, as the package has it; null: none. */
  masteryScore: z.number().nullable(),
});
export type ModuleUnit = Readonly<z.infer<typeof moduleUnitSchema>>;

/** A training package as the manifest describes it, whatever its standard. */
export const moduleSchema = z.object({
  standard: z.enum(STANDARDS),
  /** The manifest's own; authoring tools repeat it, so it identifies nothing. Empty: none. */
  identifier: z.string(),
  title: z.string(),
  /** As written: `en`, `de-DE`; null: not told. */
  language: z.string().nullable(),
  units: z.array(moduleUnitSchema).readonly(),
  /** Addresses of the web that the package names. They are told of and never opened. */
  external: z.array(z.string()).readonly(),
  /** SCORM 2004 sequencing is carried along; not every system obeys it. */
  usesSequencing: z.boolean(),
});
export type Module = Readonly<z.infer<typeof moduleSchema>>;
