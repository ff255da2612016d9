import type { Code } from "./codes.js";
import type { ArchiveLimits } from "./limits.js";

/** A path as it is used, and what is wrong with it. */
export interface CheckedPath {
  /** Slashes, no `./`, Unicode NFC; without the slash at a folder's end. Only to be used when no fault is an error. */
  readonly path: string;
  /** The same before NFC. */
  readonly spelling: string;
  readonly faults: readonly { readonly code: Code; readonly detail: string }[];
}

/** Looks at one name of an archive's entry or below a folder, whichever way it is written. */
export function checkPath(name: string, limits: Pick<ArchiveLimits, "pathBytes" | "segmentBytes">): CheckedPath {
  const faults: { code: Code; detail: string }[] = [];
  const slashed = name.replaceAll("\\", "/");
  if (slashed !== name) faults.push({ code: "W_ZIP_BACKSLASH", detail: "its name has back-slashes" });
  const segments = slashed.replace(/\/$/, "").split("/");
  const kept = segments.filter((segment) => segment !== "." || segments.length === 1);
  if (kept.length !== segments.length) faults.push({ code: "W_ZIP_NAME_DOT_SEGMENT", detail: "its name has `./`" });
  const spelling = kept.join("/");
  const path = spelling.normalize("NFC");
  if (path !== spelling) faults.push({ code: "W_ZIP_NAME_NFD", detail: "its name is in Unicode form D" });
  const parts = path === spelling ? kept : path.split("/");
  if (slashed === "/") faults.push({ code: "E_ZIP_PATH_ABSOLUTE", detail: "its name is the root itself" });
  for (const { code, detail, isWrong } of RULES) if (isWrong(path, limits, parts)) faults.push({ code, detail });
  return { path, spelling, faults };
}

interface PathRule {
  readonly code: Code;
  readonly detail: string;
  readonly isWrong: (
    path: string,
    limits: Pick<ArchiveLimits, "pathBytes" | "segmentBytes">,
    segments: readonly string[],
  ) => boolean;
}

const RULES: readonly PathRule[] = [
  {
    code: "E_ZIP_PATH_ABSOLUTE",
    detail: "its name starts at a root, a drive or a server",
    isWrong: (path) => /^(?:\/|[A-Za-z]:)/.test(path),
  },
  {
    code: "E_ZIP_PATH_TRAVERSAL",
    detail: "its name climbs out with `..`",
    isWrong: (_path, _limits, segments) => segments.some((segment) => /^\.\. *$/.test(segment)),
  },
  { code: "E_ZIP_PATH_INVALID", detail: "its name is empty", isWrong: (path) => path === "" || path === "." },
  {
    code: "E_ZIP_PATH_INVALID",
    detail: "its name has an empty segment",
    isWrong: (path) => /[^/]\/(?:\/|$)/.test(path),
  },
  {
    code: "E_ZIP_PATH_INVALID",
    detail: "its name has a control character",
    isWrong: (path) => /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(path),
  },
  {
    code: "E_ZIP_PATH_INVALID",
    detail: "its name has a colon",
    isWrong: (path) => path.includes(":") && !/^[A-Za-z]:\/[^:]*$/.test(path),
  },
  {
    code: "E_ZIP_PATH_INVALID",
    detail: "its name is too long",
    isWrong: (path, { pathBytes }) => Buffer.byteLength(path) > pathBytes,
  },
  {
    code: "E_ZIP_PATH_INVALID",
    detail: "a part of its name is too long",
    isWrong: (_path, { segmentBytes }, segments) =>
      segments.some((segment) => Buffer.byteLength(segment) > segmentBytes),
  },
  {
    code: "W_ZIP_NAME_RESERVED",
    detail: "Windows can't write its name",
    isWrong: (_path, _limits, segments) => segments.some((segment) => RESERVED.test(segment)),
  },
  {
    code: "W_ZIP_NAME_BIDI",
    detail: "its name has marks that no one sees",
    isWrong: (path) => /\p{Cf}/u.test(path),
  },
];

/** Microsoft, "Naming files, paths, and namespaces". `..` is told by another rule. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)|[<>"|?*]|[^. ][. ]+$|^ +$|^\.{3,}$/i;
