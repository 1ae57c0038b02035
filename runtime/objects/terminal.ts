/** Text that others wrote, on its way to a terminal. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Escapes control characters but for tab and line feed, as kubectl does: `^[` for escape, `\r` for carriage return. DEL
 * and C1 (ECMA-48 section 5.3) become `\u007f` to `\u009f`, which JSON reads as the same characters. JSON and YAML
 * contain no other control characters. The result stays as it is if it is escaped again.
 */
export const escapeTerminal = (text: string): string => text.replace(controls, escaped);

function escaped(control: string): string {
  if (control === '\r') return '\\r';
  const code = control.charCodeAt(0);
  return code < 32 ? `^${String.fromCharCode(code + 64)}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
