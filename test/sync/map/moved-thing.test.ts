import { describe, expect, it } from "vitest";
import type { Key } from "../../../src/core/model/key.js";
import { type MapSite, type MovedThing, movedThing } from "../../../src/sync/map/moved-things.js";

const OLD: MapSite = {
  origin: "https://old.example",
  root: "https://old.example/api/2.0",
  hosts: [],
  dialect: "ifixit",
};
const NEW: MapSite = { origin: "https://new.example", root: "https://new.example/api/2.0", hosts: [] };

function moved(key: Key, id: string, item: Key = key, itemId: string | null = id): MovedThing | undefined {
  return movedThing({ key, id, title: null, adopted: false, item, itemId }, OLD, NEW);
}

describe("where a thing was, and where it is", () => {
  it.each<[Key, string, string, string]>([
    ["guide/12", "901", "https://old.example/Guide/-/12", "https://new.example/Guide/-/901"],
    ["guide/12@de", "901", "https://old.example/Guide/-/12", "https://new.example/Guide/-/901"],
    ["category/Hand Looms", "Looms", "https://old.example/Device/Hand_Looms", "https://new.example/c/Looms"],
    ["wiki/ITEM/A/B", "ITEM/C d", "https://old.example/Item/A%2FB", "https://new.example/Item/C_d"],
    ["image/5", "6", "https://old.example/api/2.0/media/images/5", "https://new.example/api/2.0/media/images/6"],
    ["video/5", "6", "https://old.example/api/2.0/media/videos/5", "https://new.example/api/2.0/media/videos/6"],
    [
      "document/a b/c",
      "6",
      "https://old.example/api/2.0/media/documents/a%20b%2Fc",
      "https://new.example/api/2.0/media/documents/6",
    ],
  ])("%s", (key, id, oldAddress, newAddress) => {
    expect(moved(key, id)).toMatchObject({ oldAddress, newAddress, newId: id, title: "" });
  });

  it("is for a step its place on the guide's page", () => {
    expect(moved("step/7", "8", "guide/12", "901")).toMatchObject({
      oldAddress: "https://old.example/Guide/-/12#s7",
      newAddress: "https://new.example/Guide/-/901#s8",
    });
  });

  it("is nothing for a step that only a division made, and for one whose guide is not there", () => {
    expect([moved("step/7+2", "8", "guide/12", "901"), moved("step/7", "8", "guide/12", null)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("is no old address where the source is documents", () => {
    const thing = { key: "guide/1", id: "2", title: "Oil", adopted: true, item: "guide/1", itemId: "2" } as const;
    expect(movedThing(thing, null, NEW)).toMatchObject({ oldAddress: null, title: "Oil", adopted: true });
  });
});
