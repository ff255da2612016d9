import { script } from "@bomb.sh/tab";
import { printedLines } from "./printed-lines.js";
import type { Shell } from "./shells.js";

/** What the script asks. */
const PROGRAM = "guideferry";

/** The library's script for a shell, mended. */
export function shellScript(shell: Shell): string {
  const text = printedLines(() => script(shell, PROGRAM, PROGRAM)).join("\n");
  return `${shell === "bash" ? mended(text) : text}\n`;
}

/** In bash only. Each `from` stands in the script once at least. */
const MENDED: readonly (readonly [from: string, to: string])[] = [
  // Sourced twice, or beside the script of another program, these would be errors.
  ["readonly ShellCompDirective", "ShellCompDirective"],
  // It is a part of the package bash-completion, which is not everywhere.
  ['_get_comp_words_by_ref -n "=:" cur prev words cword', "__guideferry_words"],
  // Up to the cursor, and quoted: what somebody has typed so far must not be run by pressing TAB.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is bash.
  ["-- ${words[@]:1}", '-- $(printf "%q " "${words[@]:1:cword}")'],
  // Files where nothing else is offered, unless the answer forbids them.
  ["complete -F __guideferry_complete", "complete -o default -F __guideferry_complete"],
  ['if [[ -z "$cur" ]]; then', "if false; then"],
  // Behind a flag's "=" a value is completed, and bash puts what is offered in place of that alone.
  ['[*]}" -- "$cur"', '[*]}" -- "$(__guideferry_value "$cur")"'],
];

const WORDS = `
# The words of the line up to the cursor.
__guideferry_words() {
    if declare -F _get_comp_words_by_ref > /dev/null; then
        _get_comp_words_by_ref -n "=:" cur prev words cword
        return
    fi
    # bash divides words at "=" and ":"; what no blank divides is one word.
    local rest=$COMP_LINE word at=-1 i blanks
    words=()
    cword=0
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=\${COMP_WORDS[i]}
        blanks=\${rest%%[![:space:]]*}
        rest=\${rest#"$blanks"}
        rest=\${rest#"$word"}
        if [[ $at -ge 0 && -z $blanks ]]; then words[at]+=$word; else words[++at]=$word; fi
    done
    cword=$at
    cur=\${words[cword]}
    prev=\${words[cword-1]}
}

# Of a flag with its value the value.
__guideferry_value() {
    case $1 in
        --*=*) printf '%s' "\${1#*=}" ;;
        *) printf '%s' "$1" ;;
    esac
}
`;

function mended(text: string): string {
  const script = MENDED.reduce((before, [from, to]) => {
    if (!before.includes(from))
      throw new Error(`The library's script for bash has no ${JSON.stringify(from)} any more.`);
    return before.replaceAll(from, () => to);
  }, text);
  return `${script}${WORDS}`;
}
