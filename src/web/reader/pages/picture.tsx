import type { JSX } from "hono/jsx/jsx-runtime";
import { Icon, type IconName } from "../../components/icon.js";

export interface PictureProps {
  /** undefined: there is none, a drawing stands for it. */
  readonly src: string | undefined;
  readonly stands: IconName;
}

/** The picture of a card. It says nothing that the title beside it doesn't say. */
export function Picture({ src, stands }: PictureProps): JSX.Element {
  if (src !== undefined) return <img class="card-picture" src={src} alt="" loading="lazy" decoding="async" />;
  return (
    <span class="card-picture empty">
      <Icon name={stands} />
    </span>
  );
}
