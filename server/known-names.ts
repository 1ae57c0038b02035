/** The names that options can switch, for converting settings of other programs. */
import { admissionTable } from '../plugins/index.js';

export { isFeatureGate } from '../runtime/server/index.js';

/** Reports whether options can switch an admission plugin of that name. */
export const isAdmissionPlugin = (name: string): boolean =>
  admissionTable.some((row) => row.name === name && row.byDefault !== 'always');

/** Returns the plugins that run by default. */
export const usualAdmissionPlugins = (): readonly string[] =>
  admissionTable.flatMap(({ name, byDefault }) => (byDefault === 'on' ? name : []));
