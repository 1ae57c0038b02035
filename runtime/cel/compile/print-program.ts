/** Prints programs as JavaScript to run, and as TypeScript for files. */
import { type ProgramParts, wordsOf } from './code.js';

/** Returns the body of a function that takes the support module and the overloads, and returns the program. */
export function javaScript({ helpers, constants, head, result }: ProgramParts): string {
  const imports = helpers.length === 0 ? [] : [`const { ${helpers.join(', ')} } = support;`];
  const lines = constants.map(({ name, text }) => `const ${name} = ${text};`);
  return [...imports, ...lines, ...arrow('variables, meter', head, result), ''].join('\n');
}

/** The body of a function that has no parameters and returns the program. */
export interface TypeScriptProgram {
  readonly lines: readonly string[];
  /** All names in it. Names that it does not declare must be imported. */
  readonly words: ReadonlySet<string>;
}

/** Prints the program for a file. Leaves out checks that only matter when the program is made. */
export function typeScript({ constants, head, result }: ProgramParts): TypeScriptProgram {
  const words = new Set(wordsOf([...head, result].join('\n')));
  const lines: string[] = [];
  for (const { name, text } of [...constants].reverse()) {
    if (!words.has(name)) continue;
    for (const word of wordsOf(text)) words.add(word);
    lines.unshift(`const ${name} = ${text};`);
  }
  const variables = words.has('variables') ? 'variables' : '_variables';
  const parameters = words.has('meter') ? `${variables}, meter` : words.has('variables') ? variables : '';
  return { lines: [...lines, ...arrow(parameters, head, result)], words };
}

function arrow(parameters: string, head: readonly string[], result: string): string[] {
  return [`return (${parameters}) => {`, ...head.map((line) => `  ${line}`), `  return ${result};`, '};'];
}
