/** How many may use a volume, and in which way, in the short form of tables. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { textsAt } from '../../shared/reading.js';

const shortForms = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

/** The modes of a spec or status as tables show them: `RWO,ROX`. */
export function accessModesText(object: JsonObject | undefined): string {
  const modes = textsAt(object, 'accessModes');
  return shortForms
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}
