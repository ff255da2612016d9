import { expect, test } from "vitest";
import { readDocumentDetail, readImageDetail, readVideoDetail } from "../../../src/service/wire/media.js";
import { readWithIssues } from "./read-with-issues.js";

test("an image's detail with an empty exif reads without an issue; a source image is named", () => {
  const detail = {
    image: { id: 5, guid: "g", standard: "https://cdn.example/g.standard", original: "https://cdn.example/g" },
    srcid: 4,
    width: 900,
    height: 700,
    ratio: "VARIABLE",
    markup: ";circle,10x10,5,red;",
    exif: [],
  };
  const { value, issues } = readWithIssues(detail, readImageDetail);
  expect(value).toMatchObject({
    id: 5,
    url: "https://cdn.example/g",
    fileName: null,
    sourceImage: "image/4",
    markup: detail.markup,
  });
  expect(issues).toEqual([]);
});

test("without an original, the largest size is taken", () => {
  const { value } = readWithIssues(
    { image: { id: 5, mini: "https://c.example/m", large: "https://c.example/l" } },
    readImageDetail,
  );
  expect(value?.url).toBe("https://c.example/l");
});

const encoding = (format: string, width: number, rate?: number) => ({
  format,
  width,
  height: width / 2,
  max_video_bitrate: rate,
  url: `https://v.example/${format}-${width}-${rate ?? 0}`,
});

test.each([
  ["the most pixels", [encoding("mp4", 480), encoding("webm", 1280)], "webm-1280-0"],
  ["then the highest bit rate", [encoding("mp4", 720, 500), encoding("webm", 720, 900)], "webm-720-900"],
  ["then mp4", [encoding("webm", 720), encoding("mp4", 720), encoding("ogg", 720)], "mp4-720-0"],
])("of a video's encodings the one with %s is taken", (_what, encodings, best) => {
  const { value, issues } = readWithIssues(
    { videoid: 7, filename: "a.mov", image: null, meta: null, encodings },
    readVideoDetail,
  );
  expect(value).toMatchObject({ id: 7, url: `https://v.example/${best}`, fileName: "a.mov" });
  expect(issues).toEqual([]);
});

test("a video that is still being transcoded has nothing to fetch, and that is no issue", () => {
  const { value, issues } = readWithIssues(
    { videoid: 7, encodings: [], meta: { state: "processing", channels: "2" } },
    readVideoDetail,
  );
  expect(value).toBeUndefined();
  expect(issues).toEqual([]);
});

test("a document is fetched from the storage; a site-relative address is completed", () => {
  const read = (detail: object) => readWithIssues(detail, readDocumentDetail).value?.url;
  expect(read({ documentid: 9, view_url: "/Document/g/a.pdf", download_url: "https://s.example/g" })).toBe(
    "https://s.example/g",
  );
  expect(read({ documentid: 9, view_url: "/Document/g/a.pdf" })).toBe("https://site.example/Document/g/a.pdf");
});

test("the size of a document is told, and of a video that of the uploaded file alone", () => {
  const document = { documentid: 9, download_url: "https://s.example/g", size: 943 };
  expect(readWithIssues(document, readDocumentDetail).value).toMatchObject({ toldSize: 943 });
  const video = {
    videoid: 7,
    filename: "a.mov",
    encodings: [encoding("mp4", 720)],
    meta: { file_size_in_bytes: 5000 },
  };
  expect(readWithIssues(video, readVideoDetail).value).not.toHaveProperty("toldSize");
  const original = { ...video, original: "https://v.example/a.mov" };
  expect(readWithIssues(original, readVideoDetail).value).toMatchObject({ toldSize: 5000 });
});

test("a video names its poster, whose address is known; without one there is none", () => {
  const image = { image: { id: 133, guid: "g", original: "https://cdn.example/g.full" }, srcid: null, width: 640 };
  const video = { videoid: 7, encodings: [encoding("mp4", 720)], image };
  const { value, uses } = readWithIssues(video, readVideoDetail);
  expect(value).toMatchObject({ poster: "image/133" });
  expect(uses).toMatchObject([{ key: "image/133", url: "https://cdn.example/g.full", path: "poster" }]);
  for (const none of [null, undefined]) {
    const read = readWithIssues({ ...video, image: none }, readVideoDetail);
    expect([read.value?.poster, read.uses, read.issues]).toEqual([undefined, [], []]);
  }
});
