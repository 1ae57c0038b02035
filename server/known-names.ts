/** The names of what options can switch, for those who make options of other programs' settings. */
import { admissionTable } from '../plugins/index.js';

export { isFeatureGate } from '../runtime/server/index.js';

/** Whether an admission plugin can be switched by that name. */
export const isAdmissionPlugin = (name: string): boolean =>
  admissionTable.some((row) => row.name === name && row.byDefault !== 'always');

/** The plugins that run unless they are switched off. */
export const usualAdmissionPlugins = (): readonly string[] =>
  admissionTable.flatMap(({ name, byDefault }) => (byDefault === 'on' ? name : []));
