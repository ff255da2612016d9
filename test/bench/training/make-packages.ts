import { join } from "node:path";
import { type NewEntry, writeArchive } from "../../../src/storage/archive/write-archive.js";
import { Noise } from "../backup/noise.js";

const PAGES = 60;
const PICTURES = 40;
const PICTURE_BYTES = 45_000;
const FILM_BYTES = 2_400_000;

/**
 * Writes SCORM packages of about 5 MB as authoring tools make them: pages and scripts, pictures, a
 * film. Gives their paths.
 */
export async function makePackages(folder: string, count: number): Promise<readonly string[]> {
  const paths: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const path = join(folder, `course-${at}.zip`);
    await writeArchive(path, entriesOf(new Noise(at)));
    paths.push(path);
  }
  return paths;
}

function* entriesOf(noise: Noise): Generator<NewEntry> {
  const files = [
    ...count(PAGES).map((at) => ({ path: `pages/page-${at}.html`, content: pageOf(noise) })),
    { path: "lib/player.js", content: Buffer.from(noise.words(90_000)) },
    ...count(PICTURES).map((at) => ({ path: `media/picture-${at}.png`, content: noise.bytes(PICTURE_BYTES) })),
    { path: "media/film.mp4", content: noise.bytes(FILM_BYTES) },
  ];
  yield { path: "imsmanifest.xml", content: manifestOf(files.map(({ path }) => path)) };
  yield* files;
}

function count(to: number): readonly number[] {
  return Array.from({ length: to }, (_, at) => at + 1);
}

function pageOf(noise: Noise): Buffer {
  return Buffer.from(`<!DOCTYPE html><title>A page</title><p>${noise.words(1500)}</p>`);
}

function manifestOf(paths: readonly string[]): string {
  const items = count(PAGES).map(
    (at) => `<item identifier="I${at}" identifierref="R${at}"><title>Page ${at}</title></item>`,
  );
  const pages = count(PAGES).map(
    (at) =>
      `<resource identifier="R${at}" type="webcontent" adlcp:scormtype="sco" href="pages/page-${at}.html"><file href="pages/page-${at}.html"/></resource>`,
  );
  const others = paths.filter((path) => !path.startsWith("pages/")).map((path) => `<file href="${path}"/>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="M" version="1" xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
<metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion></metadata>
<organizations default="O"><organization identifier="O"><title>A course</title>${items.join("")}</organization></organizations>
<resources>${pages.join("")}<resource identifier="R0" type="webcontent" adlcp:scormtype="asset">${others.join("")}</resource></resources>
</manifest>`;
}
