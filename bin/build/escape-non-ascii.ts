/** Escapes characters in regular expressions, which the bundler leaves. Throws if one needs more than one escape. */
export function escapeNonAscii(program: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is let through.
  return program.replace(/[^\x00-\x7f]/gu, (char) => {
    if (char.length > 1)
      throw new Error(`the program has the character ${char} in a regular expression: escape it there`);
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
