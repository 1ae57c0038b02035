/** Breaks lines of generated code that are too long. */

import { closingBracket, splitLine } from './split-line.js';

const maxWidth = 120;

/** Lines of a function, broken where they are too long. Texts in quotes stay whole. */
export function layout(lines: readonly string[]): string[] {
  const laid: string[] = [];
  for (const line of lines.flatMap(wrapped)) {
    const last = laid.at(-1) ?? '';
    const closes = last.trim() === '}' && line.startsWith(last.replace('}', 'else '));
    if (closes) laid[laid.length - 1] = `${last} ${line.trimStart()}`;
    else laid.push(line);
  }
  return laid.flatMap((line) => splitLine(line, maxWidth));
}

/** A statement after a condition moves to a line of its own where both together are too long. */
function wrapped(line: string): string[] {
  if (line.length <= maxWidth) return [line];
  const match = /^( *)((?:else )?if )\(/.exec(line);
  if (match === null) return [line];
  const [head, margin = ''] = match;
  const end = closingBracket(line, head.length - 1);
  const statement = line.slice(end + 1).trim();
  if (end === -1 || statement === '' || statement === '{') return [line];
  return [`${line.slice(0, end + 1)} {`, `${margin}  ${statement}`, `${margin}}`];
}

/** A constant of the module; lists of texts that are too long for a line get a line for each. */
export function constantText(name: string, expression: string): string {
  const line = `const ${name} = ${expression};`;
  if (line.length <= maxWidth) return `${line}\n`;
  const match = /^((?:new Set\()?\[)('.*')(\]\)?)$/.exec(expression);
  if (match === null) return `${splitLine(line, maxWidth).join('\n')}\n`;
  const [, open = '', items = '', close = ''] = match;
  const texts = items.match(/'(?:[^'\\]|\\.)*'?/g) ?? [];
  if (texts.join(', ') !== items) return `${line}\n`;
  return `const ${name} = ${open}\n${texts.map((item) => `  ${item},\n`).join('')}${close};\n`;
}
