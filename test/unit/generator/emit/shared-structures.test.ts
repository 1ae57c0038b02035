/** Equal structures of several kinds, versions and groups are printed once, under the name that most fields give them. */
import { describe, expect, it } from 'vitest';
import { sharedTypesOf } from '../../../../generator/emit/shared-structures.js';
import type { Model } from '../../../../generator/model/model.js';
import type { Schema } from '../../../../runtime/contract/index.js';
import { customResource, type Definition, emit, modelOf, run, typeErrors } from './emitting.js';

const text = (description: string): Schema => ({ type: 'string', description });

const template = (more: Readonly<Record<string, Schema>> = {}): Schema => ({
  type: 'object',
  required: ['image'],
  properties: {
    image: text('What runs in the container, by name or by digest; long enough to be worth a name of its own.'),
    command: { type: 'array', items: { type: 'string' }, description: 'What is run in place of what the image says.' },
    ...more,
  },
});

/** Returns a kind with a spec of these fields, and one that no other kind has. */
const kind = (name: string, properties: Readonly<Record<string, Schema>>, more: Partial<Definition> = {}): object =>
  customResource({
    kind: name,
    spec: { type: 'object', properties: { ...properties, [`only${name}`]: { type: 'string' } } },
    ...more,
  });

const typesOf = (model: Model): readonly string[] => [...sharedTypesOf(model).types.keys()].sort();

describe('structures that several kinds have', () => {
  const model = modelOf(
    kind('Cron', { podTemplate: template(), template: template() }),
    kind('Job', { podTemplate: { ...template(), description: 'What is run.', nullable: true } }),
    kind('Task', { podTemplate: { ...template(), default: { image: 'scratch' } } }),
  );
  const files = emit(model);

  it('have the name that most fields give them', () => {
    expect(typesOf(model)).toEqual([':example.com#/PodTemplate']);
  });

  it('are declared once for their whole group', () => {
    const declared = [...files].filter(([, content]) => content.includes('What runs in the container'));
    const code = declared.map(([path]) => path).filter((path) => /(types|schema)\.ts$/.test(path));
    expect(code.sort()).toEqual(['example.com/schema.ts', 'example.com/types.ts']);
    expect(files.get('example.com/types.ts')).toContain(
      '/** The type of `podTemplate` and `template` fields. */\nexport interface PodTemplate {',
    );
    expect(files.get('example.com/v1/jobs/types.ts')).toContain("} from '../../types.js';");
  });

  it('leave each field its own description', () => {
    expect(files.get('example.com/v1/jobs/types.ts')).toContain(
      '  /** What is run. */\n  podTemplate?: PodTemplate | null;',
    );
    for (const { names, versions } of model.resources) {
      const { schema } = run(files, `example.com/v1/${names.plural}/schema.ts`);
      expect(schema, names.kind).toEqual(versions[0]?.schema);
    }
  });

  it('have apply configurations that are shared too', () => {
    expect(files.get('example.com/types.ts')).toContain(
      'export type PodTemplateApplyConfiguration = Partial<PodTemplate>;',
    );
    expect(files.get('example.com/v1/jobs/types.ts')).toContain(
      '  podTemplate?: PodTemplateApplyConfiguration | null;',
    );
  });

  it('type-check', () => expect(typeErrors(files, true)).toEqual([]));
});

describe('the place of their declaration', () => {
  it('is beside all groups for structures of several groups', () => {
    const [own, other] = [{ group: 'a.example.com' }, { group: 'b.example.com' }];
    const model = modelOf(kind('Cron', { template: template() }, own), kind('Job', { template: template() }, other));
    expect(typesOf(model)).toEqual(['::#/Template']);
    const files = emit(model);
    expect(files.get('shared/types.ts')).toContain('export interface Template {');
    expect(files.get('b.example.com/v1/jobs/schema.ts')).toContain(
      "import { template } from '../../../shared/schema.js';",
    );
    expect(typeErrors(files, true)).toEqual([]);
  });

  it('is the group for structures that several versions of a kind share, and a spec keeps the name of its kind', () => {
    const model = modelOf(kind('Cron', { template: template() }, { versions: ['v1', 'v1beta1'] }));
    expect(typesOf(model)).toEqual([':example.com#/CronSpec', ':example.com#/Template']);
    expect(emit(model).get('example.com/v1beta1/crons/types.ts')).toContain(
      "export type { CronSpec } from '../../types.js';",
    );
  });

  it('is the file of the kind for structures of one version', () => {
    expect(typesOf(modelOf(kind('Cron', { template: template(), other: template() })))).toEqual([]);
  });
});

describe('the names', () => {
  const others = ['Cron', 'Job', 'Task'];
  const modelWith = (changed: Schema): Model =>
    modelOf(
      ...others.map((name) => kind(name, { template: template(), spec: template({ a: text('One more.') }) })),
      kind('Zoo', { template: changed, spec: template({ a: text('One more.') }) }),
      kind('Zebra', { template: template({ b: text('Striped.') }) }, { versions: ['v1', 'v2'] }),
    );

  it('start with the kind for the structure of fewer kinds, if two want the same name', () => {
    expect(typesOf(modelWith(template()))).toEqual([
      ':example.com#/Spec',
      ':example.com#/Template',
      ':example.com#/ZebraSpec',
      ':example.com#/ZebraTemplate',
    ]);
  });

  it('stay when one definition changes', () => {
    expect(typesOf(modelWith(template({ z: text('New.') })))).toEqual(typesOf(modelWith(template())));
  });

  it('are singular for items, and accepted by TypeScript', () => {
    const list: Schema = { type: 'array', items: template() };
    const model = modelOf(
      kind('Cron', { '9-things': list, map: template({ a: text('A.') }) }),
      kind('Job', { '9-things': list, map: template({ a: text('A.') }) }),
    );
    expect(typesOf(model)).toEqual([':example.com#/Kind9Thing', ':example.com#/MapResource']);
    expect(typeErrors(emit(model), true)).toEqual([]);
  });
});

it('keeps a small structure in its place, because a name would not make it easier to read', () => {
  const small: Schema = { type: 'object', properties: { name: { type: 'string' } } };
  expect(typesOf(modelOf(kind('Cron', { ref: small }), kind('Job', { ref: small })))).toEqual([]);
});
