/** Checks that definitions have no mistakes, and that the generated code is what they say. */
import { existsSync } from 'node:fs';
import { type Check, messageOf, ok, problem, warning } from '../finding.js';

export const generated: Check = {
  name: 'generated',
  run: async ({ schemas, out, emitters: own = [] }) => {
    if (!existsSync(schemas)) return [ok(`there are no definitions in ${schemas}`)];
    const { createGenerator } = await import('../../../generator/index.js');
    const { emitters } = await import('../../../generator/emit/index.js');
    try {
      const { diagnostics, outcome } = createGenerator({
        schemas,
        out,
        check: true,
        emitters: [...emitters, ...own],
      }).run();
      const errors = diagnostics.filter(({ severity }) => severity !== 'warning').length;
      if (outcome === undefined)
        return [problem(`${schemas}: ${errors} mistakes in the definitions`, 'kindforge check tells them')];
      if (!existsSync(out))
        return [ok(`the definitions in ${schemas} have no mistakes; there is no generated code in ${out}`)];
      const { length: stale } = outcome.differences;
      if (stale === 0) return [ok(`the code in ${out} is what the definitions in ${schemas} say`)];
      return [
        warning(`${out}: ${stale} files are not what ${schemas} says`, 'kindforge generate brings them up to date'),
      ];
    } catch (error) {
      return [problem(`${schemas} cannot be read: ${messageOf(error)}`, 'Name the folder with --schemas FOLDER')];
    }
  },
};
