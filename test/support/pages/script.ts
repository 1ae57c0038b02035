/** Makes one shell script of the commands of a page. */
import type { Page } from './read-page.js';
import type { Shown } from './transcript.js';

/**
 * A script with every command on the line where the page has it, so that the shell names the page's own lines. What a
 * command of a transcript prints goes to a file in `$OUTPUTS` that is called like its line. `exempt` says which
 * commands are left out.
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

/** A command that prints nothing must succeed; others may fail, since a transcript shows what they print then. */
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
