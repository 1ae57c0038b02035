/** Reads the flags of `kindforge serve` about admission plugins. */
import type { AdmissionOptions } from '../../server/options.js';
import type { FlagValues } from './flag.js';
import { FlagError } from './flag-error.js';
import type { admission } from './serve/admission.js';

/** Whether the plugins are there is for the server to tell. Throws a `FlagError` where the file has no name. */
export function readAdmission(flags: FlagValues<typeof admission.flags>): AdmissionOptions {
  const configurationFile = flags.admissionControlConfigFile;
  if (configurationFile === '') throw new FlagError('--admission-control-config-file is empty; give a file');
  return {
    enable: namesOf(flags.enableAdmissionPlugins),
    disable: namesOf(flags.disableAdmissionPlugins),
    configurationFile,
  };
}

const namesOf = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => text.split(',')).flatMap((name) => name.trim() || []);
