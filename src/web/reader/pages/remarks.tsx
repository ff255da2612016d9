import type { JSX } from "hono/jsx/jsx-runtime";
import type { Comment } from "../../../core/model/guide.js";
import { When } from "../../components/dates.js";
import { Foreign } from "../../components/foreign.js";
import { Icon } from "../../components/icon.js";
import { countWords } from "../../components/numbers.js";
import { SafeText } from "../../components/safe-html.js";
import type { Texts } from "./texts.js";

export interface RemarksProps {
  readonly comments: readonly Comment[];
  readonly texts: Texts;
}

/** What people said, folded: who works needs the steps first. */
export function Remarks({ comments, texts }: RemarksProps): JSX.Element | null {
  if (comments.length === 0) return null;
  return (
    <details class="remarks">
      <summary>
        <Icon name="message" />
        {countWords(comments.length, "comment")}
      </summary>
      <ol>
        {comments.map((comment) => (
          <li>
            <Remark comment={comment} texts={texts} />
            {(comment.answers ?? []).length > 0 && (
              <ol>
                {comment.answers?.map((answer) => (
                  <li>
                    <Remark comment={answer} texts={texts} />
                  </li>
                ))}
              </ol>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}

type RemarkOf = Pick<Comment, "author" | "date" | "text" | "status" | "id">;

function Remark({ comment, texts }: { readonly comment: RemarkOf; readonly texts: Texts }): JSX.Element {
  const { author, date, text, status, id } = comment;
  return (
    <article class="remark">
      <p class="muted">
        <strong>
          <Foreign text={author?.name ?? "Somebody"} />
        </strong>{" "}
        {date !== null && <When seconds={date} />}
        {status !== "public" && status !== "" && (
          <>
            {" "}
            <span class="chip">
              <Foreign text={status} />
            </span>
          </>
        )}
      </p>
      <SafeText html={texts.page(text, `comment-${lettersOf(id)}-`)} />
    </article>
  );
}

/** A number as letters: names of headings hold letters and hyphens only. */
function lettersOf(id: number): string {
  return [...String(Math.abs(Math.trunc(id)))].map((digit) => "abcdefghij"[Number(digit)] ?? "").join("");
}
