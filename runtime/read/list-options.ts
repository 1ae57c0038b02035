/** Reads and checks the options of a list, watch or deletecollection. */
import type { Failure, FieldError, ResourceModule, Result, Revision } from '../contract/index.js';
import { forbidden, notSupported } from '../objects/field-error.js';
import { memoizeByObject } from '../objects/memoize.js';
import {
  compileFields,
  type FieldSelector,
  parseFieldSelector,
  unknownField,
  unsupportedField,
} from '../objects/selectors/field-selectors.js';
import { parseLabelSelector } from '../objects/selectors/labels.js';
import { badRequest, invalid } from '../objects/status.js';
import { type Query, readRevision } from '../request/api-request.js';
import { matchEverything, type Selection, selectionOf } from '../request/selection.js';
import type { VerbRequest } from '../request/verb-request.js';
import { definedFields } from '../resource/encoding.js';
import type { ResourceNames, ResourceVersions, ServedResource } from '../resource/served-resource.js';

export type RevisionMatch = 'Exact' | 'NotOlderThan';

/** The checked options of a read of a collection. */
export interface ListOptions {
  /** `undefined` if the client named none; 0 is "any". */
  readonly revision: Revision | undefined;
  readonly match: RevisionMatch | undefined;
  /** Entries per chunk; 0 for all. Without the gate `APIListChunking`, always 0, and the token is empty. */
  readonly limit: number;
  readonly continueToken: string;
  readonly selection: Selection;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  /** `undefined` if the client named none or 0. */
  readonly timeoutSeconds: number | undefined;
}

/** Options by resource, then by query, without invalid ones. */
const optionsOf = memoizeByObject((_resource: ResourceNames) => new WeakMap<Query, ListOptions>());

/**
 * Reads the list options of a query, once for each remembered query. `path` is set if the path makes it a watch,
 * whatever the query says.
 */
export function readListOptions(verb: VerbRequest, path?: 'watch'): Result<ListOptions> {
  const { resource, query } = verb;
  const kept = optionsOf(resource);
  const known = kept.get(query);
  const options: Result<ListOptions> = known ? { ok: true, value: known } : parseListOptions(verb);
  if (!options.ok) return options;
  if (!known) kept.set(query, options.value);
  return path === undefined ? options : { ok: true, value: { ...options.value, watch: true } };
}

function parseListOptions(verb: VerbRequest): Result<ListOptions> {
  const { query } = verb;
  const limit = query.integer('limit');
  if (!limit.ok) return limit;
  const timeout = query.integer('timeoutSeconds');
  if (!timeout.ok) return timeout;
  const watch = query.boolean('watch') ?? false;
  const selection = readSelection(verb);
  if (!selection.ok) return selection;
  const streaming = verb.services.featureEnabled('WatchList');
  const chunked = verb.services.featureEnabled('APIListChunking');
  const given = withDefaults(
    {
      match: query.text('resourceVersionMatch'),
      resourceVersion: query.text('resourceVersion'),
      continueToken: query.text('continue'),
      sendInitialEvents: query.boolean('sendInitialEvents'),
    },
    watch && streaming,
  );
  const { match, resourceVersion, continueToken, sendInitialEvents } = given;
  const errors = watch ? watchErrors(given, streaming) : listErrors(given);
  if (errors.length > 0) return { ok: false, failure: invalid(verb.services.metaGroup, 'ListOptions', '', errors) };
  const cached = verb.services.release.does('listsFromMemory');
  const revision =
    cached && !watch && continueToken !== ''
      ? readContinued(resourceVersion)
      : readRevision(resourceVersion, watch ? undefined : placeOfRevision(given, limit.value ?? 0, cached));
  if (!revision.ok) return revision;
  return {
    ok: true,
    value: {
      revision: revision.value,
      match: match === 'Exact' || match === 'NotOlderThan' ? match : undefined,
      limit: chunked ? Math.max(0, limit.value ?? 0) : 0,
      continueToken: chunked ? continueToken : '',
      selection: selection.value,
      watch,
      allowWatchBookmarks: query.boolean('allowWatchBookmarks') ?? false,
      sendInitialEvents,
      timeoutSeconds: timeout.value === undefined || timeout.value <= 0 ? undefined : timeout.value,
    },
  };
}

/**
 * Returns the name of the revision in a refusal. The reference says more if it does not answer the list from its cache.
 */
function placeOfRevision({ match, continueToken }: Given, limit: number, cached: boolean): string {
  const fromStore = cached || match === 'Exact' || continueToken !== '' || limit > 0;
  return fromStore ? 'invalid resource version: resourceVersion' : 'resourceVersion';
}

