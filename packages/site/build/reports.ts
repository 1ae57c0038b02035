/** Gives each entry of an API report its own heading, for the outline and for the search. */

/** Returns a report of `docs/api/` as a page of the site. */
export function withHeadings(report: string): string {
  const [title = '', ...parts] = report.split(/^```ts\n([\s\S]*?)^```$/m);
  const headings = ['## Exports', '## Types of these'];
  const sections = parts.map((part, index) =>
    index % 2 === 1 ? part.trim() : `${headings[index / 2] ?? ''}\n\n${declarationsIn(part).join('\n\n')}`,
  );
  return `${[title.trim(), ...sections].join('\n\n')}\n`;
}

/** Splits code at its declarations. Overloads of a function stay together. */
function declarationsIn(code: string): readonly string[] {
  const named = new Map<string, string>();
  for (const text of code.split(/^(?=(?:class|const|function|interface|namespace|type) )/m)) {
    const [, name = ''] = /^\w+ ([\w$]+)/.exec(text) ?? [];
    named.set(name, (named.get(name) ?? '') + text);
  }
  return [...named].map(([name, text]) => `### ${name}\n\n\`\`\`ts\n${text.trimEnd()}\n\`\`\``);
}
