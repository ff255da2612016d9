import type { ManualCategory } from "../manual.js";

/** What a category is known by: its canonical name, else its title, else its file's name. */
export function categoryName({ name, title }: Pick<ManualCategory, "name" | "title">, path: string): string {
  const file =
    path
      .split("/")
      .at(-1)
      ?.replace(/\.[^.]*$/, "") ?? "";
  return [name, title, file].map((each) => each?.trim() ?? "").find((each) => each !== "") ?? "";
}
