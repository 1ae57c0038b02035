/** The verb `delete`: deletes one object, at once or after its finalizers are gone. */
import { encodeJson, jsonTypeOf } from '../codec/json.js';
import { notAnObject } from '../codec/undecodable.js';
import type { FieldError, JsonObject, JsonValue, Result } from '../contract/index.js';
import { equal } from '../objects/equality.js';
import { invalidValue, notSupported } from '../objects/field-error.js';
import { isInteger, isObject } from '../objects/guards.js';
import { quote } from '../objects/printing.js';
import { badRequest, deletedStatus, invalid } from '../objects/status.js';
import { unsafeDeleteGate } from '../read/unreadable.js';
import type { ApiResponse, Query } from '../request/api-request.js';
import { readDeleteBody } from '../request/body.js';
import { readRepresentation } from '../request/representation/negotiate.js';
import { answerDeleted, answerFailure, answerStatus } from '../request/responses.js';
import { type VerbRequest, warn } from '../request/verb-request.js';
import { toWrite } from './begin.js';
import { runDelete } from './run.js';
import { defaultPropagation } from './stages/deletion.js';
import { deleteUnreadable, ignoresReadErrors, unsafeOptionErrors } from './unsafe-delete.js';
import { type DeletePlan, dryRunErrors, dryRunOf } from './write.js';

/** Deletes the object that the path names. */
export async function deleteOne(verb: VerbRequest): Promise<ApiResponse> {
  const representation = readRepresentation(verb, 'object');
  if (!representation.ok) return answerFailure(verb, representation.failure);
  const options = await readDeleteOptions(verb);
  if (!options.ok) return answerFailure(verb, options.failure);
  const { dryRun, plan, object, isUnsafe } = options.value;
  if (isUnsafe) {
    const failure = await deleteUnreadable(verb);
    if (failure) return answerFailure(verb, failure);
    const { group, names } = verb.resource.module;
    return answerStatus(verb, representation.value, 200, deletedStatus(group, names.plural, verb.name, ''));
  }
  warnOfOrphans(verb, plan);
  const outcome = await runDelete(toWrite(verb, { dryRun, manager: '', object }), plan);
  return answerDeleted(verb, representation.value, outcome);
}

/** The checked options of a delete. */
interface DeleteOptions {
  readonly dryRun: boolean;
  readonly plan: DeletePlan;
  /** The options as admission plugins get them. */
  readonly object: JsonObject;
  /** Set if the client wants to delete an object that cannot be read. */
  readonly isUnsafe?: true;
}

const propagations = ['Foreground', 'Background', 'Orphan'] as const;

/** Reads the options of a delete from the query and the body. Each may leave out options that the other has. */
export async function readDeleteOptions(verb: VerbRequest): Promise<Result<DeleteOptions>> {
  const body = await readDeleteBody(verb);
  if (!body.ok) return body;
  const queried = fromQuery(verb);
  if (!queried.ok || body.value.bytes.length === 0) return queried.ok ? checked(verb, queried.value) : queried;
  const sent = fromBody(body.value.value);
  if (!sent.ok) return sent;
  recordOptions(verb, sent.value);
  const options = together(queried.value, sent.value);
  return options.ok ? checked(verb, options.value) : options;
}

/**
 * Returns the options of a query and a body. Options that both have must be equal; an empty `dryRun` counts as absent.
 */
function together(queried: JsonObject, sent: JsonObject): Result<JsonObject> {
  const options = { ...queried, ...sent };
  for (const [name, value = null] of Object.entries(queried)) {
    const other = sent[name] ?? undefined;
    if (name === 'preconditions' && isObject(value) && isObject(other)) {
      const both = together(value, other);
      if (!both.ok) return both;
      options[name] = both.value;
    } else if (other === undefined || isEmptyList(other)) options[name] = value;
    else if (!equal(value, other)) {
      const problem = `${name} is ${encodeJson(value)} in the query and ${encodeJson(other)} in the body: they must be equal`;
      return { ok: false, failure: badRequest(problem) };
    }
  }
  return { ok: true, value: options };
}

const isEmptyList = (value: JsonValue | undefined): boolean => Array.isArray(value) && value.length === 0;

/** Records the options. As in the reference, their version is `__internal`. */
function recordOptions({ request, services: { recorder, metaGroup } }: VerbRequest, options: JsonObject): void {
  recorder?.deletion(request, { ...options, kind: 'DeleteOptions', apiVersion: `${metaGroup}/__internal` });
}

/** Warns a client that gives no propagation policy, if dependents become orphans. */
export function warnOfOrphans(verb: VerbRequest, { propagation }: DeletePlan): void {
  const { orphanWarning } = verb.resource.handlers ?? {};
  if (orphanWarning === undefined || propagation !== undefined) return;
  if (defaultPropagation(verb.resource) === 'Orphan') warn(verb, orphanWarning);
}

function fromQuery({ query, name }: VerbRequest): Result<JsonObject> {
  const grace = query.integer('gracePeriodSeconds');
  if (!grace.ok) return grace;
  const options: JsonObject = {};
  const dryRun = dryRunOf(query);
  if (dryRun.length > 0) options.dryRun = dryRun;
  if (grace.value !== undefined) options.gracePeriodSeconds = grace.value;
  if (query.has('propagationPolicy')) options.propagationPolicy = query.text('propagationPolicy');
  const orphan = query.boolean('orphanDependents');
  if (orphan !== undefined) options.orphanDependents = orphan;
  const isUnsafe = query.boolean(ignoresReadErrors);
  if (isUnsafe !== undefined) options[ignoresReadErrors] = isUnsafe;
  // For a collection, `resourceVersion` in the query belongs to the list.
  const preconditions = name === '' ? {} : preconditionsIn(query);
  if (Object.keys(preconditions).length > 0) options.preconditions = preconditions;
  return { ok: true, value: options };
}

