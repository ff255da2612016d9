/** Loads all pictures before printing. */
function paper(): void {
  /** Starts loading the lazy pictures. */
  function loadPictures(inside: string): readonly HTMLImageElement[] {
    const pictures = [...document.querySelectorAll<HTMLImageElement>(`${inside} img`)];
    for (const picture of pictures) picture.loading = "eager";
    return pictures;
  }

  function arrival(picture: HTMLImageElement): Promise<void> {
    if (picture.complete) return Promise.resolve();
    return new Promise((resolve) => {
      picture.addEventListener("load", () => resolve());
      picture.addEventListener("error", () => resolve());
    });
  }

  // Local pictures load early, so that the browser's print menu has them too; pictures of a web
  // server cost traffic.
  const isNear = location.protocol === "file:" || document.querySelector(".guide[data-pictures=near]") !== null;
  if (isNear) window.addEventListener("load", () => window.setTimeout(() => loadPictures(".guide"), 0));
  window.addEventListener("beforeprint", () => loadPictures("main"));

  const button = document.querySelector<HTMLButtonElement>("button.print");
  button?.removeAttribute("hidden");
  button?.addEventListener("click", () => {
    button.disabled = true;
    void Promise.all(loadPictures("main").map(arrival)).then(() => {
      button.disabled = false;
      window.print();
    });
  });
}

paper();
