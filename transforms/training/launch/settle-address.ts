import type { Judging } from "../judging.js";
import { shown } from "../shown.js";
import type { TrainingCode } from "../training-codes.js";
import { type Address, type Bases, readAddress } from "./address.js";
import { changeCase, changeForm, changeRoot, changeSlashes } from "./change-address.js";
import { type Change, noteChange } from "./note-change.js";

/** An address of a manifest, and what is said when it leads nowhere. */
export interface AddressUse {
  readonly written: string;
  readonly bases?: Bases;
  readonly place: string;
  /** Who names it: `item "I1"`. */
  readonly owner: string;
  readonly missing: TrainingCode;
  readonly unsafe: TrainingCode;
  /** Takes note of a change of the address where it is written; none: what is wrong with it is only told. */
  readonly mend?: (change: Change) => void;
  /** Is an address of the web nothing to tell of? */
  readonly isExternalFine?: boolean;
}

export interface Settled {
  /** As a learner's browser asks for it; null: it is not safe. */
  readonly launch: string | null;
  /** The file in the archive; null: none. */
  readonly file: string | null;
}

/** Looks an address up among the package's files and tells what is wrong with it. */
export function settleAddress(use: AddressUse, judging: Judging): Settled {
  const address = readAddress(use.written, use.bases);
  if (address.hasBackslash) tellBackslash(use, judging);
  if (address.kind === "inside") return settleInside(address, use, judging);
  if (address.kind === "external") {
    if (!judging.external.has(address.url) && use.isExternalFine !== true)
      judging.findings.add(
        "W_MAN_EXTERNAL_HREF",
        use.place,
        `${use.owner} leads to ${shown(address.url)}, which is not in the package`,
      );
    judging.external.add(address.url);
    return { launch: address.url, file: null };
  }
  judging.findings.add(use.unsafe, use.place, `${use.owner} leads to "${shown(use.written)}": ${address.why}`);
  return { launch: null, file: null };
}

function settleInside(
  address: Extract<Address, { readonly kind: "inside" }>,
  use: AddressUse,
  judging: Judging,
): Settled {
  const { files, findings } = judging;
  if (address.beginsAtRoot) tellRoot(use, judging);
  if (files === null) return { launch: address.launch, file: null };
  const found = files.find(address.paths);
  if (found === undefined) {
    findings.add(
      use.missing,
      use.place,
      `${use.owner} leads to "${shown(use.written)}", and no such file is in the package`,
    );
    return { launch: address.launch, file: null };
  }
  if (!found.isExact) tellCase(use, found.path, judging);
  if (use.mend !== undefined && changeForm(use.written) !== use.written)
    noteChange("W_ZIP_NAME_NFD", changeForm, use.mend, judging);
  return { launch: address.launch, file: found.path };
}

function tellBackslash(use: AddressUse, judging: Judging): void {
  judging.findings.add("W_MAN_HREF_BACKSLASH", use.place, `${use.owner} leads to "${shown(use.written)}"`);
  if (use.mend !== undefined) noteChange("W_MAN_HREF_BACKSLASH", changeSlashes, use.mend, judging);
}

function tellRoot(use: AddressUse, judging: Judging): void {
  judging.findings.add("W_MAN_HREF_ROOT", use.place, `${use.owner} leads to "${shown(use.written)}"`);
  if (use.mend !== undefined) noteChange("W_MAN_HREF_ROOT", changeRoot, use.mend, judging);
}

function tellCase(use: AddressUse, path: string, judging: Judging): void {
  judging.findings.add(
    "W_MAN_CASE_MISMATCH",
    use.place,
    `${use.owner} leads to "${shown(use.written)}", and the file is ${path}`,
  );
  if (judging.fixCase && use.mend !== undefined)
    noteChange("W_MAN_CASE_MISMATCH", (written) => changeCase(written, path), use.mend, judging);
}
