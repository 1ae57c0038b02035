/** Explains why a server could not start, and names the flag to change. */
import { withAdvice } from '../../runtime/objects/failures.js';
import { BreakingChangesError, DefinitionsError } from '../../server/load-definitions.js';
import { OptionError } from '../../server/option-error.js';
import {
  DamagedFileError,
  DamagedStoreError,
  LockedStoreError,
  StepBackError,
  UnknownVersionError,
} from '../../server/parts/errors.js';
import type { Ending } from '../exit-codes.js';
import type { Flag } from './flag.js';
import { type ServeFlagRecords, serveFlagGroups } from './serve/index.js';

/** Returns how the command ends, and the message for it. */
export function explainFailure(error: unknown): { readonly ending: Ending; readonly message: string } {
  const { ending, message } = explain(error);
  return { ending, message: withAdvice(message, process.cwd()) };
}

/** The options that a flag sets, or a socket of the service manager. */
type FlagOption =
  | NonNullable<Extract<ServeFlagRecords[number], { readonly sets: unknown }>['sets']>[number]
  | keyof typeof otherSetters;

/** The setters of options without a flag. */
const otherSetters = { 'http.fd': 'socket', 'tls.fd': 'socket', pages: 'static' } as const;

const flagByOption: ReadonlyMap<string, string> = new Map(
  serveFlagGroups
    .flatMap(({ flags }): readonly Flag[] => flags)
    .flatMap(({ name, sets = [] }) => sets.map((option) => [option, `--${name}`])),
);

/** Returns what sets an option. The types demand that every option with an error of its own is in one of the tables. */
const setterOf = (option: FlagOption): string =>
  flagByOption.get(option) ?? new Map<string, string>(Object.entries(otherSetters)).get(option) ?? option;

const damageHelp =
  'Start with --on-damage serve-rest to serve the rest and create these again, or with --on-damage discard to ' +
  'remove them for good with the next write.';

const lockedHelp =
  'Give the missing keys with --encryption-provider-config. Or start with --on-damage serve-rest to go on without ' +
  'these objects, which stay as they are.';

const breakHelp =
  'Keep what is released, allow single changes in lock/allow.yaml beside the definitions, or start with ' +
  '--allow-breaking-changes to serve them all the same.';

function explain(error: unknown): { readonly ending: Ending; readonly message: string } {
  if (error instanceof OptionError) return { ending: 'failed', message: error.describe(setterOf) };
  if (error instanceof DamagedFileError) return { ending: 'refused', message: error.message };
  if (error instanceof UnknownVersionError || error instanceof StepBackError)
    return { ending: 'refused', message: error.message };
  if (error instanceof BreakingChangesError) return { ending: 'refused', message: `${error.message}\n${breakHelp}` };
  if (error instanceof DefinitionsError) return { ending: 'refused', message: error.message };
  if (error instanceof DamagedStoreError) return { ending: 'refused', message: `${error.message}\n${damageHelp}` };
  if (error instanceof LockedStoreError) return { ending: 'refused', message: `${error.message}\n${lockedHelp}` };
  return { ending: 'failed', message: error instanceof Error ? error.message : String(error) };
}
