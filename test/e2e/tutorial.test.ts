/** Follows the tutorial. Its pages make one project, in an empty folder with the installed package. */
import { expect, it, onTestFinished } from 'vitest';
import { typeErrors } from '../support/pages/check-types.js';
import { readPages } from '../support/pages/read-page.js';
import { patience, runPage } from '../support/pages/run-page.js';
import { openTutorial, saveQuoted } from '../support/pages/tutorial-project.js';

const parts = readPages()
  .filter(({ path }) => path.startsWith('docs/tutorial'))
  .sort((a, b) => a.path.length - b.path.length || (a.path < b.path ? -1 : 1));

it(
  `${parts.map(({ path }) => path).join(', ')} do what they say, with code that type-checks`,
  async () => {
    const place = { make: openTutorial(), commandOf: saveQuoted };
    const ran = [];
    for (const page of parts) {
      const { problems, checkout, dispose } = await runPage(page, () => false, place);
      onTestFinished(dispose);
      ran.push({ page, folder: checkout.folder });
      expect(problems.map((problem) => `${page.path}: ${problem}`).join('\n')).toBe('');
    }
    expect(typeErrors(ran)).toEqual([]);
  },
  2 * patience + 60_000,
);
