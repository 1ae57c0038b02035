/** Type-checks a policy against the schemas of the kinds that it matches, for the policy's status. */
import { setImmediate } from 'node:timers/promises';
import {
  compileExpression,
  type DataType,
  dataTypeOf,
  describeIssues,
  dyn,
  type Environment,
  type Type,
  typedAdmissionEnvironment,
} from '../../../runtime/cel/index.js';
import type { ApiObject, JsonObject, ResourceIndex, ResourceModule, Schema } from '../../../runtime/contract/index.js';
import { formatKind } from '../../../runtime/objects/names/names.js';
import { objectMetaSchema } from '../../../runtime/schema/object-meta.js';
import type { ResourceRule } from '../shared/matching.js';
import type { PolicySpec } from '../shared/policy-spec.js';
import { type ValidatingPolicySpec, validatingPolicySpecOf } from './spec.js';

/** The most kinds that one policy is checked against. */
const maxKinds = 10;

/** The most text of all warnings together, UTF-16 units: they must fit into the object. */
const maxText = 256 * 1024;

/** How long the check runs before other work gets its turn, milliseconds. */
const turnMs = 10;

/**
 * Returns the warnings for a policy's status. A warning says where and why a validation does not fit the schemas of
 * kinds. It leaves out the last warnings if there are too many, and does not check wildcards in rules. A policy with
 * warnings still works, because it evaluates objects as they are.
 */
export async function typeWarnings(
  policy: ApiObject,
  resources: ResourceIndex,
  later: boolean,
): Promise<readonly JsonObject[]> {
  const spec = validatingPolicySpecOf(policy);
  const turns = new Turns();
  const environments: TitledEnvironment[] = [];
  for (const resource of kindsOf(spec.match.rules, resources)) {
    const title = formatKind({ ...resource, kind: resource.names.kind });
    environments.push({ title, environment: await environmentFor(spec, resource, resources, later) });
    await turns.next();
  }
  const warnings: JsonObject[] = [];
  let room = maxText;
  for (const [fieldRef, expression] of checkedExpressions(spec, later)) {
    const warning = problemsIn(expression, environments);
    if (warning !== '') warnings.push({ fieldRef, warning });
    room -= warning.length;
    if (room < 0) break;
    await turns.next();
  }
  return warnings;
}

/** Yields the paths and texts of expressions. Release 1.27 does not check the expressions of messages. */
function* checkedExpressions({ validations }: ValidatingPolicySpec, later: boolean): Generator<[string, string]> {
  for (const [i, { expression, messageExpression }] of validations.entries()) {
    yield [`spec.validations[${i}].expression`, expression];
    if (later && messageExpression !== '') yield [`spec.validations[${i}].messageExpression`, messageExpression];
  }
}

/** Gives other work its turn during long computations. */
class Turns {
  #since = performance.now();

  async next(): Promise<void> {
    if (performance.now() - this.#since < turnMs) return;
    await setImmediate();
    this.#since = performance.now();
  }
}

interface TitledEnvironment {
  /** The kind as warnings name it. */
  readonly title: string;
  readonly environment: Environment;
}

/** Returns the problems of an expression with each kind. */
function problemsIn(expression: string, environments: readonly TitledEnvironment[]): string {
  const found = environments.flatMap(({ title, environment }) => {
    const problem = problemIn(expression, environment);
    return problem === undefined ? [] : [`${title}: ${problem}`];
  });
  return found.join('\n');
}

/**
 * Creates the environment of a kind. In release 1.27 it has no authorizer, so validations that use the authorizer get a
 * warning. In later releases it has no parameters of an unknown kind, and variables have the types of their
 * expressions.
 */
async function environmentFor(
  { paramKind, variables }: PolicySpec,
  resource: ResourceModule,
  resources: ResourceIndex,
  later: boolean,
): Promise<Environment> {
  const object = await typeOf(resource, 'object');
  const param = paramKind && resources.ofKind(paramKind.apiVersion, paramKind.kind);
  const params = param && (await typeOf(param, 'params'));
  const known = { ...(object && { object }), ...(params && { params }) };
  if (!later) return typedAdmissionEnvironment({ params: paramKind !== undefined, authorizer: false }, known);
  const visible = { params: params !== undefined, authorizer: true, later };
  const types = new Map<string, Type>();
  for (const { name, expression } of variables) {
    const compiled = compileExpression(expression, typedAdmissionEnvironment({ ...visible, variables: types }, known));
    types.set(name, compiled.ok ? compiled.expression.type : dyn);
  }
  return typedAdmissionEnvironment({ ...visible, variables: types }, known);
}

const text: Schema = { type: 'string' };

/** Returns the type of a kind. Definitions leave out the fields that every object has. */
async function typeOf({ code }: ResourceModule, name: string): Promise<DataType | undefined> {
  const { schema } = await code();
  const properties = { ...schema.properties, apiVersion: text, kind: text, metadata: objectMetaSchema };
  return dataTypeOf({ ...schema, properties }, name, { isResource: true });
}

/** Returns syntax and type errors. Whether parts can be evaluated shows only at run time. */
function problemIn(expression: string, environment: Environment): string | undefined {
  const compiled = compileExpression(expression, environment);
  if (compiled.ok || compiled.failure.phase === 'program') return undefined;
  return describeIssues(expression, compiled.failure.issues);
}

/** Returns the kinds that rules name, sorted by group, version and name. */
function kindsOf(rules: readonly ResourceRule[], resources: ResourceIndex): readonly ResourceModule[] {
  const found = new Set<ResourceModule>();
  for (const rule of rules) {
    const named = kindsNamedBy(rule, resources);
    for (const resource of named) found.add(resource);
    if (named.length === maxKinds) break;
  }
  const keyOf = ({ group, version, names }: ResourceModule): string => [group, version, names.kind].join('\u0000');
  return [...found].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Returns the kinds of one rule. Wildcards and subresources name no kind. */
function kindsNamedBy(rule: ResourceRule, resources: ResourceIndex): readonly ResourceModule[] {
  const plurals = rule.resources.filter((name) => !/[*/]/.test(name)).sort();
  const groups = [...rule.apiGroups].sort();
  const versions = [...rule.apiVersions].sort();
  const named = groups.flatMap((group) =>
    versions.flatMap((version) => plurals.flatMap((plural) => lookUp(group, version, plural, resources))),
  );
  return named.slice(0, maxKinds);
}

/** Finds resources. A resource of the core group is searched for in all groups, because an empty group names none. */
function lookUp(group: string, version: string, plural: string, resources: ResourceIndex): readonly ResourceModule[] {
  if (group === '') {
    return resources.all().filter((one) => one.version === version && one.names.plural === plural);
  }
  const found = resources.find(group, version, plural);
  return found ? [found] : [];
}
