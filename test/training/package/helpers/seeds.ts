import { readFileSync, statSync } from "node:fs";
import {
  aiccPackage,
  cmi5Structure,
  type Package,
  scormManifest,
  scormPackage,
  tincan,
} from "../../../helpers/training-packages.js";
import { descriptor, type Part, zipBytes } from "../../../storage/archive/helpers/zip-bytes.js";
import { collection, IS_THERE, placeOf } from "./collection.js";
import { partsOf } from "./on-disk.js";

const COURSE = scormPackage({ family: "2004" }, { "media/a.mp4": 3000, "style.css": "a{}".repeat(200) });

function inFolder(made: Package, folder: string): Package {
  return Object.fromEntries(Object.entries(made).map(([path, content]) => [folder + path, content]));
}

/** Sizes behind each content, as programs write them that can't go back. */
function streamed(made: Package): readonly Part[] {
  return partsOf(made).map(({ name, content = "" }) => ({
    name,
    content,
    store: true,
    both: { flags: 0x8 },
    local: { crc32: 0, packedSize: 0, size: 0 },
    descriptor: descriptor(content, Buffer.from(content).length),
  }));
}

const MADE: readonly Buffer[] = [
  zipBytes(partsOf(COURSE)),
  zipBytes(partsOf(inFolder({ ...COURSE, "IMSManifest.xml": scormManifest().replace("Fire", "a & b") }, "x/"))),
  zipBytes(partsOf({ "cmi5.xml": cmi5Structure(), "index.html": "" }), { zip64: {}, count: 0xffff }),
  zipBytes(streamed({ "tincan.xml": tincan(), "index.html": "<p>" })),
  zipBytes(partsOf(aiccPackage()), { prefix: Buffer.from("#!/bin/sh\n"), isShifted: true, trailing: Buffer.from("x") }),
];

const SMALL = 30_000;

/** Archives to be broken: our own, and small real ones where the collection is there. */
export function zipSeeds(): readonly Buffer[] {
  if (!IS_THERE) return MADE;
  const real = collection()
    .map(placeOf)
    .filter((path) => path.endsWith(".zip") && statSync(path).size < SMALL)
    .map((path) => readFileSync(path));
  return [...MADE, ...real];
}
