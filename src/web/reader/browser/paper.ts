/** On paper all pictures have to be there, also those that nobody scrolled to. */
function paper(): void {
  /** Lets pictures come that wait for somebody to scroll to them. */
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

  // What lies on this machine costs nothing, so that all is there for whoever prints by the
  // browser's menu. Of a web server each picture is paid for.
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
