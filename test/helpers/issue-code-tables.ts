import { DOCUMENT_CODES } from "../../src/core/model/document-codes.js";
import { type CodeTable, SITE_CODES } from "../../src/core/model/issue-codes.js";
import { TEXT_CODES } from "../../src/core/model/text-codes.js";
import { CODES as ARCHIVE_CODES } from "../../src/storage/archive/findings.js";
import { FIT_RULES, tableOf } from "../../transforms/fit/fit.js";
import { TRANSFORMS } from "../../transforms/index.js";
import { PROFILE_CHANGES, PROFILES } from "../../transforms/training/profile.js";
import { TRAINING_CODES } from "../../transforms/training/training-codes.js";

/** The codes of issues by area, with what the reader can do about a code without a remedy of its own. */
export const CODE_AREAS: Readonly<Record<string, { readonly codes: CodeTable; readonly remedy: string }>> = {
  extract: { codes: SITE_CODES.extract, remedy: "Nothing." },
  load: { codes: SITE_CODES.load, remedy: "Nothing." },
  transforms: {
    codes: Object.assign({}, ...TRANSFORMS.map(({ codes }) => codes ?? {})) as CodeTable,
    remedy: "Nothing. The transform does what was asked.",
  },
  wiki: { codes: TEXT_CODES.wiki, remedy: "Nothing, if the reading is right. Otherwise correct the text." },
  read: { codes: TEXT_CODES.read, remedy: "Look at the place in the result and correct it there." },
  write: { codes: TEXT_CODES.write, remedy: "Look at the place in the result and correct it there." },
  page: { codes: TEXT_CODES.page, remedy: "Look at the place in the result and correct it there." },
  manual: { codes: DOCUMENT_CODES.manual, remedy: "Correct the document, or the loaded item by hand." },
  xml: { codes: DOCUMENT_CODES.xml, remedy: "Correct the document at the line and column of the message." },
  bundle: { codes: DOCUMENT_CODES.bundle, remedy: "Nothing. guideferry.json in the bundle keeps the value." },
};

/** The tables of docs/reference/issue-codes.md. */
export function issueCodeTables(): Readonly<Record<string, string>> {
  const areas = Object.entries(CODE_AREAS).map(([name, { codes, remedy }]) => [
    name,
    table(
      ["Code", "Level", "Meaning", "What to do"],
      byName(codes).map(([code, [level, meaning, own = remedy]]) => [`\`${code}\``, level, meaning, own]),
    ),
  ]);
  return {
    ...Object.fromEntries(areas),
    fit: tableOf(FIT_RULES),
    archive: findingTable(ARCHIVE_CODES),
    training: findingTable(TRAINING_CODES),
    profiles: profileTable(),
  };
}

function findingTable(codes: Readonly<Record<string, { readonly meaning: string; readonly remedy: string }>>): string {
  return table(
    ["Code", "Meaning", "What to do"],
    Object.entries(codes).map(([code, { meaning, remedy }]) => [`\`${code}\``, sentence(meaning), remedy]),
  );
}

function profileTable(): string {
  const changed = [...new Set(PROFILES.flatMap((profile) => Object.keys(PROFILE_CHANGES[profile])))];
  return table(
    ["Code", ...PROFILES],
    changed.map((code) => [`\`${code}\``, ...PROFILES.map((profile) => PROFILE_CHANGES[profile][code] ?? "warning")]),
  );
}

function sentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}

function byName(codes: CodeTable) {
  return Object.entries(codes).sort(([one], [other]) => (one < other ? -1 : 1));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|").replaceAll("<", "\\<")).join(" | ")} |`)
    .join("\n");
}
