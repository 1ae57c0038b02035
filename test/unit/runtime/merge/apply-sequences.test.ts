/** The public apply sequences: the configurations of each applier, and the resulting object, owners and conflicts. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue, Result } from '../../../../runtime/contract/index.js';
import {
  EMPTY,
  encodeFieldSet,
  type FieldSet,
  leaves,
  parseFieldSet,
  paths,
} from '../../../../runtime/merge/field-set.js';
import { mergeConfiguration } from '../../../../runtime/merge/managed-fields/apply.js';
import {
  type Managers,
  type TypedVersion,
  VersionedChange,
  VersionedObjects,
  type VersionSource,
} from '../../../../runtime/merge/managed-fields/entries.js';
import { recordUpdate } from '../../../../runtime/merge/managed-fields/update.js';
import { printPath } from '../../../../runtime/merge/path-element.js';
import { compare } from '../../../../runtime/merge/typed/field-sets.js';
import { mergeValues } from '../../../../runtime/merge/typed/merge.js';
import { extractItems } from '../../../../runtime/merge/typed/remove.js';
import { findTypeProblems } from '../../../../runtime/merge/typed/validate.js';
import { isObject } from '../../../../runtime/objects/guards.js';
import { finish } from '../../../../runtime/objects/turns.js';
import { readYaml } from '../../../support/yaml.js';
import { planOfSequence, type SequenceSchema, type TypeRef } from './sequence-schema.js';

interface Step {
  readonly $type: 'Apply' | 'ForceApply' | 'ExtractApply' | 'Update' | 'ChangeParser';
  readonly Manager: string;
  readonly APIVersion: string;
  readonly Object?: string;
  readonly Conflicts?: { readonly $error: string };
  readonly Parser?: { readonly Schema: SequenceSchema };
}

interface Sequence {
  readonly name: string;
  readonly test: string;
  readonly case: {
    readonly APIVersion: string;
    readonly Object: string;
    readonly Managed: Record<string, { readonly apiVersion: string; readonly set: JsonValue }> | null;
    readonly Ops: readonly Step[];
    readonly IgnoredFields: Record<string, JsonValue> | null;
    readonly IgnoreFilter: Record<string, { readonly excludeSet: JsonValue }> | null;
  };
  readonly parserByVersion: Record<string, { readonly schema: SequenceSchema; readonly typeRef: TypeRef }>;
}

type Convert = (object: JsonObject, from: string, to: string) => Result<JsonObject>;

const same: Convert = (value) => ({ ok: true, value });

/** Writes every key below the first level as its first letter, n times for version n. The last of equal keys wins. */
const repeated: Convert = (object, _from, to) => {
  const count = Number(to.slice(1));
  const rename = (value: JsonValue): JsonValue => {
    if (!isObject(value)) return value;
    const keys = Object.keys(value).sort();
    return Object.fromEntries(keys.map((key) => [key.charAt(0).repeat(count), rename(value[key] ?? null)]));
  };
  const value = Object.fromEntries(Object.entries(object).map(([key, inner]) => [key, rename(inner ?? null)]));
  return { ok: true, value };
};

/** Converts a version with a field that the other version's field determines. It must be present. */
const reliant: Convert = (object, from, to) => {
  if (from === to) return { ok: true, value: object };
  const { required_field_bar: bar, field_foo_rely_on_bar: foo, ...common } = object;
  if (to === 'v2') return { ok: true, value: { ...common, required_field_bar: foo } };
  if (bar === undefined)
    return { ok: false, failure: { reason: 'InternalError', message: 'required field is missing' } };
  return { ok: true, value: { ...common, field_foo_rely_on_bar: bar } };
};

const converters: Record<string, Convert> = {
  TestFilteredFieldsUsesVersions: repeated,
  TestMultipleAppliersRealConversion: repeated,
  TestMultipleAppliersReliantFieldsConversions: reliant,
};

const ignoredOf = ({ IgnoredFields, IgnoreFilter }: Sequence['case'], version: string): FieldSet =>
  parseFieldSet(IgnoredFields?.[version] ?? IgnoreFilter?.[version]?.excludeSet ?? null) ?? EMPTY;

/** The state after the steps of a sequence so far. */
class State {
  live: JsonObject = {};
  managers: Managers = new Map();
  private version = 'v1';
  private schema: SequenceSchema | undefined;
  private readonly source: VersionSource;

  constructor(private readonly sequence: Sequence) {
    const convert = converters[sequence.test] ?? same;
    this.source = { versionOf: (version) => this.versionOf(version), convert };
  }

