import { copyFile, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type EntryPart, entryRegion, tailRegion } from "./zip-regions.js";

/**
 * The files of the five nights that are damaged. Snapshots are counted from 1; 1 and 4 are full, 1
 * has parts.
 */
export interface DamagePlace {
  readonly folder: string;
  /** Of another site, with files of the same names but for their beginning. */
  readonly other: string;
  readonly encrypted: boolean;
  /** A file of snapshot `night`: its main archive, its first part, its index. */
  file(night: number, what: "main" | "part" | "index"): string;
  /** Where the bytes of an item or medium lie that snapshot 1 wrote. */
  readonly item: { readonly archive: string; readonly path: string };
  readonly medium: { readonly archive: string; readonly path: string };
}

export interface DamageCase {
  readonly name: string;
  /** Plain archives only, where single bytes have a meaning. */
  readonly plain?: true;
  do(place: DamagePlace): Promise<unknown>;
}

const path = ({ folder }: DamagePlace, file: string): string => join(folder, file);

async function flipAt(file: string, at: number): Promise<void> {
  const bytes = await readFile(file);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
  await writeFile(file, bytes);
}

async function half(place: DamagePlace, file: string): Promise<void> {
  const { length } = await readFile(path(place, file));
  await truncate(path(place, file), Math.floor(length / 2));
}

async function flipIn(place: DamagePlace, archive: string, entry: string, part: EntryPart): Promise<void> {
  const { from, to } = await entryRegion(place.folder, archive, entry, part);
  // The two bytes at 4 are the version that is needed to read it, which nobody goes by.
  await flipAt(path(place, archive), part === "header" ? from + 14 : Math.floor((from + to) / 2));
}

async function flipTail(place: DamagePlace, archive: string, part: "list" | "end"): Promise<void> {
  const { from, to } = await tailRegion(place.folder, archive, part);
  await flipAt(path(place, archive), part === "end" ? from + 16 : Math.floor((from + to) / 2));
}

async function swap(place: DamagePlace, one: string, other: string): Promise<void> {
  await rename(path(place, one), path(place, "swapped"));
  await rename(path(place, other), path(place, one));
  await rename(path(place, "swapped"), path(place, other));
}

const GONE = [
  ["the part of the full one", 1, "part"],
  ["the main archive of the full one", 1, "main"],
  ["the first incremental one", 2, "main"],
  ["the second incremental one", 3, "main"],
  ["the second full one", 4, "main"],
  ["the last incremental one", 5, "main"],
] as const;

export const DAMAGE: readonly DamageCase[] = [
  ...GONE.map(([name, night, what]) => ({
    name: `missing: ${name}`,
    do: (place: DamagePlace) => rm(path(place, place.file(night, what))),
  })),
  ...GONE.map(([name, night, what]) => ({
    name: `cut in half: ${name}`,
    do: (place: DamagePlace) => half(place, place.file(night, what)),
  })),
  { name: "empty: the first incremental one", do: (place) => truncate(path(place, place.file(2, "main")), 0) },
  ...([1, 3, 5] as const).map((night) => ({
    name: `missing: the index of snapshot ${night}`,
    do: (place: DamagePlace) => rm(path(place, place.file(night, "index"))),
  })),
  {
    name: "one bit: the first byte of an index",
    do: (place) => flipAt(path(place, place.file(2, "index")), 0),
  },
  { name: "one bit: the first byte of repository.json", do: (place) => flipAt(path(place, "repository.json"), 0) },
  { name: "missing: repository.json", do: (place) => rm(path(place, "repository.json")) },
  ...(["header", "name", "data"] as const).flatMap((part) =>
    (["item", "medium"] as const).map((what) => ({
      name: `one bit: the ${part} of ${what === "item" ? "an item" : "a medium"}`,
      plain: true as const,
      do: (place: DamagePlace) => flipIn(place, place[what].archive, place[what].path, part),
    })),
  ),
  ...(["items.ndjson", "media.ndjson", "manifest.json", "README.txt"] as const).map((entry) => ({
    name: `one bit: ${entry} of snapshot 3`,
    plain: true as const,
    do: (place: DamagePlace) => flipIn(place, place.file(3, "main"), entry, "data"),
  })),
  ...(["list", "end"] as const).flatMap((part) =>
    (
      [
        ["part", 1],
        ["main", 3],
      ] as const
    ).map(([what, night]) => ({
      name: `one bit: the ${part === "list" ? "list of entries" : "end record"} of the ${what} ${night}`,
      plain: true as const,
      do: (place: DamagePlace) => flipTail(place, place.file(night, what), part),
    })),
  ),
  { name: "one bit: at the beginning of the part 1", do: (place) => flipAt(path(place, place.file(1, "part")), 40) },
  {
    name: "one bit: at the beginning of the second incremental one",
    do: (place) => flipAt(path(place, place.file(3, "main")), 60),
  },
  {
    name: "one bit: at the end of the first incremental one",
    do: async (place) => {
      const { length } = await readFile(path(place, place.file(2, "main")));
      await flipAt(path(place, place.file(2, "main")), length - 8);
    },
  },
  {
    name: "one bit: in the second full one, which the last one needs",
    do: (place) =>
      place.encrypted
        ? flipAt(path(place, place.file(4, "main")), 2000)
        : flipIn(place, place.file(4, "main"), place.item.path, "data"),
  },
  { name: "a foreign file", do: (place) => writeFile(path(place, "holiday.jpg"), "not of a backup") },
  {
    name: "a foreign zip with a name of ours",
    do: (place) => writeFile(path(place, place.file(2, "main").replace(/\d{8}T/, "20990101T")), "not even a zip"),
  },
  { name: "swapped: two incremental ones", do: (place) => swap(place, place.file(2, "main"), place.file(3, "main")) },
  { name: "swapped: part and main archive", do: (place) => swap(place, place.file(1, "part"), place.file(1, "main")) },
  {
    name: "mixed: archive and index of another site",
    do: async (place) => {
      for (const what of ["main", "index"] as const) {
        const name = place.file(2, what).replace(/^looms/, "other");
        await copyFile(join(place.other, name), path(place, name));
      }
    },
  },
  {
    name: "mixed: an archive of another site under a name of ours",
    do: (place) =>
      copyFile(join(place.other, place.file(2, "main").replace(/^looms/, "other")), path(place, place.file(2, "main"))),
  },
];
