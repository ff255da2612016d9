import type { Format, TransformSpec } from "../src/core/formats.js";
import { omanual } from "./omanual/format.js";
import { readBundle } from "./omanual/write/read-bundle.js";
import { isOwnSidecar } from "./omanual/write/sidecar.js";
import { relabelBareLinks, stripDeadReferences } from "./steps/links.js";
import { normaliseSyntax } from "./steps/normalise-syntax.js";
import { renameCategory, renameType } from "./steps/rename.js";
import { replaceHost } from "./steps/replace-host.js";

/**
 * The transforms that a run can choose by name, in the order in which messages list them. `fit` and
 * the reference pass are no entries here, since every load applies them.
 */
export const TRANSFORMS: readonly TransformSpec<unknown, string>[] = [
  replaceHost,
  renameCategory,
  renameType,
  relabelBareLinks,
  stripDeadReferences,
  normaliseSyntax,
];

/**
 * The kinds of documents that content comes in or goes out as; the first that accepts a package's
 * paths reads it.
 */
export const FORMATS: readonly Format[] = [
  {
    ...omanual,
    // A bundle of pages alone has no document: they are in their sidecars.
    accepts: (paths) => omanual.accepts(paths) || paths.some(isOwnSidecar),
    read: (files, report) => readBundle(files, report),
  },
];
