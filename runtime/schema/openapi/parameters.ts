/** The parameters of operations. Each is one object, so documents can share them. */
import type { Lifetime } from '../../objects/release.js';
import type { ParameterType } from './document.js';

export interface Parameter extends Lifetime {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly type: ParameterType;
  readonly description: string;
  /** The key in the shared parameters of a Swagger 2.0 document; absent if the parameter must stay in its operation. */
  readonly sharedAs?: string;
}

const query = (name: string, type: ParameterType, description: string, sharedAs: string = name): Parameter => ({
  name,
  in: 'query',
  type,
  description,
  sharedAs,
});

/**
 * Makes a parameter that never becomes a reference. Clients before 1.27 search for these two in the operation itself.
 */
const inPlace = (name: string, description: string): Parameter => ({ name, in: 'query', type: 'string', description });

const dryRun = inPlace('dryRun', '`All` runs every stage of the request, but does not store the result.');
const fieldValidation = inPlace(
  'fieldValidation',
  'What to do about unknown and duplicate fields: `Ignore`, `Warn` (the default) or `Strict`, which refuses them.',
);
const fieldManager = query(
  'fieldManager',
  'string',
  'Who makes the change, in at most 128 printable characters. Fields that change belong to this manager.',
);
const patchManager = query(
  'fieldManager',
  'string',
  'Who makes the change, in at most 128 printable characters; required for apply. Fields that change belong to it.',
  'fieldManager-patch',
);
const force = query('force', 'boolean', 'For apply only: take over fields that other managers own.');
export const pretty = query('pretty', 'string', '`true` indents the answer.');
export const namespace: Parameter = {
  name: 'namespace',
  in: 'path',
  type: 'string',
  description: 'Namespace of the object.',
  sharedAs: 'namespace',
};

/** Returns the path parameter of single objects. */
export function nameOf(kind: string): Parameter {
  return { name: 'name', in: 'path', type: 'string', description: `Name of the ${kind}.` };
}

const continueToken = query('continue', 'string', 'Token from the previous chunk of the same list.');
const limit = query('limit', 'integer', 'The most items to return. `continue` returns the rest.');
const fieldSelector = query('fieldSelector', 'string', 'Only objects with these field values.');
const labelSelector = query('labelSelector', 'string', 'Only objects with these labels.');
const resourceVersion = query('resourceVersion', 'string', 'Version of the state to read, or to start a watch from.');
const resourceVersionMatch = query(
  'resourceVersionMatch',
  'string',
  'How `resourceVersion` binds a list: `Exact` or `NotOlderThan`.',
);
const sendInitialEvents = query(
  'sendInitialEvents',
  'boolean',
  'A watch begins with all existing objects, and a bookmark after them.',
);
const shardSelector: Parameter = {
  ...query('shardSelector', 'string', 'Only objects of one part of all. Ignored while its gate is off.'),
  introduced: '1.36',
};
const timeoutSeconds = query('timeoutSeconds', 'integer', 'Seconds after which the list or watch ends.');
const allowWatchBookmarks = query('allowWatchBookmarks', 'boolean', 'A watch may send `BOOKMARK` events.');
const watch = query('watch', 'boolean', 'Answer with a stream of changes instead of a list.');

const gracePeriodSeconds = query('gracePeriodSeconds', 'integer', 'Seconds until the object is removed; 0 is at once.');
const orphanDependents = query('orphanDependents', 'boolean', 'Replaced by `propagationPolicy`.');
const propagationPolicy = query(
  'propagationPolicy',
  'string',
  'What happens to dependents: `Orphan`, `Background` or `Foreground`.',
);
const ignoreStoreReadError: Parameter = {
  ...query(
    'ignoreStoreReadErrorWithClusterBreakingPotential',
    'boolean',
    'Removes an object that cannot be read, without finalizers and preconditions. Refused for others.',
  ),
  introduced: '1.32',
};

/** Parameters of lists and watches. */
export const listParameters: readonly Parameter[] = [
  allowWatchBookmarks,
  continueToken,
  fieldSelector,
  labelSelector,
  limit,
  resourceVersion,
  resourceVersionMatch,
  sendInitialEvents,
  shardSelector,
  timeoutSeconds,
  watch,
];

/** The parameters of reads. Built-in kinds have none. */
export const getParameters: readonly Parameter[] = [resourceVersion];
/** Parameters of creates and updates. */
export const writeParameters: readonly Parameter[] = [dryRun, fieldManager, fieldValidation];
export const patchParameters: readonly Parameter[] = [dryRun, patchManager, fieldValidation, force];
export const deleteParameters: readonly Parameter[] = [
  dryRun,
  gracePeriodSeconds,
  ignoreStoreReadError,
  orphanDependents,
  propagationPolicy,
];
export const deleteCollectionParameters: readonly Parameter[] = [
  ...deleteParameters,
  continueToken,
  fieldSelector,
  labelSelector,
  limit,
  resourceVersion,
  resourceVersionMatch,
  sendInitialEvents,
  shardSelector,
  timeoutSeconds,
];
