/** Reports of the API as pages. */
import { expect, it } from 'vitest';
import { withHeadings } from '../build/reports.js';

const report = `# kindforge/cel

All of it, and:

\`\`\`ts
function compile(text: string): A;
function compile(text: string, options: B): A;
interface A {
    readonly type: string;
}
type C<T> = T extends [
] extends [
] ? A : never;
\`\`\`

Exported by no door, but needed by these:

\`\`\`ts
interface B {}
\`\`\`
`;

it('each name of a report has a heading, and code stays whole', () => {
  const page = withHeadings(report);
  const headings = page.split('\n').filter((line) => line.startsWith('#'));
  expect(headings).toEqual([
    '# kindforge/cel',
    '## Exports',
    '### compile',
    '### A',
    '### C',
    '## Types of these',
    '### B',
  ]);
  const code = (text: string): string => [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, one]) => one).join('');
  expect(code(page)).toBe(code(report));
  expect(page).toContain('Exported by no door, but needed by these:');
});
