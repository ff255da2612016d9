/**
 * Loads a file of the index by its name without `.js`; `version`: see `SegmentFacts`, or anything
 * that makes an address new. Rejects where there is none.
 */
type LoadSearchFile = (name: string, version: string) => Promise<string>;

const receivedSearchFiles = new Map<string, string>();

/**
 * Every file of the index calls this on pages from a disk, which may load scripts and nothing else.
 */
function searchFile(name: string, json: string): void {
  receivedSearchFiles.set(name, json);
}

/** What a file of the index would hand over; see `src/web/reader/search/search-files.ts`. */
function searchFileIn(script: string): string {
  return script.slice(script.indexOf("'") + 1, script.lastIndexOf("'")).replace(/\\([\\'])/g, "$1");
}

/** `root`: the way from the page to the root of the time. */
function createSearchLoad(root: string): LoadSearchFile {
  function address(name: string, version: string): string {
    return `${root}search/${name}.js?${version}`;
  }

  async function fetched(name: string, version: string): Promise<string> {
    const response = await fetch(address(name, version));
    if (!response.ok) throw new Error(`${name} can't be loaded: ${response.status}`);
    return searchFileIn(await response.text());
  }

  function run(name: string, version: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = address(name, version);
      script.addEventListener("load", () => {
        script.remove();
        const json = receivedSearchFiles.get(name);
        receivedSearchFiles.delete(name);
        if (json === undefined) reject(new Error(`${name} is no part of the index`));
        else resolve(json);
      });
      script.addEventListener("error", () => {
        script.remove();
        reject(new Error(`${name} can't be loaded`));
      });
      document.head.append(script);
    });
  }

  return location.protocol === "file:" ? run : fetched;
}
