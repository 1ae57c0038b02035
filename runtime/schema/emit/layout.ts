/** Breaks what does not fit into a line of generated code. */

const maxWidth = 120;

/** Lines of a function's body, broken where they are too long. */
export function layout(lines: readonly string[]): string[] {
  const laid: string[] = [];
  for (const line of lines.flatMap(wrapped)) {
    const last = laid.at(-1) ?? '';
    const closes = last.trim() === '}' && line.startsWith(last.replace('}', 'else '));
    if (closes) laid[laid.length - 1] = `${last} ${line.trimStart()}`;
    else laid.push(line);
  }
  return laid;
}

/** A statement after a condition moves to a line of its own where both together are too long. */
function wrapped(line: string): string[] {
  if (line.length <= maxWidth) return [line];
  const match = /^( *)((?:else )?if )\(/.exec(line);
  if (match === null) return [line];
  const [head, margin = ''] = match;
  const end = closingParenthesis(line, head.length - 1);
  const statement = line.slice(end + 1).trim();
  if (end === -1 || statement === '' || statement === '{') return [line];
  return [`${line.slice(0, end + 1)} {`, `${margin}  ${statement}`, `${margin}}`];
}

/** Where the parenthesis at `open` is closed; quoted texts are passed over. */
function closingParenthesis(line: string, open: number): number {
  let depth = 0;
  let quote = '';
  for (let i = open; i < line.length; i++) {
    const char = line.charAt(i);
    if (char === '\\') i++;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === `'` || char === '`') quote = char;
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return i;
  }
  return -1;
}

/** A constant of the module; lists of texts that are too long for a line get a line for each. */
export function constantText(name: string, expression: string): string {
  const line = `const ${name} = ${expression};`;
  if (line.length <= maxWidth) return `${line}\n`;
  const match = /^((?:new Set\()?\[)('.*')(\]\)?)$/.exec(expression);
  if (match === null) return `${line}\n`;
  const [, open = '', items = '', close = ''] = match;
  const texts = items.match(/'(?:[^'\\]|\\.)*'/g) ?? [];
  if (texts.join(', ') !== items) return `${line}\n`;
  return `const ${name} = ${open}\n${texts.map((item) => `  ${item},\n`).join('')}${close};\n`;
}