/** Reads the revision of a continued list. It may only be 0, for any revision. */
function readContinued(resourceVersion: string): Result<Revision | undefined> {
  const read = readRevision(resourceVersion);
  return read.ok ? read : { ok: false, failure: revisionWithContinue };
}

/** The failure of a continued list that names a revision. */
export const revisionWithContinue = badRequest('specifying resource version is not allowed when using continue');

function readSelection(verb: VerbRequest): Result<Selection> {
  const labels = verb.query.text('labelSelector');
  const fields = verb.query.text('fieldSelector');
  if (labels === '' && fields === '') return { ok: true, value: matchEverything };
  return compileSelection(verb.resource, labels, fields);
}

function compileSelection(resource: ServedResource, labels: string, fields: string): Result<Selection> {
  const labelSelector = parseLabelSelector(labels);
  if (!labelSelector.ok) return labelSelector;
  const fieldSelector = parseFieldSelector(fields);
  if (!fieldSelector.ok) return fieldSelector;
  const unknown = unknownSelectedField(resource.module, fieldSelector.value);
  if (unknown) return { ok: false, failure: unknown };
  const fieldsOf = definedFields(resource);
  const fieldTerms = fieldsOf ? fieldSelector.value : asStored(resource, fieldSelector.value);
  return { ok: true, value: selectionOf(labelSelector.value, fieldTerms, fieldsOf) };
}

/** Returns a selector with the field names of the stored version, because the attributes of entries have these. */
function asStored(resource: ResourceVersions, selector: FieldSelector): FieldSelector {
  if (!resource.conversion || selector.everything) return selector;
  return compileFields(selector.terms.map((term) => ({ ...term, field: resource.storedField(term.field) })));
}

/** Returns the failure of a selected field that the resource does not have. */
function unknownSelectedField(module: ResourceModule, { terms }: FieldSelector): Failure | undefined {
  // The message differs for built-in kinds without fields of their own.
  const own = module.selectableFields.length > 0 || module.decoding === 'structural';
  const placed = module.scope === 'Namespaced' || !own;
  const known = ['metadata.name', ...(placed ? ['metadata.namespace'] : []), ...module.selectableFields];
  const unknown = terms.find(({ field }) => !known.includes(field));
  if (!unknown) return undefined;
  return own ? unsupportedField(unknown.field) : unknownField(unknown.field);
}

/** The client's options that depend on each other. */
interface Given {
  readonly match: string;
  readonly resourceVersion: string;
  readonly continueToken: string;
  readonly sendInitialEvents: boolean | undefined;
}

/** Turns a watch that begins with the state into a streaming list, if the server has these. */
function withDefaults(given: Given, streaming: boolean): Given {
  const { match, resourceVersion, sendInitialEvents } = given;
  const fromState = resourceVersion === '' || resourceVersion === '0';
  if (!streaming || !fromState || match !== '' || sendInitialEvents !== undefined) return given;
  return { ...given, sendInitialEvents: true, match: 'NotOlderThan' };
}

const matches: readonly string[] = ['Exact', 'NotOlderThan'];

const matchForbidden = (detail: string): FieldError => forbidden('resourceVersionMatch', detail);

const matchWithContinue = matchForbidden('resourceVersionMatch is forbidden when continue is provided');

function listErrors({ match, resourceVersion, continueToken, sendInitialEvents }: Given): FieldError[] {
  const errors: FieldError[] = [];
  if (match !== '') {
    if (resourceVersion === '') {
      errors.push(matchForbidden('resourceVersionMatch is forbidden unless resourceVersion is provided'));
    }
    if (continueToken !== '') errors.push(matchWithContinue);
    if (!matches.includes(match)) {
      errors.push(notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && resourceVersion === '0') {
      errors.push(matchForbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (sendInitialEvents !== undefined) {
    errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

function watchErrors({ match, continueToken, sendInitialEvents }: Given, streaming: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined) {
    if (match !== 'NotOlderThan') {
      errors.push(matchForbidden('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
    }
    if (!streaming) {
      const detail = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
      errors.push(forbidden('sendInitialEvents', detail));
    }
  }
  if (match === '') return errors;
  if (sendInitialEvents === undefined) {
    errors.push(matchForbidden('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
  }
  if (match !== 'NotOlderThan') errors.push(notSupported('resourceVersionMatch', match, ['NotOlderThan']));
  if (continueToken !== '') errors.push(matchWithContinue);
  return errors;
}
