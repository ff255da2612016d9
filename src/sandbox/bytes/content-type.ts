const TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  bmp: "image/bmp",
  tif: "image/tiff",
  tiff: "image/tiff",
  webp: "image/webp",
  avif: "image/avif",
  heic: "image/heic",
  pdf: "application/pdf",
  mp4: "video/mp4",
  m4v: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
  ogv: "video/ogg",
};

/** The media type of a file name, by its extension. */
export function contentType(filename: string): string {
  return TYPES[extensionOf(filename)] ?? "application/octet-stream";
}

/** The extension in lower case, without the dot; "" when there is none. */
export function extensionOf(filename: string): string {
  return /\.([^./\\]+)$/.exec(filename)?.[1]?.toLowerCase() ?? "";
}
