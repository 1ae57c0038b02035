/** Rules on the relations of one definition: their fields must exist, and must have a type that can take part. */
import {
  compileExpression,
  dataTypeOf,
  Environment,
  laterEnvironment,
  laterReading,
  ruleCostLimit,
} from '../../runtime/cel/index.js';
import type { Schema, Scope } from '../../runtime/contract/index.js';
import { parsePath, type Segment } from '../../runtime/schema/index.js';
import { get, list, type Raw, string } from '../../runtime/schema/read.js';
import type { Path, Report } from '../diagnostics/problem.js';
import { storedVersion } from '../model/conversion.js';
import type { ResourceModel } from '../model/model.js';
import { follow, type Step } from './json-path.js';

const REFERENCES = ['spec', 'references'];
const UNIQUE = ['spec', 'unique'];

/** Checks the relations of a native definition by themselves. */
export function checkRelations(value: Raw, resource: ResourceModel, report: Report): void {
  const references = list(get(get(value, 'spec'), 'references'));
  const unique = list(get(get(value, 'spec'), 'unique'));
  if (references.length + unique.length === 0) return;
  const version = storedVersion(resource);
  if (version === undefined || resource.virtual) {
    const message = 'only kinds with stored objects can have relations';
    for (const [path, written] of [[REFERENCES, references] as const, [UNIQUE, unique] as const])
      if (written.length > 0) report({ code: 'KF4046', path, at: 'key', message });
    return;
  }
  const fields = new FieldCheck(version.schema, report);
  const seen = new Set<string>();
  for (const [index, one] of references.entries()) {
    const path = [...REFERENCES, index];
    const field = string(get(one, 'field')) ?? '';
    if (seen.has(field)) fields.refuse([...path, 'field'], `\`${field}\` already refers to a kind`);
    seen.add(field);
    checkReference(one, path, fields);
  }
  for (const [index, one] of unique.entries()) checkUnique(one, [...UNIQUE, index], resource.scope, fields);
}

function checkReference(raw: Raw, path: Path, fields: FieldCheck): void {
  const place = fields.find(get(raw, 'field'), [...path, 'field'], ['string']);
  const namespace = fields.find(get(raw, 'namespaceField'), [...path, 'namespaceField'], ['string']);
  if (place && namespace && listsOf(place) !== listsOf(namespace)) {
    const message = 'the name and the namespace must be in the same item of a list';
    fields.refuse([...path, 'namespaceField'], message);
  }
  if (place && get(raw, 'onDelete') === 'clear') {
    const reason = fields.reasonToStay(place);
    if (reason !== undefined)
      fields.refuse([...path, 'onDelete'], `the field cannot be cleared: ${reason}`, 'choose refuse or cascade');
  }
}

/** Returns the part of a path up to its last list. */
const listsOf = (place: readonly Segment[]): string => JSON.stringify(place.slice(0, place.lastIndexOf('each') + 1));

function checkUnique(raw: Raw, path: Path, scope: Scope, fields: FieldCheck): void {
  for (const [index, field] of list(get(raw, 'fields')).entries()) {
    const at = [...path, 'fields', index];
    const place = fields.find(field, at, ['string', 'integer', 'number', 'boolean']);
    if (place?.includes('each')) fields.refuse(at, 'values in lists cannot be unique among objects');
  }
  if (scope === 'Cluster' && get(raw, 'within') === 'namespace')
    fields.refuse([...path, 'within'], 'objects of the cluster have no namespace', 'write `within: cluster`');
  const when = string(get(raw, 'when'));
  if (when !== undefined) fields.checkCondition(when, [...path, 'when']);
}

/** Checks fields of the stored version's schema. */
class FieldCheck {
  constructor(
    private readonly schema: Schema,
    private readonly report: Report,
  ) {}

  refuse(path: Path, message: string, suggestion?: string): void {
    this.report({ code: 'KF4046', path, message, ...(suggestion === undefined ? {} : { suggestion }) });
  }