  run(step: Step): string | undefined {
    if (step.$type === 'ChangeParser') {
      this.schema = step.Parser?.Schema;
      return undefined;
    }
    this.live = this.in(step.APIVersion);
    this.version = step.APIVersion;
    const given: JsonValue = readYaml(step.Object ?? '') ?? {};
    const object = isObject(given) ? given : {};
    if (step.$type === 'Update') return this.update(step, object);
    return this.apply(step, step.$type === 'ExtractApply' ? this.extended(step, object) : object);
  }

  /** Returns the live object in a version. */
  in(version: string): JsonObject {
    const converted = this.source.convert(this.live, this.version, version);
    if (!converted.ok) throw new Error(converted.failure.message);
    return converted.value;
  }

  private objects(step: Step): VersionedObjects {
    const version = this.versionOf(step.APIVersion);
    if (version === undefined) throw new Error(`no version ${step.APIVersion}`);
    return new VersionedObjects(step.APIVersion, version, this.source);
  }

  private versionOf(name: string): TypedVersion | undefined {
    const parsers = this.sequence.parserByVersion;
    const parser = parsers[name] ?? Object.values(parsers)[0];
    if (parser === undefined || name === '') return undefined;
    const plan = planOfSequence(this.schema ?? parser.schema, parser.typeRef);
    return { plan, resetFields: ignoredOf(this.sequence.case, name) };
  }

  private update(step: Step, object: JsonObject): undefined {
    const objects = this.objects(step);
    const managers = new Map(this.managers);
    const change = new VersionedChange(
      objects,
      this.live,
      object,
      compare(objects.version.plan.root, this.live, object),
    );
    recordUpdate(managers, change, { manager: step.Manager, subresource: '', now: '' });
    this.live = object;
    this.managers = managers;
  }

  private apply(step: Step, applied: JsonObject): string | undefined {
    const objects = this.objects(step);
    const problems = findTypeProblems(objects.version.plan.root, applied);
    if (problems.length > 0) return problems.join('\n');
    const writer = { manager: step.Manager, subresource: '', now: '' };
    const force = step.$type !== 'Apply';
    const result = finish(mergeConfiguration({ objects, live: this.live, applied, writer, force }, this.managers));
    if (!result.ok) throw new Error(result.failure.message);
    const outcome = result.value;
    if (outcome.outcome === 'conflicts') return conflictText(outcome.conflicts, outcome.managers);
    this.managers = outcome.managers;
    this.live = outcome.object;
    return undefined;
  }

  /** Returns the manager's last configuration with this one merged in. */
  private extended(step: Step, object: JsonObject): JsonObject {
    const { root } = this.objects(step).version.plan;
    const record = [...this.managers.values()].find(({ manager }) => manager === step.Manager);
    const extracted = record && extractItems(root, this.live, leaves(record.fields));
    const merged = mergeValues(root, extracted ?? undefined, object);
    return isObject(merged) ? merged : {};
  }

  owners(): Record<string, unknown> {
    const records = [...this.managers.values()];
    return Object.fromEntries(
      records.map((r) => [r.manager, { apiVersion: r.apiVersion, set: encodeFieldSet(r.fields) }]),
    );
  }
}

function conflictText(conflicts: ReadonlyMap<string, FieldSet>, managers: Managers): string {
  const all = [...conflicts].map(([key, fields]) => ({
    manager: managers.get(key)?.manager,
    at: [...paths(fields)].map(printPath),
  }));
  const [only] = all;
  if (all.length === 1 && only?.at.length === 1) return `conflict with "${only.manager}": ${only.at[0]}`;
  return all
    .map(({ manager, at }) => `conflicts with "${manager}":\n${at.map((path) => `- ${path}`).join('\n')}`)
    .join('\n');
}

const file = new URL('../../../../../shared/suites/apply-sequences.jsonl', import.meta.url);
const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
const sequences: Sequence[] = lines.map((line) => JSON.parse(line));

describe.skipIf(lines.length === 0)('the public apply sequences (skipped without ../shared)', () => {
  for (const [index, sequence] of sequences.entries()) {
    it(`${index} ${sequence.test}/${sequence.name}`, () => {
      const state = new State(sequence);
      const expected = sequence.case;
      const refused = sequence.test.endsWith('Errors');
      const problems = expected.Ops.map((step) => state.run(step));
      if (refused) expect(problems.at(-1)).toMatch(/duplicate entries/);
      else expect(problems).toEqual(expected.Ops.map((step) => step.Conflicts?.$error));
      if (expected.Object !== '') expect(state.in(expected.APIVersion)).toEqual(readYaml(expected.Object));
      if (expected.Managed !== null) {
        const owners = Object.entries(expected.Managed).map(([manager, { apiVersion, set }]) => [
          manager,
          { apiVersion, set },
        ]);
        expect(state.owners()).toEqual(Object.fromEntries(owners));
      }
    });
  }
});