function preconditionsIn(query: Query): JsonObject {
  const found = ['uid', 'resourceVersion'].map((name) => [name, query.text(name)] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== ''));
}

function fromBody(body: JsonValue): Result<JsonObject> {
  if (body === null) return { ok: true, value: {} };
  if (!isObject(body)) return { ok: false, failure: badRequest(notAnObject(body)) };
  const { kind = '', apiVersion = '' } = body;
  if (typeof kind === 'string' && kind !== '' && kind !== 'DeleteOptions') {
    return {
      ok: false,
      failure: badRequest(`no kind ${quote(kind)} is registered for version "${String(apiVersion)}"`),
    };
  }
  const options = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  const problem = typeProblem(options);
  return problem === undefined ? { ok: true, value: options } : { ok: false, failure: badRequest(problem) };
}

type Check = (value: JsonValue) => boolean;
const isString: Check = (value) => typeof value === 'string';
const isBoolean: Check = (value) => typeof value === 'boolean';
const isInt64: Check = (value) =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 63);

type FieldTypes = readonly (readonly [field: string, isRight: Check, type: string])[];

const optionTypes: FieldTypes = [
  ['kind', isString, 'string'],
  ['apiVersion', isString, 'string'],
  ['gracePeriodSeconds', isInt64, 'int64'],
  ['preconditions', isObject, 'v1.Preconditions'],
  ['orphanDependents', isBoolean, 'bool'],
  ['propagationPolicy', isString, 'v1.DeletionPropagation'],
  ['dryRun', Array.isArray, '[]string'],
];

const preconditionTypes: FieldTypes = [
  ['uid', isString, 'types.UID'],
  ['resourceVersion', isString, 'string'],
];

/** Returns the decoder's words for a value of the wrong type, or `undefined` if all types are right. */
function typeProblem(options: JsonObject): string | undefined {
  const { dryRun, preconditions } = options;
  const problems = [
    wrongType(options, 'DeleteOptions', optionTypes),
    isObject(preconditions) ? wrongType(preconditions, 'Preconditions.preconditions', preconditionTypes) : undefined,
    ...(Array.isArray(dryRun) ? dryRun : []).map((item) =>
      wrongType({ dryRun: item }, 'DeleteOptions', [['dryRun', isString, 'string']]),
    ),
  ];
  return problems.find((problem) => problem !== undefined);
}

function wrongType(object: JsonObject, place: string, types: FieldTypes): string | undefined {
  for (const [field, isRight, type] of types) {
    const value = object[field];
    if (value === undefined || value === null || isRight(value)) continue;
    const found = typeof value === 'number' && type === 'int64' ? `number ${value}` : jsonTypeOf(value);
    return `json: cannot unmarshal ${found} into Go struct field ${place}.${field} of type ${type}`;
  }
  return undefined;
}

function checked(verb: VerbRequest, given: JsonObject): Result<DeleteOptions> {
  const errors: FieldError[] = [];
  const { [ignoresReadErrors]: unsafe, ...others } = given;
  const isUnsafe = unsafe === true && verb.services.featureEnabled(unsafeDeleteGate);
  const options = isUnsafe ? given : others;
  const propagation = typeof options.propagationPolicy === 'string' ? options.propagationPolicy : undefined;
  const orphan = typeof options.orphanDependents === 'boolean' ? options.orphanDependents : undefined;
  if (propagation !== undefined && orphan !== undefined) {
    errors.push(
      invalidValue('propagationPolicy', propagation, 'orphanDependents and deletionPropagation cannot be both set'),
    );
  }
  const known = propagations.find((one) => one === propagation);
  if (propagation !== undefined && known === undefined) {
    errors.push(notSupported('propagationPolicy', propagation, [...propagations, 'nil']));
  }
  const dryRun = Array.isArray(options.dryRun) ? options.dryRun.filter((value) => typeof value === 'string') : [];
  errors.push(...dryRunErrors(dryRun));
  if (isUnsafe) errors.push(...unsafeOptionErrors(options));
  const { metaGroup } = verb.services;
  if (errors.length > 0) return { ok: false, failure: invalid(metaGroup, 'DeleteOptions', '', errors) };
  const orphanPolicy = orphan === undefined ? undefined : orphan ? ('Orphan' as const) : ('Background' as const);
  const object: JsonObject = { ...options, kind: 'DeleteOptions', apiVersion: `${metaGroup}/v1` };
  const plan: DeletePlan = {
    preconditions: preconditionsOf(options),
    propagation: known ?? orphanPolicy,
    ...(isInteger(options.gracePeriodSeconds) ? { gracePeriodSeconds: Number(options.gracePeriodSeconds) } : {}),
  };
  return { ok: true, value: { dryRun: dryRun.length > 0, plan, object, ...(isUnsafe ? { isUnsafe } : {}) } };
}

function preconditionsOf({ preconditions }: JsonObject): DeletePlan['preconditions'] {
  if (!isObject(preconditions)) return {};
  const { uid, resourceVersion } = preconditions;
  return {
    ...(typeof uid === 'string' ? { uid } : {}),
    ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}),
  };
}
