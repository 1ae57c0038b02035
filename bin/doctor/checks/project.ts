/** Checks that the configuration of the project, where there is one, has no mistakes. */
import { type Check, messageOf, ok, problem } from '../finding.js';

export const project: Check = {
  name: 'project',
  run: async ({ project: named }) => {
    if (named === 'none') return [];
    const { fromHere, projectOf } = await import('../../flags/project.js');
    try {
      const found = await projectOf(named);
      return found ? [ok(`${fromHere(found.file)} has no mistakes`)] : [];
    } catch (error) {
      const [first = '', ...mistakes] = messageOf(error).split('\n');
      const told = mistakes.length === 0 ? [first] : mistakes;
      return told.map((mistake) => problem(mistake, 'Correct it, or go without the project by --project none'));
    }
  },
};
