import type { Judgement } from "../../../transforms/training/judgement.js";
import { type GuardedFiles, guardArchive } from "../../storage/archive/guard-archive.js";
import { guardFolder } from "../../storage/archive/open-folder.js";
import type { CheckedPackage, OpenPackage } from "../package.js";
import { archiveRepairs, leavesFilesAlone, rootRepair } from "./archive-repairs.js";
import { fromGuard, joinFindings, verdictOf } from "./checked-package.js";
import { findForm } from "./find-form.js";
import { judgeContent, judgeNames } from "./judge-content.js";
import { judgeLoneManifest } from "./lone-manifest.js";
import type { PackageOptions } from "./package-options.js";

/** A package that was looked at, with what it takes to normalise it. */
export interface LookedAt extends OpenPackage {
  /** sha256 of the contents by path, where they were asked for and are known already. */
  readonly digests: ReadonlyMap<string, string>;
  /** Is it an archive whose files all stand there as they would be written? What the manifest needs is not asked. */
  readonly isTidyArchive: boolean;
}

export interface LookOptions extends PackageOptions {
  /** Also take the sha256 of each content while the guard reads it. */
  readonly hashContents?: boolean;
}

/** Looks at a package in whatever form it comes. A bad one is no error; throws ArchiveError for what can't be read at all. */
export async function lookAtPackage(path: string, options: LookOptions): Promise<LookedAt> {
  options.signal?.throwIfAborted();
  const source = options.source ?? path;
  const form = await findForm(path, source);
  if (form === "lone-manifest") return lookAtManifest(path, source, options);
  const guarded = form === "folder" ? await guardFolder(path, options) : await guardArchive(path, options);
  try {
    return await lookAtFiles(guarded, source, form === "archive", options);
  } catch (error) {
    await guarded.close();
    throw error;
  }
}

async function lookAtManifest(path: string, source: string, options: LookOptions): Promise<LookedAt> {
  const { judgement, files, bytes } = await judgeLoneManifest(path, source, options);
  const { findings, findingsLeft, module, repairs, lone } = judgement;
  const verdict = verdictOf(findings);
  const isUsable = verdict !== "refuse" && lone === "package";
  return {
    checked: { file: source, verdict, findings, findingsLeft, module, repairs, bytes, lone },
    content: isUsable ? { files, judgement } : null,
    digests: new Map(),
    isTidyArchive: false,
    close: async () => undefined,
  };
}

async function lookAtFiles(
  guarded: GuardedFiles,
  source: string,
  isArchive: boolean,
  options: LookOptions,
): Promise<LookedAt> {
  const { files, bytes, digests } = guarded;
  const judgement = files === null ? null : await judgeContent(files, options);
  const ofPackage = judgement === null ? judgeNames(guarded, options) : judgement.findings;
  const findings = joinFindings(fromGuard(guarded.findings, options.profile), ofPackage);
  const checked: CheckedPackage = {
    file: source,
    verdict: verdictOf(findings),
    findings,
    findingsLeft: guarded.findingsLeft + (judgement?.findingsLeft ?? 0),
    module: judgement?.module ?? null,
    repairs: judgement === null ? [] : repairsOf(guarded, judgement),
    bytes,
    lone: null,
  };
  const isUsable = files !== null && judgement !== null && checked.verdict !== "refuse";
  if (!isUsable) await guarded.close();
  return {
    checked,
    content: isUsable ? { files, judgement } : null,
    digests,
    isTidyArchive: isArchive && guarded.findings.every(leavesFilesAlone),
    close: () => guarded.close(),
  };
}

function repairsOf({ findings }: GuardedFiles, judgement: Judgement): CheckedPackage["repairs"] {
  return [...archiveRepairs(findings), ...rootRepair(judgement), ...judgement.repairs];
}
