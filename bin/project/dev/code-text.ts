/** The text of a code file by which it is told whether another start would make a difference. */
import { readFileSync } from 'node:fs';

/** Lines of comment at the head of a file: those of generated code name the definition and its hash. */
const head = /^(?:\/\/[^\n]*(?:\n|$))+/;

/** The text without the comment at its head; `undefined` where there is no such file, or it cannot be read. */
export function codeText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').replace(head, '');
  } catch {
    return undefined;
  }
}
