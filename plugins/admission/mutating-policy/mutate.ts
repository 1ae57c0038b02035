/** Makes one change of a mutating policy to an object. */
import {
  type CelValue,
  isList,
  itemsOf,
  misplacedParts,
  policyCostLimit,
  StructValue,
  toJson,
} from '../../../runtime/cel/index.js';
import type { AdmissionContext, ApiObject, Failure, JsonObject, Operation } from '../../../runtime/contract/index.js';
import { explainedPatch } from '../../../runtime/merge/index.js';
import { clone } from '../../../runtime/objects/clone.js';
import { isArray, isObject } from '../../../runtime/objects/guards.js';
import { inTurns } from '../../../runtime/objects/turns.js';
import { evaluateAll, NamedValues, type Rights, type Variables } from '../shared/expressions.js';
import type { CompiledMutatingPolicy, CompiledMutation } from './spec.js';

/**
 * The changed object; a problem that the policy's failure policy decides about; or a failure that refuses the request in
 * any case.
 */
export type Mutated =
  | { readonly outcome: 'changed'; readonly object: ApiObject }
  | { readonly outcome: 'problem'; readonly problem: string }
  | { readonly outcome: 'failed'; readonly failure: Failure };

/** Evaluates a mutation, and returns a changed copy of the object. `given` are the variables, with that object. */
export async function mutate(
  mutation: CompiledMutation,
  { variables: named }: CompiledMutatingPolicy,
  object: ApiObject,
  given: Variables,
  { operation, context, rights }: MutationRequest,
): Promise<Mutated> {
  const patch = await rights.settle(() => evaluated(mutation, { ...given, variables: new NamedValues(named, given) }));
  if (!patch.ok) return { outcome: 'problem', problem: patch.problem };
  const patched = isArray(patch.value)
    ? await byOperations(object, patch.value)
    : byConfiguration(object, patch.value, context);
  if (!patched.ok) return { outcome: 'problem', problem: patched.problem };
  // The result shares parts with the object, and decoding changes its input.
  const value = { ...clone(patched.value), apiVersion: object.apiVersion, kind: object.kind };
  // The options of a CONNECT have no resource of their own, and no defaults.
  if (operation === 'CONNECT') return { outcome: 'changed', object: { ...value, metadata: {} } };
  if (!context.decode) throw new Error('the admission context must have decode: policies change objects');
  const made = context.decode(value, mutation.type === 'JSONPatch');
  if (!made.ok) return { outcome: 'failed', failure: made.failure };
  // An object without field managers has no such list.
  if (made.value.metadata.managedFields?.length === 0) delete made.value.metadata.managedFields;
  return { outcome: 'changed', object: made.value };
}

/** The request that a mutation is part of. */
export interface MutationRequest {
  readonly operation: Operation;
  readonly context: AdmissionContext;
  readonly rights: Rights;
}

type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** Evaluates the expression: to a configuration, or to a list of operations. */
function evaluated({ patch }: CompiledMutation, variables: Variables): Outcome<JsonObject | JsonObject[]> {
  const all = evaluateAll([patch], variables, policyCostLimit);
  if (!all.ok) return { ok: false, problem: all.message };
  const [result] = all.results;
  if (!result?.ok) return { ok: false, problem: result?.message ?? 'the mutation is empty' };
  return asPatch(result.value);
}

/** Returns the JSON of a configuration, or of a list of operations. */
function asPatch(value: CelValue): Outcome<JsonObject | JsonObject[]> {
  const parts = isList(value) ? itemsOf(value).map(operandOf) : [value];
  const misplaced = parts.flatMap(misplacedParts);
  if (misplaced.length > 0) return { ok: false, problem: `type mismatch: ${misplaced.join('\n')}` };
  const json = toJson(value);
  if (isArray(json))
    return { ok: true, value: json.map((one) => ({ op: '', path: '', ...(isObject(one) ? one : {}) })) };
  return isObject(json)
    ? { ok: true, value: json }
    : { ok: false, problem: 'type mismatch: the patch is not an object' };
}

/** Returns the value of an operation. */
const operandOf = (operation: CelValue): CelValue =>
  (operation instanceof StructValue ? operation.get('value') : undefined) ?? null;

async function byOperations(object: ApiObject, operations: readonly JsonObject[]): Promise<Outcome<JsonObject>> {
  const patched = await inTurns(explainedPatch(object, operations));
  if (patched.ok) return isObject(patched.value) ? { ok: true, value: patched.value } : noObject;
  // A patch with a test that fails changes nothing.
  return patched.isUnmet ? { ok: true, value: object } : { ok: false, problem: `JSON Patch: ${patched.problem}` };
}

const noObject = { ok: false, problem: 'JSON Patch: the patched object is not a JSON object' } as const;

function byConfiguration(
  object: ApiObject,
  configuration: JsonObject,
  { merge }: AdmissionContext,
): Outcome<JsonObject> {
  if (!merge) throw new Error('the admission context must have merge: policies merge configurations');
  const merged = merge(object, configuration);
  return merged.ok ? merged : { ok: false, problem: `error applying patch: ${merged.failure.message}` };
}
