/** Makes one shell script of the commands of a page. */
import type { Page } from './read-page.js';
import type { Shown } from './transcript.js';

/**
 * Makes a script with every command on its line of the page, so that the shell reports the page's own lines. The output
 * of a command of a transcript goes to a file in `$OUTPUTS`, named after its line. `exempt` says which commands are
 * left out.
 */
export function scriptOf(page: Page, shown: readonly Shown[], exempt: (command: string) => boolean): string {
  const lines: string[] = page.text.split('\n').map(() => '');
  for (const { language, lines: commands, line } of page.blocks) {
    if (language !== 'sh') continue;
    commands.forEach((command, index) => {
      lines[line - 1 + index] = exempt(command) ? '' : command;
    });
  }
  for (const one of shown) {
    transcribe(one).forEach((part, index) => {
      const at = one.line - 1 + index;
      lines[at] = lines[at] ? `${lines[at]}; ${part}` : part;
    });
  }
  return `${lines.join('\n')}\n`;
}

/**
 * Prints a command of a transcript. A command without output must succeed; others may fail, as the transcript shows.
 */
function transcribe({ line, command, output }: Shown): readonly string[] {
  const isBackground = command.endsWith('&');
  const end = isBackground ? ' ' : command.includes('\n') ? '\n' : '; ';
  const words = output.filter((text) => /[\w…]/.test(text));
  const last = words.findLast((text) => !text.includes('…'))?.trim();
  const wait = isBackground && last !== undefined ? `; await ${line} '${last.replaceAll("'", "'\\''")}'` : '';
  const mayFail = words.length > 0 ? ' || true' : '';
  return `{ ${command}${end}} >"$OUTPUTS/${line}" 2>&1${mayFail}${wait}`.split('\n');
}

/** The beginning of each script: it stops at the first failure and names its line, and waits for the output of others. */
export const prelude = `set -Eeuo pipefail
trap 'echo "line $LINENO: \\"$BASH_COMMAND\\" ended with $?"' ERR
await() {
  local end=$((SECONDS + 300))
  while ((SECONDS < end)); do grep -qF -- "$2" "$OUTPUTS/$1" && return 0; sleep 0.05; done
  echo "line $1 never printed: $2"
  return 1
}
`;
