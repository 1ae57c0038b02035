/** The table of docs/configuration.md. */
import { type ProjectSetting, projectSettings } from '../../../bin/project/project.js';
import { codes, table } from './page.js';

export const settingTable = (): string =>
  table(
    ['key', 'meaning', 'default', 'more'],
    Object.entries<ProjectSetting>(projectSettings).map(([key, { about, byDefault = '', page }]) => [
      codes([key]),
      about,
      byDefault,
      page === undefined ? '' : `[${page.startsWith('#') ? 'below' : page.replace('.md', '')}](${page})`,
    ]),
  );
