/** Checks what a policy demands against the schemas of the kinds that it is about, for the status of the policy. */
import { setImmediate } from 'node:timers/promises';
import {
  compileExpression,
  type DataType,
  dataTypeOf,
  describeIssues,
  type Environment,
  typedAdmissionEnvironment,
} from '../../../runtime/cel/index.js';
import type { ApiObject, JsonObject, ResourceIndex, ResourceModule, Schema } from '../../../runtime/contract/index.js';
import { formatKind } from '../../../runtime/objects/gvk.js';
import { objectMetaSchema } from '../../../runtime/schema/object-meta.js';
import type { ResourceRule } from '../matching.js';
import { type PolicySpec, policySpecOf } from './spec.js';

/** The most kinds that one rule is followed to. */
const maxKinds = 10;

/** The most that warnings may take up together, in UTF-16 units: a status has to fit beside what it is about. */
const maxText = 256 * 1024;

/** How long the check goes on before it lets others have a turn, milliseconds. */
const turnMs = 10;

/**
 * Returns the warnings for the validations of a policy, as its status has them: for each that does not fit a kind's
 * schema, where it stands and what is wrong, as far as there is room. Kinds that a rule does not name are left out.
 * The policy works even so: it takes objects as they come.
 */
export async function typeWarnings(policy: ApiObject, resources: ResourceIndex): Promise<readonly JsonObject[]> {
  const spec = policySpecOf(policy);
  const turns = new Turns();
  const environments: TitledEnvironment[] = [];
  for (const resource of kindsOf(spec.match.rules, resources)) {
    const title = formatKind({ ...resource, kind: resource.names.kind });
    environments.push({ title, environment: await environmentFor(spec, resource, resources) });
    await turns.next();
  }
  const warnings: JsonObject[] = [];
  let room = maxText;
  for (const [i, { expression }] of spec.validations.entries()) {
    const warning = problemsIn(expression, environments);
    if (warning !== '') warnings.push({ fieldRef: `spec.validations[${i}].expression`, warning });
    room -= warning.length;
    if (room < 0) break;
    await turns.next();
  }
  return warnings;
}

/** Lets others have their turns in what takes long. */
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

/** The problems of an expression with each kind. */
function problemsIn(expression: string, environments: readonly TitledEnvironment[]): string {
  const found = environments.flatMap(({ title, environment }) => {
    const problem = problemIn(expression, environment);
    return problem === undefined ? [] : [`${title}: ${problem}`];
  });
  return found.join('\n');
}

/** The authorizer is no part of the check in release 1.27, so that demands which ask it are suspect. */
async function environmentFor(
  { paramKind }: PolicySpec,
  resource: ResourceModule,
  resources: ResourceIndex,
): Promise<Environment> {
  const object = await typeOf(resource, 'object');
  const param = paramKind && resources.ofKind(paramKind.apiVersion, paramKind.kind);
  const params = param && (await typeOf(param, 'params'));
  const visible = { params: paramKind !== undefined, authorizer: false };
  return typedAdmissionEnvironment(visible, { ...(object && { object }), ...(params && { params }) });
}

const text: Schema = { type: 'string' };

/** Definitions leave out what every object has. */
async function typeOf({ code }: ResourceModule, name: string): Promise<DataType | undefined> {
  const { schema } = await code();
  const properties = { ...schema.properties, apiVersion: text, kind: text, metadata: objectMetaSchema };
  return dataTypeOf({ ...schema, properties }, name, { isResource: true });
}

/** Only what parsing and types have to say: whether its parts can be evaluated is found when it is. */
function problemIn(expression: string, environment: Environment): string | undefined {
  const compiled = compileExpression(expression, environment);
  if (compiled.ok || compiled.failure.phase === 'program') return undefined;
  return describeIssues(expression, compiled.failure.issues);
}

/** The kinds that rules name, in order of their groups, versions and names. */
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

/** Wildcards are the names of nothing, and so are subresources. */
function kindsNamedBy(rule: ResourceRule, resources: ResourceIndex): readonly ResourceModule[] {
  const plurals = rule.resources.filter((name) => !/[*/]/.test(name)).sort();
  const groups = [...rule.apiGroups].sort();
  const versions = [...rule.apiVersions].sort();
  const named = groups.flatMap((group) =>
    versions.flatMap((version) => plurals.flatMap((plural) => lookUp(group, version, plural, resources))),
  );
  return named.slice(0, maxKinds);
}

/** A resource of the core group is looked for in all groups, since no group is named for it. */
function lookUp(group: string, version: string, plural: string, resources: ResourceIndex): readonly ResourceModule[] {
  if (group === '') {
    return resources.all().filter((one) => one.version === version && one.names.plural === plural);
  }
  const found = resources.find(group, version, plural);
  return found ? [found] : [];
}
