import { describe, expect, it } from "vitest";
import {
  addressIn,
  bundleAddress,
  pathOfAddress,
  resolvePath,
  topFolder,
} from "../../../transforms/omanual/addresses.js";

const set = (...paths: readonly string[]) => ({ paths: new Set(paths), top: topFolder(paths) });

describe("a path in a document", () => {
  const both = set("a/guide.xml", "a/media/i.jpg", "media/i.jpg", "b/guide.xml", "media/main.jpg");

  it("counts from the document's folder first", () => {
    expect(resolvePath("media/i.jpg", "a/guide.xml", both)).toBe("a/media/i.jpg");
    expect(resolvePath("../b/guide.xml", "a/guide.xml", both)).toBe("b/guide.xml");
    expect(resolvePath("./media/../media/i.jpg", "a/guide.xml", both)).toBe("a/media/i.jpg");
  });

  it("counts from the package's base where nothing lies there", () => {
    expect(resolvePath("media/main.jpg", "a/guide.xml", both)).toBe("media/main.jpg");
    expect(resolvePath("b/guide.xml", "a/guide.xml", both)).toBe("b/guide.xml");
  });

  it("counts from the base at once with a leading slash", () => {
    expect(resolvePath("/media/i.jpg", "a/guide.xml", both)).toBe("media/i.jpg");
  });

  it("counts without the single top folder, in the package or in the path", () => {
    const packed = set("Looms/category.xml", "Looms/a/guide.xml", "Looms/media/i.jpg");
    expect(packed.top).toBe("Looms/");
    expect(resolvePath("/media/i.jpg", "Looms/a/guide.xml", packed)).toBe("Looms/media/i.jpg");
    expect(resolvePath("Looms/media/main.jpg", "a/guide.xml", both)).toBe("media/main.jpg");
  });

  it("may be written for a web page or for Windows", () => {
    const odd = set("a/guide.xml", "a/media/my reed.jpg", "a/media/50%.jpg", "a/media/Größe.jpg");
    expect(resolvePath("media/my%20reed.jpg", "a/guide.xml", odd)).toBe("a/media/my reed.jpg");
    expect(resolvePath("media\\my reed.jpg", "a/guide.xml", odd)).toBe("a/media/my reed.jpg");
    expect(resolvePath("media/50%.jpg?v=2#x", "a/guide.xml", odd)).toBe("a/media/50%.jpg");
    expect(resolvePath("media/Gro\u0308ße.jpg", "a/guide.xml", odd)).toBe("a/media/Größe.jpg");
  });

  it("never leaves the package, and means nothing that isn't there", () => {
    for (const path of [
      "../../etc/passwd",
      "..\\..\\etc",
      "%2e%2e/%2e%2e/etc",
      "/",
      "",
      ".",
      "media",
      "A/guide.xml",
      "%ff%00",
    ])
      expect(resolvePath(path, "a/guide.xml", both)).toBeUndefined();
  });
});

describe("an address on the web", () => {
  it("is one of http or https, or begins with a host", () => {
    expect(addressIn(" https://e.org/a ")).toBe("https://e.org/a");
    expect(addressIn("//cdn.example/a.jpg")).toBe("https://cdn.example/a.jpg");
    for (const path of ["file:///a", "data:image/png,a", "javascript:a()", "media/a.jpg", "//a", "http://", "C:\\a"])
      expect(addressIn(path)).toBeUndefined();
  });
});

describe("the address of a file in a package", () => {
  it("gives the path again, and no other address does", () => {
    const path = "Looms & reeds/média/50% #1?.jpg";
    expect(pathOfAddress(bundleAddress(path))).toBe(path);
    expect(pathOfAddress("https://e.org/bundle:/a")).toBeUndefined();
  });
});
