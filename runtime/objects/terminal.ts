/** Makes text from others safe to print on a terminal. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Escapes control characters except tab and line feed, as kubectl does: `^[` for escape, `\r` for carriage return. DEL
 * and C1 (ECMA-48 section 5.3) become `\u007f` to `\u009f`, which JSON reads as the same characters. JSON and YAML
 * contain no other control characters. Escaping the result again changes nothing.
 */
export const escapeTerminal = (text: string): string => text.replace(controls, escaped);

function escaped(control: string): string {
  if (control === '\r') return '\\r';
  const code = control.charCodeAt(0);
  return code < 32 ? `^${String.fromCharCode(code + 64)}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
