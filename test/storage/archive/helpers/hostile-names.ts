import type { Code } from "../../../../src/storage/archive/findings.js";
import { type Part, zipBytes } from "./zip-bytes.js";

/** What it is, its bytes, and every code that refuses it. */
export interface Hostile {
  readonly what: string;
  readonly bytes: () => Buffer;
  readonly codes: readonly Code[];
}

const good: Part = { name: "good.xml", content: "<guide/>" };

function named(what: string, name: string | Buffer, ...codes: readonly Code[]): Hostile {
  return { what, bytes: () => zipBytes([good, { name, content: "evil" }]), codes };
}

function together(what: string, names: readonly string[], ...codes: readonly Code[]): Hostile {
  const parts = names.map((name) => ({ name, content: name.endsWith("/") ? "" : "text" }));
  return { what, bytes: () => zipBytes([good, ...parts]), codes };
}

function special(what: string, part: Part, ...codes: readonly Code[]): Hostile {
  return { what, bytes: () => zipBytes([good, part]), codes };
}

/** Archives that are refused for their entries' names and kinds. */
export const HOSTILE_NAMES: readonly Hostile[] = [
  named("a name that climbs", "../../etc/passwd", "E_ZIP_PATH_TRAVERSAL"),
  named("a name that climbs from below", "a/../../b.txt", "E_ZIP_PATH_TRAVERSAL"),
  named("a name that climbs with back-slashes", "..\\..\\b.txt", "E_ZIP_PATH_TRAVERSAL"),
  named("a name that climbs at its end", "a/..", "E_ZIP_PATH_TRAVERSAL"),
  named("a name at the root", "/etc/passwd", "E_ZIP_PATH_ABSOLUTE"),
  named("a name at the root with a back-slash", "\\windows\\a.txt", "E_ZIP_PATH_ABSOLUTE"),
  named("a name on a drive", "C:/a.txt", "E_ZIP_PATH_ABSOLUTE"),
  named("a name on a drive's own folder, or with a stream", "c:a.txt", "E_ZIP_PATH_ABSOLUTE", "E_ZIP_PATH_INVALID"),
  named("the root itself, with content", "/", "E_ZIP_PATH_ABSOLUTE", "E_ZIP_PATH_INVALID", "E_ZIP_CORRUPT"),
  named("a name that climbs where spaces at its end don't count", ".. /a.txt", "E_ZIP_PATH_TRAVERSAL"),
  named("a name on a server", "\\\\server\\share\\a.txt", "E_ZIP_PATH_ABSOLUTE"),
  named("no name", "", "E_ZIP_PATH_INVALID"),
  named("a dot as a name", ".", "E_ZIP_PATH_INVALID"),
  named("an empty segment", "a//b.txt", "E_ZIP_PATH_INVALID"),
  named("a NUL in a name", "a.xml\0.jpg", "E_ZIP_PATH_INVALID"),
  named("a line feed in a name", "a\nb.txt", "E_ZIP_PATH_INVALID"),
  named("an escape in a name of code page 437", Buffer.from([0x61, 0x1b, 0x62]), "E_ZIP_PATH_INVALID"),
  named("a C1 control in a name", "a\u009bb.txt", "E_ZIP_PATH_INVALID"),
  named("a stream of another file", "a.txt:hidden", "E_ZIP_PATH_INVALID"),
  named("a segment that is too long", `${"a".repeat(256)}.txt`, "E_ZIP_PATH_INVALID"),
  named("a path that is too long", `${"abcdefgh/".repeat(120)}a.txt`, "E_ZIP_PATH_INVALID"),
  named("a path of 60,000 bytes", `${"abcdefg/".repeat(7500)}a`, "E_ZIP_PATH_INVALID"),
  special(
    "a name that says it is UTF-8 and is not",
    { name: Buffer.from([0x61, 0xff, 0x62]), content: "text" },
    "E_ZIP_PATH_INVALID",
  ),
  together(
    "a file that is a folder too, with names between them",
    ["a", "a!", "a-b", "a/b", "a0"],
    "E_ZIP_NAME_COLLISION",
  ),
  together("the same name twice", ["a.txt", "a.txt"], "E_ZIP_DUPLICATE_NAME"),
  together("the same name by another slash", ["a/b.txt", "a\\b.txt"], "E_ZIP_DUPLICATE_NAME"),
  together("the same name by a dot", ["a/b.txt", "a/./b.txt"], "E_ZIP_DUPLICATE_NAME"),
  together("names that differ in case", ["a/B.txt", "A/b.txt"], "E_ZIP_NAME_COLLISION"),
  together("names that differ in case beyond ASCII", ["Ä.txt", "ä.txt"], "E_ZIP_NAME_COLLISION"),
  together("names that folding joins", ["straße", "STRASSE"], "E_ZIP_NAME_COLLISION"),
  together("names that differ in Unicode form", ["caf\u00e9", "cafe\u0301"], "E_ZIP_NAME_COLLISION"),
  together("names that differ in dots at the end", ["a.txt", "a.txt. ."], "E_ZIP_NAME_COLLISION"),
  together("a file that is a folder", ["a", "a/b.txt"], "E_ZIP_NAME_COLLISION"),
  together("a file that is a folder in another case", ["media/x", "MEDIA"], "E_ZIP_NAME_COLLISION"),
  together("a file and a folder of one name", ["a", "a/"], "E_ZIP_NAME_COLLISION"),
  special("a symbolic link", { name: "a", content: "/etc/passwd", mode: 0o120777 }, "E_ZIP_SYMLINK"),
  special("a link that DOS made", { name: "a", content: "b", mode: 0o120777, madeBy: 0 }, "E_ZIP_SYMLINK"),
  special(
    "a link in PKWARE's field",
    { name: "a", content: "b", both: { extra: Buffer.concat([Buffer.from([0x0d, 0, 16, 0]), Buffer.alloc(16, 97)]) } },
    "E_ZIP_SYMLINK",
  ),
  special(
    "a link in ASi's field",
    {
      name: "a",
      content: "b",
      both: { extra: Buffer.concat([Buffer.from([0x6e, 0x75, 18, 0]), Buffer.alloc(18, 97)]) },
    },
    "E_ZIP_SYMLINK",
  ),
  special("a character device", { name: "a", mode: 0o020666 }, "E_ZIP_SPECIAL_FILE"),
  special("a block device", { name: "a", mode: 0o060666 }, "E_ZIP_SPECIAL_FILE"),
  special("a socket", { name: "a", mode: 0o140666 }, "E_ZIP_SPECIAL_FILE"),
];