  /** Returns the place of a field if it has one of the types. Reports all other fields. */
  find(written: Raw, path: Path, types: readonly Schema['type'][]): readonly Segment[] | undefined {
    const text = string(written);
    if (text === undefined) return undefined;
    const place = parsePath(text);
    if (place === undefined || place.length === 0 || text.startsWith('.')) {
      const suggestion = text.startsWith('.') ? { suggestion: `write it without the dot: \`${text.slice(1)}\`` } : {};
      this.report({
        code: 'KF4046',
        path,
        message: `"${text}" is not the path of a field, such as spec.name`,
        ...suggestion,
      });
      return undefined;
    }
    const [first] = place;
    if (first !== 'each' && first && ['apiVersion', 'kind', 'metadata'].includes(first.key)) {
      this.refuse(path, `\`${first.key}\` cannot take part in relations`);
      return undefined;
    }
    const target = follow(this.schema, place.map(toStep));
    if (target.found === undefined) {
      const { why, nearest } = target;
      this.report({ code: 'KF4014', path, message: `the path leads nowhere: ${why}`, suggestion: nearest });
      return undefined;
    }
    const problem = target.found === 'anything' ? 'the field can have any type' : typeProblem(target.found, types);
    if (problem === undefined) return place;
    const isList =
      target.found !== 'anything' && target.found.type === 'array' && target.found.items?.type === 'string';
    this.refuse(path, problem, isList && types.length === 1 ? `write \`${text}[]\` for each of its items` : undefined);
    return undefined;
  }

  /** Returns why a field cannot be removed from objects. */
  reasonToStay(place: readonly Segment[]): string | undefined {
    if (place.includes('each')) return 'it is in a list';
    const last = place.at(-1);
    const parent = follow(this.schema, place.slice(0, -1).map(toStep)).found;
    if (parent === undefined || parent === 'anything' || last === undefined || last === 'each') return undefined;
    const field = parent.properties?.[last.key];
    if (parent.required?.includes(last.key)) return 'it is required';
    if (field?.default !== undefined) return 'its default would set it again';
    return field?.['x-kindforge-immutable'] ? 'it is immutable' : undefined;
  }

  /** Reports a condition that does not yield true or false for every object, or that costs too much. */
  checkCondition(text: string, path: Path): void {
    const data = dataTypeOf(this.schema, 'self', { ...laterReading, isResource: true });
    if (data === undefined) {
      this.report({ code: 'KF4025', path, message: 'the schema has no type that expressions can work with' });
      return;
    }
    const variables = { self: { type: data.type, data } };
    const compiled = compileExpression(text, new Environment({ ...laterEnvironment, variables }));
    if (!compiled.ok) {
      const issues = compiled.failure.issues.map(({ line, column, message }) =>
        line > 0 ? `${line}:${column} ${message}` : message,
      );
      this.report({ code: 'KF4025', path, message: `the expression cannot be compiled: ${issues.join('; ')}` });
      return;
    }
    const { type, cost } = compiled.expression;
    if (type.kind !== 'bool') this.report({ code: 'KF4025', path, message: 'a condition must yield true or false' });
    if (cost.max <= ruleCostLimit) return;
    const message = `the condition may cost ${cost.max.toPrecision(3)}, more than the limit of ${ruleCostLimit}`;
    this.report({ code: 'KF4026', path, message });
  }
}

const toStep = (segment: Segment): Step =>
  segment === 'each' ? { kind: 'items' } : { kind: 'field', name: segment.key };

function typeProblem(found: Schema, types: readonly Schema['type'][]): string | undefined {
  if (found['x-kubernetes-int-or-string'] === true) return 'the field has type integer or string';
  return types.includes(found.type)
    ? undefined
    : `the field has type ${found.type ?? 'any'}, not ${types.join(' or ')}`;
}
