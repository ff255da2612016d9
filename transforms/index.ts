import type { Format, TransformSpec } from "../src/core/formats.js";
import { omanual } from "./omanual/format.js";
import { readBundle } from "./omanual/write/read-bundle.js";
import { isOwnSidecar } from "./omanual/write/sidecar.js";
import { relabelBareLinks, stripDeadReferences } from "./steps/links.js";
import { normaliseSyntax } from "./steps/normalise-syntax.js";
import { renameCategory, renameType } from "./steps/rename.js";
import { replaceHost } from "./steps/replace-host.js";

/** In the order of messages, without `fit` and the reference pass, which apply to every load. */
export const TRANSFORMS: readonly TransformSpec<unknown, string>[] = [
  replaceHost,
  renameCategory,
  renameType,
  relabelBareLinks,
  stripDeadReferences,
  normaliseSyntax,
];

/** The first format that accepts a package's paths reads it. */
export const FORMATS: readonly Format[] = [
  {
    ...omanual,
    // A bundle of pages only has no document, only sidecars.
    accepts: (paths) => omanual.accepts(paths) || paths.some(isOwnSidecar),
    read: (files, report) => readBundle(files, report),
  },
];
